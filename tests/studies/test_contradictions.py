"""A kept study whose lists contradict each other: the error names the field, not the study alone."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.clock_documents import accuracy, drift, frequency
from tests.command_line import Ictus
from tests.skew_documents import launch, start
from tests.studies.overlap.test_overlap import TIME, run, written

from ictus.model.errors import MeasurementError
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.exit_skew.record import SkewDocument
from ictus.studies.overlap.record import OverlapAnswer

Change = Callable[[Any], object]


def pop(*path: str | int) -> Change:
    """Removes the last value of the list at a path."""

    def change(document: Any) -> None:
        for step in path:
            document = document[step]
        document.pop()

    return change


def put(value: object, *path: str | int) -> Change:
    """Sets what is at a path."""

    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = value

    return change


def checked() -> dict[str, Any]:
    return accuracy(3, (0, 1), [("hca3", 0.5, 12, [[0, 1, 2]] * 2, [[0, 4, 4]] * 2)])


def skewed() -> dict[str, Any]:
    return launch(2, [start("barrier(algorithm=library)", [[0, 1], [0, 2]], [[0, 1], [0, 2]])])


def overlapped() -> dict[str, Any]:
    return dict(written([run(0, "none", None, TIME, 0.0)])[0])


CLOCKS: list[tuple[Callable[[], dict[str, Any]], Change, str]] = [
    (checked, pop("waits_s"), "synchronisations.0.known.error_s has 2 values, expected 1, one for each wait"),
    (checked, pop("synchronisations", 0, "known", "error_s", 1), "synchronisations.0.known.error_s.1 has 2 values"),
    (checked, pop("synchronisations", 0, "known", "bound_s"), "synchronisations.0.known.bound_s has 1 values"),
    (checked, put(1, "synchronisations", 0, "algorithm"), "synchronisations.0.algorithm is 1, expected a place"),
    (checked, put(-1, "synchronisations", 0, "algorithm"), "synchronisations.0.algorithm is -1"),
    (lambda: drift({1: [0, 1, 2]}), pop("series", 0, "offset_s"), "series.0': offset_s has 2 values, expected 3"),
    (lambda: drift({1: [0, 1, 2]}), put([], "series", 0, "at_s"), "series.0': at_s is empty"),
    (lambda: drift({1: [0, 1, 2]}), put(2, "series", 0, "rank"), "series.0.rank is 2, expected 0 to 1"),
    (lambda: drift({1: [0, 1, 2]}), put(-1, "fits", 0, "rank"), "fits.0.rank is -1, expected 0 to 1"),
    (lambda: drift({1: [0, 1, 2]}), pop("fits", 0, "slope_error"), "fits.0': slope_error has 0 values, expected 1"),
    (lambda: frequency(2e9, [[2e9]] * 2, [[2e9]] * 2), pop("stated_source"), "stated_source has 1 values, expected 2"),
    (lambda: frequency(2e9, [[2e9]] * 2, [[2e9]] * 2), pop("calibrations", 1, "hz"), "calibrations.1.hz has 1 values"),
]


@pytest.mark.parametrize(("made", "change", "said"), CLOCKS, ids=lambda one: one if isinstance(one, str) else "")
def test_a_study_of_clocks_names_the_field(made: Callable[[], dict[str, Any]], change: Change, said: str) -> None:
    """The file, the launch, the list, its length and what was expected."""
    document = made()
    ClocksStudy.parse({"format": 1, "launches": [made()]}, "clocks.json")
    change(document)
    with pytest.raises(MeasurementError, match=r"^clocks.json: 'launches\.0") as refused:
        ClocksStudy.parse({"format": 1, "launches": [document]}, "clocks.json")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (pop("starts", 0, "measured", "exit", "mean_s"), "starts.0.measured.exit.mean_s has 1 values, expected 2"),
        (pop("starts", 0, "true", "entry", "sd_s"), "starts.0.true.entry.sd_s has 1 values, expected 2"),
        (
            pop("starts", 0, "true", "exit", "skew_s"),
            "starts.0.true.exit.skew_s has 1 values, expected 2, one for each",
        ),
        (put(3, "starts", 0, "valid"), "starts.0.measured.duration_s has 2 values, expected 3"),
    ],
)
def test_a_study_of_skew_names_the_field(change: Change, said: str) -> None:
    """Likewise."""
    document = skewed()
    SkewDocument.parse({"format": 1, "launches": [skewed()]}, "skew.json")
    change(document)
    with pytest.raises(MeasurementError, match=r"^skew.json: 'launches\.0") as refused:
        SkewDocument.parse({"format": 1, "launches": [document]}, "skew.json")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "path", [("threads",), ("cases", 0, "runs", 0, "alone_s"), ("cases", 0, "runs", 0, "mean", "total_s")]
)
def test_a_study_of_overlap_names_the_field(path: tuple[str | int, ...]) -> None:
    """Likewise, in the document of each launch."""
    document = json.loads(json.dumps(overlapped()))
    n_ranks = OverlapAnswer.parse(document, "overlap.json").n_ranks
    pop(*path)(document)
    with pytest.raises(
        MeasurementError, match=rf"^overlap.json: .*{'.'.join(map(str, path))} has {n_ranks - 1} values"
    ):
        OverlapAnswer.parse(document, "overlap.json")


def test_the_command_says_so(ictus: Ictus, tmp_path: Path) -> None:
    """One line, exit code 3."""
    document = drift({1: [0, 1, 2]})
    pop("series", 0, "bound_s")(document)
    (tmp_path / "clocks.json").write_text(json.dumps({"format": 1, "study": "drift", "launches": [document]}))
    answer = ictus("clocks", "drift", "clocks.json")
    assert answer.code == 3
    assert "'launches.0.series.0': bound_s has 2 values, expected 3, one for each instant" in " ".join(
        answer.err.split()
    )
