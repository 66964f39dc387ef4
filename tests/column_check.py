"""Whether the columns of what a command printed are described (ictus.model.columns)."""

from collections.abc import Iterator, Mapping
from typing import Any

from ictus.model.columns.registry import BY_NAME
from ictus.model.columns.shared import CASE, LAUNCH


def undescribed(document: Mapping[str, Any]) -> list[str]:
    """Names in the rows of a --json that nothing describes, each once."""
    table = BY_NAME.get(document["schema"])
    if table is None:
        return [f"schema {document['schema']}"]
    found = (name for row in document["rows"] for name in _names(row) if not _is_described(name, table.columns))
    return list(dict.fromkeys(found))


def _names(row: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a row; with a dot those of a case and of objects in lists. Other objects have keys of their own."""
    for name, value in row.items():
        yield name
        objects = value if isinstance(value, list) else [value] if name == "case" else []
        yield from (f"{name}.{key}" for one in objects if isinstance(one, Mapping) for key in one)


def _is_described(name: str, columns: Mapping[str, str]) -> bool:
    factor = name.removeprefix("case.")
    known = {*CASE, *LAUNCH, "mpi", "metric", "summary"} if name.startswith("case.") else columns
    return factor in known or (factor.startswith("env.") and "env.NAME" in known)
