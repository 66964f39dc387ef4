"""launch.json of format 2 and the arrays beside it: of constant size, typed, and refused where something is wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.launch_document import edit_head, launch_document

from ictus.launch.launchers.scenario import Scenario
from ictus.launch.launchers.simulated import Simulated
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.job import Job
from ictus.store.launch_record import read_launch

LAUNCH = "launch ranks={ranks} seed=1 clock=tsc clocksync=hca3 validate=on raw=off block-time=5s output=.\n"
CASE = (
    "case id={id} op={op} size=8 datatype=double operator=sum root=0 procsync=window scheme=per-call "
    "repetition=fixed(10) cache=warm warmup=20\n"
)


def launched(folder: Path, n_ranks: int, n_cases: int) -> Path:
    """The folder of a simulated launch."""
    output = folder / f"0000-a{n_ranks}x{n_cases}"
    output.mkdir()
    lines = [CASE.format(id=number, op="allreduce" if number else "bcast") for number in range(n_cases)]
    (output / "arguments.txt").write_text(LAUNCH.format(ranks=n_ranks) + "".join(lines))
    job = Job(n_ranks, ("ictus-bench", "--plan", "arguments.txt"), output, timeout_s=60.0)
    assert Simulated(Scenario()).run(job).exit_code == 0
    return output


@pytest.fixture
def launch(tmp_path: Path) -> Path:
    """Two ranks, three cases."""
    return launched(tmp_path, 2, 3)


def test_launch_json_grows_with_nothing(tmp_path: Path) -> None:
    """64 ranks for 2, 100 cases for 1: what differs are a few digits of counts and times."""
    sizes = [
        (launched(tmp_path, n_ranks, n_cases) / "launch.json").stat().st_size
        for n_ranks, n_cases in ((2, 1), (64, 1), (2, 100), (64, 100))
    ]
    assert max(sizes) - min(sizes) < 40


def test_a_launch_is_read_as_numpy_reads_it(launch: Path) -> None:
    """Every case and every number of each rank; what does not exist is None or NaN."""
    record, plain = read_launch(launch), launch_document(launch)
    assert [case.operation for case in record.cases] == ["bcast", "allreduce", "allreduce"]
    for case, said in zip(record.cases, plain["cases"], strict=True):
        assert {name: getattr(case, name) for name in said if name not in ("per_rank", "set_up_s")} == {
            name: value for name, value in said.items() if name not in ("per_rank", "set_up_s")
        }
    assert record.cases[0].root == 0
    assert record.cases[0].cache_bytes is None
    assert record.case_ranks.shape == (3, 2)
    assert record.case_ranks["mean_s"].tolist() == [case["per_rank"]["mean_s"] for case in plain["cases"]]
    assert record.clocks.shape == (1, 2)
    assert record.blocks["opening_messages"].tolist() == [plain["blocks"][0]["opening"]["messages"]]
    assert np.isnan(record.blocks["closing_bound_s"]).all()
    assert record.ranks["cpus_allowed"].tolist() == [b"0", b"1"]
    assert [(host.name, host.n_ranks, host.kind["cpu_model"]) for host in record.hosts] == [
        ("simulated", 2, "simulated")
    ]
    assert (record.head.nodes, record.head.ranks_per_node.max, record.head.heap) == (1, 2, "kept")
    assert record.head.machine is None


def test_keys_and_columns_of_a_later_version_are_kept_and_mean_nothing(launch: Path) -> None:
    """A new probe of the machine, a new column: the format stays 2."""
    cases = np.load(launch / "cases.npy")
    wider = np.zeros(cases.shape, [*((name, cases.dtype[name]) for name in cases.dtype.names), ("colour", "S3")])
    for name in cases.dtype.names:
        wider[name] = cases[name]
    np.save(launch / "cases.npy", wider)
    edit_head(launch / "launch.json", machine={"cpu_speed": 1.0}, weather="fine")
    head = read_launch(launch).head
    assert head.machine is not None
    assert (head.machine.model_extra, head.machine.probes) == ({"cpu_speed": 1.0}, ())
    assert (head.model_extra or {})["weather"] == "fine"
    assert len(read_launch(launch).cases) == 3


def without(array: Any, *names: str) -> Any:
    """The array without some columns."""
    kept = [name for name in array.dtype.names if name not in names]
    found = np.zeros(array.shape, [(name, array.dtype[name]) for name in kept])
    for name in kept:
        found[name] = array[name]
    return found


def retyped(array: Any, name: str, dtype: str) -> Any:
    """The array with a column of another type."""
    return array.astype([(one, dtype if one == name else array.dtype[one]) for one in array.dtype.names])


def saved(name: str, change: Callable[[Any], Any]) -> Callable[[Path], object]:
    """Write an array anew."""
    return lambda folder: np.save(folder / name, change(np.load(folder / name)))


def cut(name: str, n_bytes: int) -> Callable[[Path], object]:
    """Cut the end of a file off."""
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:-n_bytes])


def head(**changes: Any) -> Callable[[Path], object]:
    """Change members of launch.json."""
    return lambda folder: edit_head(folder / "launch.json", **changes)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "clocks.npy").unlink(), "clocks.npy: No such file"),
        (cut("cases.npy", 10), "cases.npy is torn: its header says 3 records"),
        (cut("case_ranks.npy", 300), "case_ranks.npy has no header of a NumPy array: it was cut short or damaged"),
        (saved("ranks.npy", lambda ranks: ranks[:1]), "ranks.npy has shape [1], launch.json says [2]"),
        (saved("cases.npy", lambda cases: without(cases, "valid")), "cases.npy: column 'valid' is missing"),
        (
            saved("cases.npy", lambda cases: retyped(cases, "size_bytes", "S8")),
            "cases.npy: column 'size_bytes' holds |S8, expected a whole number",
        ),
        (head(n_ranks="two"), "launch.json: 'n_ranks' is 'two', expected a valid integer"),
        (head(clocksync={"spec": "hca3"}), "launch.json: key 'clocksync.synchronised' is missing"),
        (head(environment=3), "launch.json: 'environment' is 3, expected a valid dictionary"),
        (head(arrays={}), "expected the arrays samples, cases, case_ranks"),
        (head(format=3, ictus="9.9"), "has format 3, this version of Ictus reads 2: it was written by Ictus 9.9"),
    ],
)
def test_what_is_wrong_is_named_with_what_was_expected(
    launch: Path, damage: Callable[[Path], object], message: str
) -> None:
    """File, field, expectation; nothing is read of it."""
    read_launch(launch)
    damage(launch)
    with pytest.raises((MeasurementError, UsageError)) as caught:
        read_launch(launch)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("file", ["../samples.npy", "/etc/passwd", ".hidden.npy", "launch.json"])
def test_no_array_lies_outside_of_its_launch(launch: Path, file: str) -> None:
    """A launch.json of somebody else leads nowhere."""
    arrays = json.loads((launch / "launch.json").read_text())["arrays"]
    edit_head(launch / "launch.json", arrays={**arrays, "ranks": {"file": file, "shape": [2]}})
    with pytest.raises(MeasurementError, match=r"'arrays\.ranks\.file': .*in the launch's own folder"):
        read_launch(launch)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cases": [{"case_id": 0}]}, "cases[0].validated: expected a truth value, found nothing"),
        ({"cases": 3}, "'cases' is 3, expected a valid list"),
        ({"seed": None}, "'seed' is None, expected a valid integer"),
    ],
)
def test_a_broken_launch_of_format_1_names_its_field(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    """Its lists are checked as they become arrays."""
    whole = {"format": 1, "n_ranks": 1, "seed": 1, "clocksync": {"synchronised": True}}
    whole |= {"contention": {"contended": False}, "cases": [], "ranks": []}
    (tmp_path / "launch.json").write_text(json.dumps({**whole, **change}))
    with pytest.raises(MeasurementError) as caught:
        read_launch(tmp_path)
    assert message in str(caught.value)
