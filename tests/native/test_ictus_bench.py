"""ictus-bench itself, launched for real: what it writes, and how it fails."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.launch_document import launch_document
from tests.native.launching import EITHER, LIBRARIES, Ended, on_ranks, start
from tests.native.trees import ROOT, mpi_tree

from ictus.model.launch_arrays import ARRAYS
from ictus.store.launch_record import read_launch

pytestmark = pytest.mark.mpi

DRIFTING = "skewed(base=monotonic,offset=1s,drift=100ppm,seed=2)"


@dataclass(frozen=True)
class Measured:
    """A launch folder read back."""

    launch: dict[str, Any]
    samples: npt.NDArray[np.void]
    raw: npt.NDArray[np.void] | None
    folder: Path


def bench(label: str, n_ranks: int, *words: object, folder: Path, **more: Any) -> Ended:
    """Launch ictus-bench of the test tree."""
    return start(label, n_ranks, mpi_tree(label).folder / "ictus-bench", *words, folder=folder, **more)


def measure(label: str, n_ranks: int, folder: Path, plan: str, **more: Any) -> Measured:
    """Measure a plan (`{output}` is the folder) and read what it left."""
    path = folder / "arguments.txt"
    path.write_text(plan.format(output=folder))
    ended = bench(label, n_ranks, "--plan", path, folder=folder, **more)
    assert ended.exit_code == 0, ended.error
    launch = launch_document(folder)
    raw = np.load(folder / "raw.npy") if (folder / "raw.npy").exists() else None
    return Measured(launch, np.load(folder / "samples.npy"), raw, folder)


PLAN = """\
launch ranks=2 seed=42 clock=tsc clocksync=hca3(span=20ms,fitpoints=50,exchanges=20) raw=on output={output}
# two cases with ids of our own choice
case id=7 op=bcast size=8 repetition=fixed(200) warmup=20 procsync=window
case id=3 op=allreduce size=1024 nrep=100 procsync=barrier(dissemination)
"""


@pytest.fixture(scope="module", params=LIBRARIES)
def measured(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """One launch with raw output on each library."""
    return measure(request.param, 2, tmp_path_factory.mktemp(request.param), PLAN)


def test_our_reader_gives_what_numpy_loads(measured: Measured) -> None:
    """All arrays of a real launch, each case, rank and host; launch.json says which there are."""
    folder = measured.folder
    record, plain = read_launch(folder), measured.launch
    assert [case.case_id for case in record.cases] == [7, 3]
    assert [case.valid for case in record.cases] == [case["valid"] for case in plain["cases"]]
    for name in ("n", "mean_s", "min_s", "max_s", "median_s"):
        assert record.case_ranks[name].tolist() == [case["per_rank"][name] for case in plain["cases"]]
    opening = plain["blocks"][0]["opening"]
    assert record.clocks["slope"].tolist() == [opening["slope"]]
    assert record.blocks["opening_messages"].tolist() == [opening["messages"]]
    assert record.blocks["residual_max_s"][0] == max(map(abs, plain["blocks"][0]["closing"]["residual_s"]))
    assert record.ranks["epoch_ticks"].tolist() == [rank["epoch_ticks"] for rank in plain["ranks"]]
    assert [host.n_ranks for host in record.hosts] == [2]
    assert (record.head.nodes, record.head.ranks_per_node.min, record.head.heap) == (1, 2, "kept")
    assert set(record.head.arrays) == {*ARRAYS, "samples", "raw"}


def test_launch_json_does_not_grow_with_cases(tmp_path: Path) -> None:
    """One case, and twenty: the same keys, lists of the same lengths, and texts that differ in numbers alone."""
    shapes = []
    for n_cases in (1, 20):
        folder = tmp_path / str(n_cases)
        folder.mkdir()
        lines = [
            f"case id={number} op=bcast size=8 repetition=fixed(5) procsync=barrier\n" for number in range(n_cases)
        ]
        quiet = "launch ranks=2 seed=42 clock=monotonic clocksync=none output={output}\n"
        assert len(measure("mpich", 2, folder, quiet + "".join(lines)).launch["cases"]) == n_cases
        text = (folder / "launch.json").read_text("utf-8").replace(str(folder), "")
        document = json.loads(text)
        document |= {"warnings": [], "contention": {}}  # of a disturbed machine
        probes = document["machine"]["probes"]  # by time, so the more the slower the machine is
        assert 1 <= len(probes) <= 16
        del probes[1:]
        shapes.append(re.sub(r"[0-9a-f]{8,}|-?\d[\d.e+-]*|null", "0", json.dumps(document)))
    assert shapes[0] == shapes[1]


def test_samples_are_a_structured_array_with_the_documented_fields(measured: Measured) -> None:
    """Readable by numpy.load alone: names, types and order as in file-format.md."""
    seconds = ("start", "makespan", "local_max", "local_mean", "local_min", "root", "start_skew", "clock_bound")
    expected = [("case_id", "<u4"), ("repetition", "<u4"), ("flags", "<u2"), *((name, "<f8") for name in seconds)]
    assert measured.samples.dtype.descr == expected
    assert measured.samples.dtype.itemsize == 74


def test_every_case_has_the_valid_samples_that_were_asked_for(measured: Measured) -> None:
    """Invalid samples are topped up; attempted, valid, late and long agree with the flags."""
    assert [case["case_id"] for case in measured.launch["cases"]] == [7, 3]
    for case, wanted in zip(measured.launch["cases"], (200, 100), strict=True):
        own = measured.samples[measured.samples["case_id"] == case["case_id"]]
        assert list(own["repetition"]) == list(range(case["attempted"]))
        assert int(np.count_nonzero(own["flags"] == 0)) == case["valid"]
        assert case["valid"] == wanted or case["attempted"] == 3 * wanted
        assert int(np.count_nonzero(own["flags"] & 1)) == case["late"]
        assert int(np.count_nonzero(own["flags"] & 2)) == case["long"]


def test_the_reduction_over_ranks_agrees_with_the_raw_stamps(measured: Measured) -> None:
    """local_max, local_mean, local_min and root recomputed from every rank's ticks."""
    assert measured.raw is not None
    hertz = measured.launch["clock"]["frequency_hz"]
    for case in measured.launch["cases"]:
        own = measured.samples[measured.samples["case_id"] == case["case_id"]]
        stamps = measured.raw[measured.raw["case_id"] == case["case_id"]].reshape(2, -1)
        assert np.array_equal(stamps["rank"][:, 0], [0, 1])
        durations = (stamps["end"] - stamps["start"]) / hertz
        assert np.allclose(own["local_max"], durations.max(axis=0), rtol=1e-12, atol=0)
        assert np.allclose(own["local_mean"], durations.mean(axis=0), rtol=1e-12, atol=0)
        assert np.allclose(own["local_min"], durations.min(axis=0), rtol=1e-12, atol=0)
        assert np.allclose(own["root"], durations[0], rtol=1e-12, atol=0)


