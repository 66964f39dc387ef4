"""Ranks and hosts of a document: a list for each field, or the list of objects that earlier versions wrote."""

from typing import Any

import pytest

from ictus.model.written_rows import rows_of


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
