"""From a campaign's cases and summaries to series by place and operation."""

from dataclasses import replace
from math import isnan, nan

import pytest
from tests.guidelines.measurements import HERE, measured, series

from ictus.guidelines.measured import LaunchMedian, MeasuredCell, gather_medians
from ictus.guidelines.verdict import Configuration
from ictus.model.call import BASIC
from ictus.model.case import Case, expand
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.spec import Spec, parse_spec

REGISTRIES = Registries.load()
US = 1e-6


def cases(**changed: object) -> tuple[Case, ...]:
    """Of a plan at four processes: 3 and 4 B of gather are one case, 3 and 4 B of bcast two."""
    plan = {"operations": ("gather", "bcast"), "sizes": (3, 4), "processes": (4,), "datatype": "byte", **changed}
    return expand(Plan(**plan), REGISTRIES).cases


def rows(found: tuple[Case, ...], *launches: int) -> list[LaunchMedian]:
    """Of two libraries, all medians different."""
    return [
        LaunchMedian(library, "default", case.case_id, launch, (1 + case.case_id + launch / 10) * US)
        for library in ("mpich", "openmpi")
        for case in found
        for launch in launches
    ]


def test_series_by_place_and_operation() -> None:
    """Every median where its library, operation, size and launch are."""
    found = cases()
    by_cell = gather_medians(found, rows(found, 0, 7), REGISTRIES)
    assert by_cell.places == (Configuration("mpich", "default", 4), Configuration("openmpi", "default", 4))
    small, large = by_cell.sizes(by_cell.places[1], Spec("bcast"), BASIC)
    assert (small.size_bytes, small.moved_bytes, small.step_bytes) == (3, 3, 1)
    number = next(case.case_id for case in found if case.operation == Spec("bcast") and case.size_bytes == 3)
    assert small.medians_s == {0: (1 + number) * US, 7: (1 + number + 0.7) * US}
    assert large.size_bytes == 4


def test_merged_sizes_are_found_at_the_one_that_was_measured() -> None:
    """Four blocks of one byte stand for every size up to 4 B, of four doubles for 8 to 32 B."""
    found = cases()
    by_cell = gather_medians(found, rows(found, 0), REGISTRIES)
    place = by_cell.places[0]
    (only,) = by_cell.sizes(place, Spec("gather"), BASIC)
    assert (only.size_bytes, only.moved_bytes, only.step_bytes) == (4, 4, 4)
    assert [by_cell.at(place, Spec("gather"), BASIC, size) for size in (1, 3, 4, 5)] == [only, only, only, None]
    assert by_cell.at(place, Spec("bcast"), BASIC, 5) is None
    doubles = cases(datatype="double", sizes=(24, 32, 40))
    first, second = gather_medians(doubles, rows(doubles, 0), REGISTRIES).sizes(place, Spec("gather"), BASIC)
    assert (first.size_bytes, first.moved_bytes, first.step_bytes) == (32, 32, 32)
    assert [first.stands_for(size) for size in (8, 32, 40)] == [True, True, False]
    assert [second.stands_for(size) for size in (32, 40, 64, 72)] == [False, True, True, False]


def test_what_was_planned_and_not_measured_is_there_without_data() -> None:
    """A case without any row, and rows without a median: so that it is said, and not passed over."""
    found = cases()
    some = [replace(row, median_s=None) if row.launch == 1 else row for row in rows(found, 0, 1)]
    some = [row for row in some if row.library == "mpich" or row.case_id == 0]
    by_cell = gather_medians(found, some, REGISTRIES)
    one = by_cell.sizes(Configuration("mpich", "default", 4), Spec("bcast"), BASIC)[0]
    assert list(one.medians_s) == [0]
    nothing = by_cell.sizes(Configuration("openmpi", "default", 4), Spec("bcast"), BASIC)[0]
    assert nothing.medians_s == {}
    assert nothing.n_launches == 0
    assert isnan(nothing.median_s)


def test_processes_are_kept_apart() -> None:
    """The same operation at two numbers of processes is in two places."""
    found = cases(processes=(2, 4), operations=("bcast",), sizes=(8,))
    by_cell = gather_medians(found, rows(found, 0), REGISTRIES)
    assert set(by_cell.series) == {
        MeasuredCell(Configuration(library, "default", n), Spec("bcast"))
        for library in ("mpich", "openmpi")
        for n in (2, 4)
    }


def test_composed_operations_are_matched_by_what_they_move() -> None:
    """Calls in a row are merged as the call is; a sequence of a message and blocks is measured at every size."""
    names = (parse_spec("repeated(operation=gather,times=2)"), parse_spec("sequence(gather,bcast)"))
    found = cases(operations=names, sizes=(3, 4, 8))
    by_cell = gather_medians(found, rows(found, 0), REGISTRIES)
    place = by_cell.places[0]
    split = by_cell.sizes(place, names[0], BASIC)
    assert [(one.size_bytes, one.moved_bytes, one.step_bytes) for one in split] == [(4, 4, 4), (8, 8, 4)]
    assert by_cell.at(place, names[0], BASIC, 3) is split[0]
    assert [one.size_bytes for one in by_cell.sizes(place, names[1], BASIC)] == [3, 4, 8]


def test_two_ways_of_measuring_one_thing_are_refused() -> None:
    """Which is the factor, and its values."""
    found = cases(cache=("warm", "cold-memset"))
    with pytest.raises(UsageError, match=r"gather was measured with cache = warm.* and cold-memset"):
        gather_medians(found, rows(found, 0), REGISTRIES)


@pytest.mark.parametrize(("times", "median"), [([3, 1, 2], 2), ([1, nan, 3], 2), ([], nan), ([1, 0], nan), ([-1], nan)])
def test_the_median_over_launches_is_of_possible_times(times: list[float], median: float) -> None:
    """NaN is no launch; a time of 0 or less spoils the series."""
    assert series(8, times).median_s == pytest.approx(median, nan_ok=True)


def test_an_operation_that_was_not_planned_has_no_sizes() -> None:
    assert measured({}).sizes(HERE, Spec("bcast"), BASIC) == ()
    assert measured({}).at(HERE, Spec("bcast"), BASIC, 8) is None