def test_makespan_and_skew_agree_with_the_raw_stamps_on_the_global_clock(measured: Measured) -> None:
    """The documented models, opening and closing, put each rank's stamps on the global clock.

    The interpolated model lies between the opening one and the one shifted by the residual, so the recomputed makespan
    may differ from the recorded one by the largest residual.
    """
    assert measured.raw is not None
    (block,) = measured.launch["blocks"]
    hertz = measured.launch["clock"]["frequency_hz"]
    slack = 2 * block["closing"]["residual_max_s"] + 1e-9
    for case in measured.launch["cases"]:
        own = measured.samples[measured.samples["case_id"] == case["case_id"]]
        stamps = measured.raw[measured.raw["case_id"] == case["case_id"]].reshape(2, -1)
        start, end = stamps["start"] / hertz, stamps["end"] / hertz
        slope, intercept = (np.array(block["opening"][key])[:, None] for key in ("slope", "intercept_s"))
        start, end = (local - (slope * local + intercept) for local in (start, end))
        assert np.allclose(own["makespan"], end.max(axis=0) - start.min(axis=0), rtol=0, atol=slack)
        assert np.allclose(own["start_skew"], start.max(axis=0) - start.min(axis=0), rtol=0, atol=slack)
        assert np.allclose(own["start"], start.min(axis=0), rtol=0, atol=slack)


