"""Instants of documents: any offset is the same instant, and texts in UTC sort as instants do."""

import pytest

from ictus.model.instant import instant, utc


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-10-25T02:30:00+02:00", "2026-10-25T00:30:00+00:00"),
        ("2026-10-25T02:30:00+01:00", "2026-10-25T01:30:00+00:00"),
        ("2026-10-25T02:30:00Z", "2026-10-25T02:30:00+00:00"),
        ("2026-10-25T02:30:00", "2026-10-25T02:30:00+00:00"),
        ("2026-10-24T20:00:00.5-05:30", "2026-10-25T01:30:00.500000+00:00"),
    ],
)
def test_a_text_is_an_instant_in_utc(text: str, expected: str) -> None:
    """Summer and winter time of one night, Z, no offset, parts of a second."""
    assert utc(text) == expected


def test_texts_in_utc_sort_as_instants() -> None:
    """Parts of a second too."""
    texts = [utc(f"2026-10-25T02:30:0{second}+02:00") for second in ("0", "0.5", "1", "1.25", "2")]
    assert sorted(texts) == texts == [utc(one.isoformat()) for one in sorted(map(instant, texts))]


def test_what_is_no_time_is_refused() -> None:
    """With the text."""
    with pytest.raises(ValueError, match="yesterday"):
        utc("yesterday")
