"""Rows for scripts: one JSON object with a schema version, or CSV with one header line. Values in, text out."""

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def as_json(schema: str, warnings: Sequence[str], rows: Iterable[Mapping[str, Any]], **more: Any) -> str:
    """One object: `schema` (name and version, `ictus.compare/1`), `warnings`, whatever `more` names, and `rows`.

    What is not known is null: NaN and infinity are no JSON.
    """
    document = {"schema": schema, "warnings": list(warnings), **more, "rows": list(rows)}
    return json.dumps(_finite(document), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """A header line of the keys and a line for each row; nested objects give columns of their own keys; unknown is
    empty.
    """
    flat = [_flat(row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    written = io.StringIO()
    writer = csv.DictWriter(written, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in flat)
    return written.getvalue()


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        flat |= value if isinstance(value, Mapping) else {name: value}
    return flat


def _cell(value: Any) -> Any:
    value = _finite(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "; ".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def _finite(value: Any) -> Any:
    """The value with every NaN and infinity replaced by None, however deep."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, (list, tuple)) else value