def test_per_rank_summaries_agree_with_the_raw_stamps(measured: Measured) -> None:
    """Over the valid samples, numpy's mean, min, max and median."""
    assert measured.raw is not None
    hertz = measured.launch["clock"]["frequency_hz"]
    for case in measured.launch["cases"]:
        own = measured.samples[measured.samples["case_id"] == case["case_id"]]
        stamps = measured.raw[measured.raw["case_id"] == case["case_id"]].reshape(2, -1)
        durations = ((stamps["end"] - stamps["start"]) / hertz)[:, own["flags"] == 0]
        ranks = case["per_rank"]
        assert ranks["n"] == [durations.shape[1]] * 2
        for key, of in (("mean_s", np.mean), ("min_s", np.min), ("max_s", np.max), ("median_s", np.median)):
            assert np.allclose(ranks[key], of(durations, axis=1), rtol=1e-12, atol=0), key


def test_the_factors_are_recorded(measured: Measured) -> None:
    """Library, clock in full form, hosts, pinning really in force, contention: nothing that mattered is missing."""
    launch = measured.launch
    assert launch["n_ranks"] == 2
    assert launch["seed"] == 42
    assert "MPI" in launch["mpi"]["library_version"]
    assert launch["clocksync"]["spec"].startswith("hca3(drift=regression(fitpoints=50,span=20ms,")
    assert launch["clock"]["frequency_hz"] > 1e6
    assert len({rank["cpus_allowed"] for rank in launch["ranks"]}) == 2, "one core each"
    assert [rank["rank"] for rank in launch["ranks"]] == [0, 1]
    assert {rank["keeps_freed_memory"] for rank in launch["ranks"]} == {True}, "glibc, as it comes"
    assert all(rank["page_faults"] >= 0 for rank in launch["ranks"])
    assert sum(host["n_ranks"] for host in launch["hosts"]) == 2
    assert launch["contention"]["oversubscribed"] is False
    assert launch["core"]["compiler"].startswith(("gcc", "clang", "Clang"))


@pytest.mark.parametrize("extrapolated", [False, True])
@pytest.mark.parametrize("label", EITHER)
def test_stamps_are_mapped_by_the_interpolated_model(label: str, extrapolated: bool, tmp_path: Path) -> None:
    """Under 100 ppm an offset alone is wrong by tens of us at the block's end; the makespans stay those of the call.

    hca3-offset knows no drift, so the extrapolated clock of rank 1 is off by drift x time when the block closes. Of the
    barrier-started samples the last ones would show it in full, were it not for the closing measurement; with
    `extrapolate` they do.
    """
    algorithm = "hca3-offset(exchanges=50)"
    clocksync = f"extrapolate({algorithm})" if extrapolated else algorithm
    plan = (
        f"launch ranks=2 clock={DRIFTING} clocksync={clocksync} block-time=60s output={{output}}\n"
        "case id=0 op=barrier size=0 nrep=300000 procsync=none\n"
        "case id=1 op=bcast size=8 nrep=500 procsync=barrier\n"
    )
    got = measure(label, 2, tmp_path, plan)
    (block,) = got.launch["blocks"]
    residual = block["closing"]["residual_max_s"]
    last = got.samples[got.samples["case_id"] == 1]
    assert residual > 2e-6, "the drift must have shown for this test to say anything"
    error = np.median(last["makespan"] - last["local_max"])
    assert (error > 3 * residual / 4) if extrapolated else (error < residual / 4)
    mapped = block["closing"]["interpolated_residual_max_s"]
    assert (mapped > 3 * residual / 4) if extrapolated else (mapped < residual / 4)


@pytest.mark.parametrize(("resync", "anew"), [("60s", 1), ("0s", 3)])
def test_each_block_opens_with_what_the_one_before_it_closed_with(resync: str, anew: int, tmp_path: Path) -> None:
    """Under drift a block that kept the first offset would be wrong by all the time since; synchronised anew when due.

    Cases of some 50 ms each, one a block: with 172 ppm the first offset is 8 us more wrong after each.
    """
    head = f"launch ranks=2 clock={DRIFTING} clocksync=hca3-offset(exchanges=50) block-time=0 resync-time={resync} "
    cases = [f"case id={index} op=barrier size=0 nrep=300000 procsync=none warmup={20 + index}\n" for index in range(3)]
    got = measure("mpich", 2, tmp_path, head + "output={output}\n" + "".join(cases))
    blocks = got.launch["blocks"]
    assert [case["block"] for case in got.launch["cases"]] == [0, 1, 2]
    assert sum(block["opening"]["messages"] > 0 for block in blocks) == anew
    residuals = [block["closing"]["residual_s"][1] for block in blocks]
    # From one calibration to the next; without a new one that includes the time in which the block before was written.
    ends = [case["started_s"] + case["elapsed_s"] for case in got.launch["cases"]]
    lengths = [case["elapsed_s"] for case in got.launch["cases"]]
    if anew == 1:
        lengths[1:] = [ends[1] - ends[0], ends[2] - ends[1]]
    rates = [residual / length for residual, length in zip(residuals, lengths, strict=True)]
    assert min(abs(rate) for rate in rates) > 50e-6, "the drift must have shown for this test to say anything"
    assert max(rates) - min(rates) < 0.5 * abs(rates[0]), "a residual that held earlier blocks would grow with each"


