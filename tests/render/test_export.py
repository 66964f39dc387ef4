"""Rows for scripts: JSON that every parser reads, CSV with one header."""

import csv
import io
import json
import math

from ictus.render.output import as_csv, as_json

ROWS = [
    {"case": {"operation": "bcast", "n": 2}, "ratio": 0.5, "stars": "**", "remarks": ["a", "b"], "same": True},
    {"case": {"operation": "scan", "n": 4}, "ratio": math.nan, "stars": "", "remarks": [], "same": False},
]


def test_what_is_not_known_is_null() -> None:
    """NaN and infinity are no JSON; the object has schema, warnings, further keys and rows."""
    document = json.loads(as_json("ictus.x/1", ["careful"], ROWS, level=math.inf))
    assert list(document) == ["schema", "warnings", "level", "rows"]
    assert (document["schema"], document["warnings"], document["level"]) == ("ictus.x/1", ["careful"], None)
    assert [row["ratio"] for row in document["rows"]] == [0.5, None]


def test_a_case_gives_columns_of_its_own() -> None:
    """Nested objects are flattened, lists joined, unknown cells empty, flags spelled."""
    rows = list(csv.DictReader(io.StringIO(as_csv(ROWS))))
    assert rows[0] == {"operation": "bcast", "n": "2", "ratio": "0.5", "stars": "**", "remarks": "a; b", "same": "true"}
    assert (rows[1]["ratio"], rows[1]["remarks"], rows[1]["same"]) == ("", "", "false")


def test_no_rows_are_no_columns() -> None:
    """An empty answer is an empty line, and still one object."""
    assert as_csv([]) == "\n"
    assert json.loads(as_json("ictus.x/1", [], []))["rows"] == []


def test_no_column_of_csv_hides_another() -> None:
    """Keys of nested objects that the row has too, or another object, keep the object's name."""
    rows = [{"case": {"n": 2, "size": 8}, "n": 10, "other": {"size": 9}}]
    (row,) = csv.DictReader(as_csv(rows).splitlines())
    assert row == {"case.n": "2", "size": "8", "n": "10", "other.size": "9"}
