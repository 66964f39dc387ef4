"""Objects of one kind in a document: a list of them, or, as the core writes ranks and hosts, a list for each field."""

from collections.abc import Mapping
from typing import Any

KIND, KINDS = "kind", "kinds"


def rows_of(written: Any) -> Any:
    """The list of objects that columns are; anything else as it is, for earlier versions wrote the list itself.

    Fields that many objects have alike are one object of `kinds`, of which each names its own by the column `kind`.
    ValueError where columns are of different lengths, or a kind is missing.
    """
    if not isinstance(written, Mapping):
        return written
    columns = {name: values for name, values in written.items() if name != KINDS}
    lengths = {name: len(values) if isinstance(values, list | tuple) else None for name, values in columns.items()}
    if None in lengths.values() or len(set(lengths.values())) > 1:
        raise ValueError(f"columns differ: expected lists of one length, found {lengths}")
    rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return rows if KINDS not in written else [_with_kind(row, written[KINDS]) for row in rows]


def _with_kind(row: Mapping[str, Any], kinds: Any) -> Mapping[str, Any]:
    number = row.get(KIND)
    if not isinstance(number, int) or not 0 <= number < len(kinds):
        raise ValueError(f"there is no kind {number!r} among {len(kinds)}")
    return {**kinds[number], **{name: value for name, value in row.items() if name != KIND}}