def test_extrapolated_blocks_keep_the_model_until_clocks_are_synchronised_again(tmp_path: Path) -> None:
    """What was learnt before the first block is in force in the third, where it has become more wrong."""
    head = f"launch ranks=2 clock={DRIFTING} clocksync=extrapolate(hca3-offset(exchanges=50)) block-time=0 "
    cases = [f"case id={index} op=barrier size=0 nrep=300000 procsync=none warmup={20 + index}\n" for index in range(3)]
    blocks = measure("mpich", 2, tmp_path, head + "output={output}\n" + "".join(cases)).launch["blocks"]
    assert [block["opening"]["messages"] > 0 for block in blocks] == [True, False, False]
    models = [(block["opening"]["slope"], block["opening"]["intercept_s"]) for block in blocks]
    assert models[0] == models[1] == models[2]
    first, *_, last = [abs(block["closing"]["residual_s"][1]) for block in blocks]
    assert first > 2e-6, "the drift must have shown for this test to say anything"
    assert last > 2 * first


def test_a_block_runs_by_the_drift_that_the_one_before_it_showed(tmp_path: Path) -> None:
    """Two offsets a block apart tell the drift: what some exchanges cannot tell from none, the second block knows. A
    launch whose exchanges do tell it says nothing, and another one is measured.
    """
    head = f"launch ranks=2 clock={DRIFTING} clocksync=ictus(span=0,fitpoints=3,exchanges=10) block-time=0 "
    cases = [f"case id={index} op=barrier size=0 nrep=300000 procsync=none warmup={20 + index}\n" for index in range(3)]
    for number in range(5):
        folder = tmp_path / str(number)
        folder.mkdir()
        got = measure("mpich", 2, folder, head + "output={output}\n" + "".join(cases))
        first, *later = [abs(block["closing"]["residual_s"][1]) for block in got.launch["blocks"]]
        if first > 5e-6:
            break
    assert first > 5e-6, "the drift must have shown for this test to say anything"
    assert max(later) < first / 4


@pytest.mark.beside
@pytest.mark.parametrize("label", LIBRARIES)
def test_without_synchronisation_the_headline_is_local(label: str, tmp_path: Path) -> None:
    """No global time: makespan and start skew are NaN, and the headline says local_max."""
    plan = (
        "launch ranks=2 clocksync=none output={output}\ncase id=0 op=scan size=64 nrep=50 procsync=barrier(library)\n"
    )
    got = measure(label, 2, tmp_path, plan)
    assert got.launch["cases"][0]["headline"] == "local_max"
    assert got.launch["blocks"][0]["closing"] is None
    assert np.isnan(got.samples["makespan"]).all()
    assert np.isnan(got.samples["start_skew"]).all()
    assert (got.samples["local_max"] > 0).all()


@pytest.mark.parametrize(("label", "n_ranks"), on_ranks(1, 2, 3, 5, 8))
def test_every_operation_is_measured_at_every_number_of_ranks(label: str, n_ranks: int, tmp_path: Path) -> None:
    """All operations, sizes from 0 bytes, validated; oversubscribed ranks come to an end."""
    operations = _available(label, tmp_path)
    lines = [
        f"case id={index} op={name} size={size} nrep=5 procsync=barrier warmup=2"
        for index, (name, size) in enumerate((name, size) for name in operations for size in (0, 8, 4096))
        if size == 0 or name not in {"barrier", "ibarrier", "barrier_init", "empty"}
    ]
    head = f"launch ranks={n_ranks} clocksync=hca3-offset output={{output}}\n"
    got = measure(label, n_ranks, tmp_path, head + "\n".join(lines))
    assert len(got.launch["cases"]) == len(lines)
    assert all(case["valid"] == 5 and case["validated"] for case in got.launch["cases"])
    assert got.launch["contention"]["oversubscribed"] is (n_ranks > 2 and len(_cpus(got)) < n_ranks)


