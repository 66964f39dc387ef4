"""Writes documents (model/document.py) as files of a campaign folder, each as a whole."""

import json
from collections.abc import Mapping
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo

from ictus.model.document import CHECKSUM, Document, sealed
from ictus.model.plan import Plan
from ictus.store.durable import write_atomically


def write_document(path: Path, document: Document | Mapping[str, Any]) -> None:
    """Write a document, or an object that a core wrote, whole: one top-level key a line, for people to read, and the
    checksum last. Parts of launches have none of their own; the journal has it.
    """
    values = document.model_dump(mode="json", by_alias=True) if isinstance(document, Document) else document
    lines = ",\n".join(f"{json.dumps(key)}: {_text(value)}" for key, value in values.items() if key != CHECKSUM)
    is_checked = not isinstance(document, Document) or document.VERSIONED
    write_atomically(path, sealed(lines) if is_checked else f"{{{lines}\n}}\n".encode())


def _text(value: object) -> str:
    """A list of objects gets a line for each."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n  " + ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def version() -> str:
    """Version of Ictus, "unknown" where it is not installed."""
    try:
        return metadata.version("ictus")
    except metadata.PackageNotFoundError:
        return "unknown"


def now() -> str:
    """The time of day with its zone, ISO 8601."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


_PLAN_KEYS = {key for name, field in Plan.model_fields.items() for key in (name, field.alias)}
"""Keys of a plan of this version. A later version of the same schema may have more keys; Ictus ignores them."""


def _plan(value: object, info: ValidationInfo) -> object:
    source = (info.context or {}).get("source", "plan")
    if not isinstance(value, Mapping):
        return value
    return Plan.from_values({key: item for key, item in value.items() if key in _PLAN_KEYS}, source=f"{source}, plan")


PlanValues = Annotated[Plan, BeforeValidator(_plan), PlainSerializer(lambda plan: plan.values())]
"""A plan in a document, by its TOML keys; unknown keys are dropped.

An invalid plan raises the UsageError of `Plan.from_values`.
"""
