"""Objects of one kind in a document: a list of them, or, as the core writes ranks and hosts, a list for each field. And
long lists of numbers: the list, or the bytes of the array in base64.
"""

import base64
import binascii
from collections.abc import Mapping
from math import isfinite
from struct import error, iter_unpack
from typing import Any

ARRAYS = {"f8": "<d", "i4": "<i"}
"""By the key of an array in base64: one of its numbers, little-endian."""

KIND, KINDS = "kind", "kinds"


def rows_of(written: Any) -> Any:
    """The list of objects that columns are; anything else as it is, for earlier versions wrote the list itself.

    Fields that many objects have alike are one object of `kinds`, of which each names its own by the column `kind`.
    ValueError where columns are of different lengths, or a kind is missing.
    """
    if not isinstance(written, Mapping):
        return written
    columns = {name: numbers_of(values) for name, values in written.items() if name != KINDS}
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


def numbers_of(written: Any) -> Any:
    """The list of numbers that `{"f8": BASE64}` or `{"i4": BASE64}` is, null where one is not finite; anything else
    as it is. ValueError where that is no array.
    """
    if not isinstance(written, Mapping):
        return written
    key = next(iter(written), "")
    if len(written) != 1 or key not in ARRAYS or not isinstance(written[key], str):
        raise ValueError(
            f"expected a list of numbers, or one of {', '.join(ARRAYS)} with base64; found {list(written)}"
        )
    try:
        numbers = iter_unpack(ARRAYS[key], base64.b64decode(written[key], validate=True))
    except (binascii.Error, error) as reason:
        raise ValueError(f"'{key}' is not an array: {reason}") from reason
    return [number if isfinite(number) else None for (number,) in numbers]
