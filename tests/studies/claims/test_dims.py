"""The study of MPI_Dims_create: factors that are known to be balanced, and some that are not."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run_ictus

from ictus.guidelines.dims.analysis import DIMENSIONS, DimsViolation, Fault, all_best_dims
from ictus.guidelines.dims.record import DimsDocument
from ictus.guidelines.dims.tables import Answers
from ictus.model.errors import MeasurementError
from ictus.stats.claim_rules import Seen
from ictus.store.document import write_document
from ictus.studies.dims.study import judge_answers

UP_TO = 64


def keep(folder: Path, changes: dict[tuple[int, int], tuple[int, ...]]) -> dict[str, Any]:
    """The study's row of two libraries: `best` has the most balanced factors, `other` these instead at some p."""
    best = {d: {p: tuple(each) for p, each in all_best_dims(UP_TO, d).items()} for d in DIMENSIONS}
    other = {
        d: tuple({**each, **{p: f for (of, p), f in changes.items() if of == d}}.values()) for d, each in best.items()
    }
    factors = {"best": {d: tuple(each.values()) for d, each in best.items()}, "other": other}
    made = DimsDocument(ictus="test", created="2026-01-01T00:00:00+00:00", host="n1", up_to=UP_TO, factors=factors)
    folder.mkdir()
    write_document(folder / DimsDocument.FILE, made)
    answer = run_ictus("study", "dims-create", folder, "--json")
    assert answer.code == 0, answer.err
    (row,) = json.loads(answer.out)["rows"]
    return dict(row)


def test_one_answer_that_others_beat_in_balance_is_enough(tmp_path: Path) -> None:
    """12 = 4 x 3, not 12 x 1. Nothing needs be measured to judge it."""
    row = keep(tmp_path / "planted", {(2, 12): (12, 1)})
    assert (row["seen"], row["launches"]) == ("holds", 2)
    assert "0 of 192 of best, 1 of 192 of other" in row["because"]
    page = (tmp_path / "planted" / "study.html").read_text("utf-8")
    assert "dims-create: holds" in page
    assert not any(part in page for part in (">seed<", ">level<")), "nothing is random"


def test_answers_as_balanced_as_can_be_refute_it(tmp_path: Path) -> None:
    """No first and last factors differ needlessly; inner ones that could be closer are no claim."""
    assert keep(tmp_path / "balanced", {})["seen"] == "does not hold"
    for fault, seen in ((Fault.TIE, Seen.DOES_NOT_HOLD), (Fault.SPREAD, Seen.HOLDS)):
        found = DimsViolation(144, (6, 6, 2, 2), (6, 4, 3, 2), fault)
        assert judge_answers([Answers("one", 4, 144, (found,))])[0].seen is seen


def test_a_file_that_lacks_answers_is_refused(tmp_path: Path) -> None:
    """Each library answers for every number of processes."""
    keep(tmp_path / "short", {})
    path = tmp_path / "short" / DimsDocument.FILE
    values = json.loads(path.read_text("utf-8"))
    del values["checksum"]
    values["factors"]["other"]["3"].pop()
    path.write_text(json.dumps(values))
    with pytest.raises(MeasurementError, match=r"factors.other.3 has 63 answers, expected 64"):
        DimsDocument.read(path)


def test_options_of_campaigns_are_refused_before_anything_is_asked(tmp_path: Path) -> None:
    """It is not a campaign, and one process answers."""
    for words in (("--launches", "5"), ("--launcher", "simulated")):
        refused = run_ictus("study", "dims-create", "--quick", *words, "-o", tmp_path / "dims")
        assert (refused.code, words[0] in refused.err) == (2, True)
    assert list(tmp_path.iterdir()) == []
