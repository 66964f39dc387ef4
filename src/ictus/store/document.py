"""JSON files of a campaign folder: read with their format checked, written whole."""

import json
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from ictus.model.errors import MeasurementError, UsageError
from ictus.model.sample import FORMAT
from ictus.store.durable import write_atomically


def read_document(path: Path) -> dict[str, Any]:
    """The object in a JSON file that carries `format`.

    Raises MeasurementError when the file is missing or broken, UsageError when it has a format that is not known here.
    """
    document = read_object(path)
    written = document.get("format")
    if written == FORMAT:
        return document
    if isinstance(written, int) and written > FORMAT:
        raise UsageError(
            f"{path} has format {written}, this version of Ictus reads {FORMAT}: it was written by Ictus "
            f"{document.get('ictus', 'unknown')}, use that or a later one"
        )
    raise MeasurementError(f"{path}: 'format' is {written!r}, expected {FORMAT}")


def read_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file; MeasurementError that names the file when it is missing or broken."""
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise MeasurementError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise MeasurementError(f"{path} is no JSON ({error}): it was cut short or damaged") from error
    if not isinstance(document, dict):
        raise MeasurementError(f"{path} holds no JSON object")
    return document


def write_document(path: Path, document: Mapping[str, Any]) -> None:
    """Write an object whole, one top-level key a line so that a person can read it."""
    lines = ",\n".join(f"{json.dumps(key)}: {_text(value)}" for key, value in document.items())
    write_atomically(path, f"{{{lines}\n}}\n".encode())


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
