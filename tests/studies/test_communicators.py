"""What making communicators costs: rows of known launches, sentences, a kept study shown again, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Ictus

from ictus.model.errors import MeasurementError
from ictus.studies.communicators.analysis import summarise
from ictus.studies.communicators.record import CommunicatorsDocument
from ictus.studies.communicators.tables import creation_sentences

US = 1e-6
KEPT = Path(__file__).parents[1] / "data/format1/clocks-drift/clocks.json"


def creation(call: str, groups: int, makespan_us: list[float], n: int) -> dict[str, Any]:
    """One call of a launch."""
    return {
        "call": call, "mpi_name": f"MPI_Comm_{call.replace('-', '_')}", "groups": groups, "largest": -(-n // groups),
        "attempted": len(makespan_us) + 1, "valid": len(makespan_us), "makespan_s": [one * US for one in makespan_us],
    }  # fmt: skip


def document(launches: int = 6) -> dict[str, Any]:
    """As `ictus communicators` keeps it, of 1 and 2 processes. In launch i, from 1 on, a split takes i, 2 i and 9 i us
    of one process, of two twice as long, and into two groups ten times as long again; a duplicate takes 5 us.
    """
    kept = json.loads(KEPT.read_text())["launches"][0]
    made = []
    for i in range(1, launches + 1):
        for n in (1, 2):
            split = [n * i, 2 * n * i, 9 * n * i]
            calls = [creation("split", 1, split, n)]
            calls += [creation("split", 2, [10.0 * one for one in split], n)] if n > 1 else []
            calls.append(creation("dup", 1, [5.0] * 3, n))
            own = {"procsync": "window(batch=1)", "nrep": 3, "clock_bound_s": i * 1e-9, "creations": calls}
            made.append({**kept, "study": "communicators", "n_ranks": n, "warnings": [], **own})
    return {"format": 2, "study": "communicators", "launches": made}


def test_a_launch_counts_once_by_its_median() -> None:
    """By hand: medians of launches are 2, 4, ... 12 us, whose median is 7; of six launches their interval has all."""
    rows = summarise(CommunicatorsDocument.parse(document(), "x").launches)
    found = {(row.n, row.call, row.groups): row for row in rows}
    assert list(found) == [(1, "split", 1), (1, "dup", 1), (2, "split", 1), (2, "split", 2), (2, "dup", 1)]
    one = found[1, "split", 1]
    assert one.cost_s is not None
    assert (one.cost_s.median, one.cost_s.low, one.cost_s.high) == pytest.approx((7 * US, 2 * US, 12 * US))
    assert one.p95_s == pytest.approx(3.5 * (2 + 0.9 * 7) * US)  # between 2 and 9, nine tenths of the way
    assert (one.launches, one.attempted, one.valid, one.largest) == (6, 24, 18, 1)
    assert one.clock_bound_s == pytest.approx(6e-9)
    assert found[2, "split", 2].largest == 1
    assert found[2, "split", 1].largest == 2


def test_the_answer_names_the_quickest_and_the_slowest() -> None:
    """For each number of processes; a call without a valid repetition has no part in it."""
    made = document()
    for launch in made["launches"]:
        launch["creations"].append(creation("create", 1, [], launch["n_ranks"]))
    rows = summarise(CommunicatorsDocument.parse(made, "x").launches)
    assert creation_sentences(rows) == [
        "openmpi, 1 process: MPI_Comm_dup takes 5.00 µs, the least; MPI_Comm_split 7.00 µs, the most.",
        "openmpi, 2 processes: MPI_Comm_dup takes 5.00 µs, the least; MPI_Comm_split into 2 groups 140 µs, the most.",
    ]
    (none,) = [row for row in rows if (row.n, row.call) == (1, "create")]
    assert (none.cost_s, none.p95_s, none.launches, none.attempted) == (None, None, 0, 6)


@pytest.mark.figures
def test_a_kept_study_is_shown_again_and_as_rows(ictus: Ictus, tmp_path: Path) -> None:
    """Table, rows, and a page with a figure over groups for each number of processes and one over processes."""
    (tmp_path / "communicators.json").write_text(json.dumps(document()))
    shown = ictus("communicators", "communicators.json", "-o", "kept")
    assert shown.code == 0, shown.err
    assert "2 processes  6 launches; first begin to last end" in shown.out
    rows = json.loads(ictus("communicators", "kept", "--json").out)["rows"]
    assert rows[0]["cost_s"] == pytest.approx(7 * US)
    assert (rows[0]["cost_low_s"], rows[0]["cost_high_s"]) == pytest.approx((2 * US, 12 * US))
    page = (tmp_path / "kept/report.html").read_text()
    assert "What making communicators costs" in page
    assert "MPI_Comm_split, 2 groups: 140" in page
    assert "MPI_Comm_split, 1 group: 14.0" in page
    assert len(list((tmp_path / "kept/figures").iterdir())) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--groups", "0"), "--groups '0': expected whole numbers of 1 or more, such as 2 or 2,4,8"),
        (("--groups", "1,3"), "--groups '3': of 2 processes there are at most 2 groups"),
        (("--calls", "merge"), "--calls 'merge': expected one of split, create"),
        (("--platform", "flat"), "the simulator, and not a library, makes the communicators"),
    ],
)
def test_what_cannot_be_measured_is_refused_by_name(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Before anything is looked for or built."""
    answer = ictus("communicators", *words)
    assert (answer.code, said in answer.err) == (2, True), answer.err


def test_a_damaged_study_names_the_place() -> None:
    """A list of another length than the valid repetitions."""
    broken = document(1)
    broken["launches"][0]["creations"][0]["makespan_s"].pop()
    with pytest.raises(MeasurementError, match=r"there\.json: .*creations\.0\.makespan_s"):
        CommunicatorsDocument.parse(broken, "there.json")
