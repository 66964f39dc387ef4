"""What a tuning shows: rows of what was tried, and what was not in one sentence."""

from ictus.guidelines.verdict import Configuration
from ictus.model.spec import Spec, parse_spec
from ictus.render.terminal import lines
from ictus.tuning.candidates import Candidate, TuningCell, Way
from ictus.tuning.outcome import Confirmation, Remedy, Result, Tuning, TuningResult, not_tried, summary, tuned_row
from ictus.tuning.page import tune_page
from ictus.tuning.tables import tune_table

PLACE = Configuration("mpich", "default", 2)


def tuned(operation: str, size: int, ended: str, place: Configuration = PLACE) -> TuningResult:
    """A call whose race ended so, and that nothing came of."""
    return TuningResult(
        TuningCell(place, parse_spec(operation), size), (), 5, 0 if ended == "no time" else 2, 5, ended, None, None
    )


SOME = [
    tuned("scan", 64, "looks"),
    tuned("scan", 128, "no time"),
    *(tuned("gather", size, "no time") for size in (64, 128, 256)),
    tuned("bcast", 64, "no time", Configuration("openmpi", "default", 4)),
    tuned("bcast", 128, "nothing", Configuration("openmpi", "default", 4)),
]


def test_what_the_budget_had_no_time_for_is_counted_and_has_no_rows() -> None:
    """Five calls of seven, by place and operation; what was looked at, or has nothing to try, keeps its row."""
    shown = tune_table(SOME).view("terminal").blocks
    assert [(block.title, block.detail) for block in shown] == [
        ("MPI_Scan", "library mpich, 2 processes"),
        ("MPI_Bcast", "library openmpi, 4 processes"),
    ]
    assert [[row[0].shown for row in block.rows] for block in shown] == [["64 B"], ["128 B"]]
    assert not_tried(SOME) == (
        "5 calls were not tried, because the budget ended (in brackets: sizes). mpich, 2 processes: scan (1), "
        "gather (3); openmpi, 4 processes: bcast (1). --json has each."
    )
    assert not_tried(SOME[:1]) == ""
    assert not_tried(SOME[1:2]).startswith("1 call was not tried")
    assert "of 7 calls" in summary(SOME)
    assert {tuned_row(one)["result"] for one in SOME} == {"nothing-better", "no-time", "nothing-to-try"}


def test_nothing_tried_is_no_empty_table() -> None:
    """Neither is a row that was confirmed after its race had no time now: a tuning that is continued."""
    assert lines(tune_table(SOME[1:4]), 100) == []
    winner = Candidate(Way.ALGORITHM, "scan=linear", Spec("scan"), 128, "scan=linear")
    seen = Confirmation(Remedy(SOME[1].cell, winner, ()), Result.CONFIRMED, 2e-6, 1e-6, 0.5, 0.4, 0.6, 1e-5, (), ())
    confirmed = TuningResult(SOME[1].cell, (), 5, 2, 1, "no time", winner, seen)
    assert len(tune_table([confirmed]).blocks) == 1
    assert not_tried([confirmed]) == ""


def test_the_page_says_it_too() -> None:
    """In its results."""
    found = Tuning("chk", "2026-01-01T00:00:00+00:00", "1.0", tuple(SOME), (), (), (), (), 1.0, 2.0, ())
    page = tune_page(found, "ictus tune chk")
    assert "5 calls were not tried" in page
    assert page.count(">there is nothing to try<") == 1
    assert "not tried: the budget ended" not in page
    assert page.index(">result<") < page.index(">before<") < page.index(">way<")


def test_times_have_room_beside_a_long_result() -> None:
    """At 100 columns the result is shortened before what was measured is left out; at 200 it is whole."""
    cell = TuningCell(PLACE, Spec("reduce_scatter"), 8)
    winner = Candidate(Way.MOCKUP, "reduce_scatter_as_allreduce", Spec("reduce_scatter_as_allreduce"), 8)
    seen = Confirmation(Remedy(cell, winner, ()), Result.STILL_VIOLATED, 2e-6, 1e-6, 0.5, 0.4, 0.6, 1e-5, (), ())
    found = [TuningResult(cell, (), 5, 2, 1, "looks", winner, seen)]
    narrow, wide = ("\n".join(line.plain for line in lines(tune_table(found), width)) for width in (100, 200))
    for text in ("2.00 µs", "1.00 µs", "0.400 … 0.600", "still violated"):
        assert text in narrow
    assert "faster, but still slower than the guideline allows" in wide