def _available(label: str, folder: Path) -> list[str]:
    """The operations that the library has, those that are made of others with some."""
    answer = json.loads(bench(label, 1, "availability", folder=folder).output)
    made_of = {"repeated": "repeated(bcast,3)", "sequence": "sequence(gather,bcast)"}
    return [made_of.get(one["name"], one["name"]) for one in answer["operations"] if one["available"]]


def _cpus(got: Measured) -> set[str]:
    return {rank["cpus_allowed"] for rank in got.launch["ranks"]}


@pytest.mark.beside
@pytest.mark.parametrize("label", LIBRARIES)
def test_a_wrong_result_ends_the_launch_and_names_the_element(label: str, tmp_path: Path) -> None:
    """Behind a library that flips one byte, no latency is reported: exit code 3, operation, rank, expected, found."""
    spoiler = {
        "LD_PRELOAD": str(mpi_tree(label).folder / "libictus-flip.so"),
        "ICTUS_FLIP_OPERATION": "MPI_Bcast",
        "ICTUS_FLIP_RANK": "1",
        "ICTUS_FLIP_MODE": "flip",
    }
    words = ("--op", "allreduce,bcast", "--sizes", "64", "--nrep", "10", "--output", tmp_path)
    ended = bench(label, 2, *words, folder=tmp_path, environment=spoiler)
    assert ended.exit_code == 3
    assert "wrong result of MPI_Bcast with 64 bytes" in ended.error
    assert not (tmp_path / "launch.json").exists()
    error = json.loads((tmp_path / "error.1.json").read_text("utf-8"))
    assert (error["rank"], error["kind"]) == (1, "measurement")
    assert "element" in error["message"]
    assert "expected" in error["message"]
    assert not (tmp_path / "error.0.json").exists(), "the rank that is right says nothing"


@pytest.mark.beside
@pytest.mark.parametrize("label", LIBRARIES)
def test_a_launcher_of_single_processes_is_found_out(label: str, tmp_path: Path) -> None:
    """Asked for 3 ranks but started with 1: the launch fails instead of leaving plausible numbers."""
    ended = bench(label, 1, "--ranks", 3, "--op", "bcast", "--sizes", 8, folder=tmp_path)
    assert ended.exit_code == 3
    assert "asked for 3 ranks, but MPI_COMM_WORLD has 1" in ended.error


MISTAKES = {
    "--op bcst": "unknown operation 'bcst'; known are allgather,",
    "--nrep x": "'x' is not a whole number",
    "--foo 1": "unknown option '--foo'",
    "--clocksync hca3(fitpoint=3)": "unknown parameter 'fitpoint'; known are drift, offset",
    "--procsync window(size=0)": "0 is below the least value",
    "--op allreduce --datatype byte": "operator 'sum' is not defined on datatype 'byte'; defined are",
    "--sizes 12": "the nearest are 8 and 16",
    "--clocksync none": "procsync 'window' needs a global time",
    "--root 5": "root 5",
    "--op bcast --nrep": "option '--nrep' needs a value",
    "--op bcast --raw": "option 'raw' needs --output",
    "--nrep 1 --plan x": "'--plan'",
    "--plan x --nrep 1": "'--plan FILE' takes no other option",
    "zzz": "unexpected argument 'zzz'",
    "--datatype real": "unknown datatype 'real'",
    "--plan /nowhere/plan": "cannot read '/nowhere/plan'",
}


@pytest.mark.beside
@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_named_once_with_what_is_allowed(words: str, tmp_path: Path) -> None:
    """Exit code 2, one message, no launch."""
    ended = bench("mpich", 2, *words.split(), folder=tmp_path)
    assert ended.exit_code == 2, ended.output + ended.error
    assert ended.error.count("ictus-bench: ") == 1, ended.error
    assert MISTAKES[words] in ended.error


@pytest.mark.beside
@pytest.mark.parametrize("label", LIBRARIES)
def test_two_cases_of_one_id_are_refused(label: str, tmp_path: Path) -> None:
    """Their samples could not be told apart."""
    plan = tmp_path / "plan"
    plan.write_text("launch ranks=2\ncase id=1 op=bcast size=8\ncase id=1 op=scan size=8\n")
    ended = bench(label, 2, "--plan", plan, folder=tmp_path)
    assert ended.exit_code == 2
    assert "two cases have the id 1" in ended.error


