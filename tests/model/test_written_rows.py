"""Ranks and hosts of a document: a list for each field, or the list of objects that earlier versions wrote; numbers: a
list, or the bytes of an array.
"""

import base64
import struct
from typing import Any

import pytest

from ictus.model.written_rows import numbers_of, rows_of


def test_columns_become_objects_and_kinds_are_in_each() -> None:
    """Hosts of one kind share what is written once."""
    written = {"kinds": [{"n_cpus": 4}, {"n_cpus": 8}], "kind": [1, 0, 1], "host": ["a", "b", "c"]}
    assert rows_of(written) == [{"n_cpus": 8, "host": "a"}, {"n_cpus": 4, "host": "b"}, {"n_cpus": 8, "host": "c"}]
    assert rows_of({"rank": [0, 1], "cpu": [None, 3]}) == [{"rank": 0, "cpu": None}, {"rank": 1, "cpu": 3}]


@pytest.mark.parametrize("written", [[{"rank": 0}], [], None])
def test_what_earlier_versions_wrote_stays(written: Any) -> None:
    """A list of objects, or nothing."""
    assert rows_of(written) is written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"rank": [0, 1], "host": ["a"]}, "columns differ"),
        ({"rank": 3}, "columns differ"),
        ({"kinds": [{}], "kind": [1]}, "there is no kind 1 among 1"),
        ({"kinds": [{}], "host": ["a"]}, "there is no kind None among 1"),
    ],
)
def test_columns_that_do_not_fit_are_refused(written: Any, said: str) -> None:
    """Not filled up, not cut."""
    with pytest.raises(ValueError, match=said):
        rows_of(written)


def array(key: str, form: str, *numbers: float) -> dict[str, str]:
    """As the core writes a long list."""
    return {key: base64.b64encode(struct.pack(f"<{len(numbers)}{form}", *numbers)).decode()}


def test_an_array_is_the_list_of_its_numbers() -> None:
    """To the last bit; what is not finite is null, as in a list. Columns may be arrays too."""
    assert numbers_of(array("f8", "d", 0.1, -1.2345678901234567e-07, float("nan"))) == [
        0.1,
        -1.2345678901234567e-07,
        None,
    ]
    assert numbers_of({"i4": "AQAAAAIAAAD/PwAA"}) == [1, 2, 16383]
    assert numbers_of([1.5, None]) == [1.5, None]
    assert rows_of({"rank": array("i4", "i", 0, 1), "x": [[1.0], [2.0]]}) == [
        {"rank": 0, "x": [1.0]},
        {"rank": 1, "x": [2.0]},
    ]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"f8": "AQAA"}, "'f8' is not an array"),
        ({"f8": "A*=="}, "'f8' is not an array"),
        ({"f4": "AQAA"}, "one of f8, i4"),
        ({"i4": [1]}, "one of f8, i4"),
        ({"i4": "AQAAAA==", "f8": ""}, "one of f8, i4"),
        ({}, "one of f8, i4"),
    ],
)
def test_what_is_no_array_is_refused(written: Any, said: str) -> None:
    """Cut, no base64, of another type."""
    with pytest.raises(ValueError, match=said):
        numbers_of(written)
