"""JUnit XML: the check of the schema itself, and texts that XML cannot hold as they are."""

import xml.etree.ElementTree as ET

import pytest
from tests.comparison.junit_schema import check_junit

import ictus
from ictus.comparison.gate import parse_gate
from ictus.comparison.rows import ComparisonRow
from ictus.comparison.summaries import junit_xml
from ictus.stats.compare import CaseComparison
from ictus.stats.verdict import missing

CASE = {"mpi": "mpich", "operation": "bcast", "size_bytes": 8, "n": 2}


def only_in(there: str) -> ComparisonRow:
    """A case that only one side has."""
    result = CaseComparison(8, 0, 1e-6, *(None,) * 8, verdict=missing(f"only in {there}; base failed"), remarks=())
    return ComparisonRow(CASE, there, "base", result)


def written(name: str = "compare", there: str = "now", created: str = "2025-11-21T10:00:00+02:00") -> str:
    """A suite of one case that only one side has, and that the gate passes over."""
    return junit_xml(
        name, [only_in(there)], parse_gate("slower", allow_missing=True),
        created=created, host="node01", properties={"level": "0.05"}, warnings=["a <warning>"],
    )  # fmt: skip


def test_a_suite_is_valid_and_its_time_is_in_utc() -> None:
    """The schema has no zones."""
    suite = check_junit(written())
    assert suite.get("timestamp") == "2025-11-21T08:00:00"
    assert suite.findtext("system-err") == "a <warning>"


def test_markup_and_control_characters_are_text() -> None:
    """A folder may be called anything."""
    suite = check_junit(written(name='a<b>&"c\x00\x1b', there="x\x07<y>", created="yesterday"))
    assert suite.get("name") == 'a<b>&"c'
    skipped = suite.find("testcase/skipped")
    assert skipped is not None
    assert str(skipped.get("message")).endswith(": only in x<y>; base failed")


def test_a_case_that_a_side_lacks_is_an_error_where_the_gate_may_not_pass_over_it() -> None:
    """Continuous integration is green for a skipped test, and red for an error."""
    text = junit_xml(
        "compare", [only_in("now")], parse_gate("undecided"), created="", host="", properties={}, warnings=()
    )
    suite = check_junit(text)
    assert (suite.get("errors"), suite.get("skipped"), suite.get("failures")) == ("1", "0", "0")
    error = suite.find("testcase/error")
    assert error is not None
    assert (error.get("type"), error.get("message")) == ("missing", "only in now; base failed")


@pytest.mark.parametrize(
    ("broken", "into", "said"),
    [
        (' hostname="node01"', "", "lacks an attribute"),
        (' tests="1"', ' tests="one"', "tests is not a number"),
        (' tests="1"', ' tests="2"', "tests is not"),
        ('<testcase ', '<testcase size="8" ', "has"),
        (' skipped="1"', ' skipped="0"', "skipped"),
        ('<skipped ', '<ignored ', "child"),
    ],
)  # fmt: skip
def test_the_check_finds_what_is_not_valid(broken: str, into: str, said: str) -> None:
    """Each kind of error alone is found: the check is worth something."""
    text = written()
    assert broken in text
    with pytest.raises(AssertionError, match=said):
        check_junit(text.replace(broken, into))


def test_the_check_asks_for_the_order_of_both_schemas() -> None:
    """Properties come first."""
    root = ET.fromstring(written())
    root[0].append(root[0][0])
    root[0].remove(root[0][0])
    with pytest.raises(AssertionError):
        check_junit(ET.tostring(root, encoding="unicode"))


def test_the_public_names_are_there() -> None:
    """A gate that was hit can be caught by name."""
    assert ictus.GateHit.exit_code == 1