@pytest.mark.beside
@pytest.mark.parametrize("label", LIBRARIES)
def test_rank_0_reads_the_plan_for_all(label: str, tmp_path: Path) -> None:
    """As on a host that does not see the file; one that rank 0 does not see ends the launch."""
    plan = tmp_path / "plan"
    plan.write_text("launch ranks=2\ncase id=1 op=bcast size=8 repetition=fixed(5)\n")
    program = mpi_tree(label).folder / "ictus-bench"
    for first, second in ((plan, tmp_path / "nowhere"), (tmp_path / "nowhere", plan)):
        ended = start(label, 1, program, "--plan", first, ":", "-n", 1, program, "--plan", second, folder=tmp_path)
        assert (ended.exit_code == 0) == (first == plan), ended.error
        assert ("bcast" in ended.output) == (first == plan)
        assert ("cannot read" in ended.error) == (first != plan)


@pytest.mark.beside
def test_another_heap_than_the_plan_s_is_refused(tmp_path: Path) -> None:
    """The heap is set before MPI starts, the plan read after: they must say the same."""
    plan = tmp_path / "plan"
    plan.write_text("launch ranks=2 heap=returned\ncase id=1 op=bcast size=8 repetition=fixed(5)\n")
    words = ("--plan", plan, "--heap", "returned")
    assert bench("mpich", 2, *words, folder=tmp_path).exit_code == 0
    ended = bench("mpich", 2, *words[:2], folder=tmp_path)
    assert ended.exit_code == 2
    assert f"Put '--heap returned' after '--plan {plan}'" in ended.error


@pytest.mark.beside
@pytest.mark.parametrize("label", LIBRARIES)
def test_alone_it_prints_a_readable_table(label: str, tmp_path: Path) -> None:
    """Without a plan: a header that says what the numbers are, one row a case, sizes that collapse named."""
    ended = bench(label, 2, "--op", "bcast,alltoall", "--sizes", "8..32", "--nrep", 20, folder=tmp_path)
    lines = ended.output.splitlines()
    assert ended.exit_code == 0, ended.error
    assert [line.split()[0] for line in lines if not line.startswith("#")] == ["operation"] + 3 * ["bcast"] + 2 * [
        "alltoall"
    ]
    assert any("makespan" in line for line in lines if line.startswith("#"))
    assert "alltoall of 8 B and of 16 B move the same blocks at 2 ranks: measured once" in ended.error


@pytest.mark.beside
def test_describe_is_what_the_package_ships(tmp_path: Path) -> None:
    """The registries of every build are the committed describe.json, byte for byte."""
    for label in LIBRARIES:
        ended = bench(label, 1, "describe", folder=tmp_path)
        assert ended.output == (ROOT / "src/ictus/model/describe.json").read_text("utf-8")


@pytest.mark.beside
@pytest.mark.parametrize("label", LIBRARIES)
def test_a_full_or_missing_folder_is_an_error_that_names_it(label: str, tmp_path: Path) -> None:
    """Nothing is measured into nowhere."""
    nowhere = tmp_path / "nowhere"
    ended = bench(label, 2, "--op", "bcast", "--sizes", 8, "--output", nowhere, folder=tmp_path)
    assert ended.exit_code == 3
    assert str(nowhere) in ended.error


@pytest.mark.beside
def test_raw_stamps_in_several_pieces_are_all_there(tmp_path: Path) -> None:
    """Rank 0 receives 2^18 records at once: of 140,000 repetitions of two ranks, the last 8,928 come later."""
    plan = """\
launch ranks=2 clocksync=none raw=on output={output}
case id=0 op=empty size=0 nrep=140000 procsync=none
"""
    raw = measure("mpich", 2, tmp_path, plan).raw
    assert raw is not None
    first = (1 << 18) // 2
    assert raw["rank"].tolist() == [0] * first + [1] * first + [0] * (140_000 - first) + [1] * (140_000 - first)
    assert raw["repetition"][: 2 * first].tolist() == [*range(first)] * 2
    assert raw["repetition"][2 * first :].tolist() == [*range(first, 140_000)] * 2
