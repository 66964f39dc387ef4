"""A small run of what `python -m tools.calibration.evidence` writes into the page on statistics."""

import pytest
from tools.calibration.evidence import DESIGNS, MARKS, PAGE, Design, measure


@pytest.mark.parametrize("design", [one for one in DESIGNS if one.promised], ids=lambda one: f"{one.name} {one.own}")
def test_no_evidence_is_wrong_too_often(design: Design) -> None:
    """In states that scatter by 20 %; a slow-down of 20 % side by side is found nearly always."""
    found = measure(design, 0.2, 300, seed=3)
    assert found.false_verdicts.holds, found.false_verdicts
    if design.name == "side by side":
        assert found.found[-1] > 0.9


def test_what_a_control_cannot_promise_is_in_the_page() -> None:
    """One campaign a side, where a state changes one library alone by 5 %: wrong in most comparisons."""
    unpromised = next(one for one in DESIGNS if not one.promised)
    assert measure(unpromised, 0.2, 100, seed=4).false_verdicts.share > 0.5
    assert "nothing is promised" in MARKS.of(PAGE)
