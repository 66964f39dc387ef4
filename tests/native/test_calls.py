"""How an operation is called, on real ranks: the core counts as Python does, validates every way, and keeps ranks that
rest out of the latency.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.launch_document import launch_document
from tests.native.launching import EITHER, LIBRARIES, Ended, on_ranks, start
from tests.native.trees import mpi_tree

from ictus.model.arguments import arguments_text
from ictus.model.case import Case, case_table, expand
from ictus.model.design import Slot
from ictus.model.plan import Plan
from ictus.model.registries import Registries

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

OPERATIONS = (
    "bcast",
    "gather_init",
    "iallreduce",
    "neighbor_alltoall",
    "exchange",
    "allgatherv",
    "repeated(gatherv,2)",
    "sequence(exchange,reduce,barrier)",
)


def bench(label: str, n_ranks: int, *words: object, folder: Path, **more: Any) -> Ended:
    """Launch ictus-bench of the test tree."""
    return start(label, n_ranks, mpi_tree(label).folder / "ictus-bench", *words, folder=folder, **more)


def crossed(n: int) -> tuple[Plan, tuple[Case, ...]]:
    """A plan with all of it at `n` ranks."""
    halves = ["halves"] if n > 1 else []
    plan = Plan.from_values(
        {
            "op": list(OPERATIONS),
            "sizes": 480,
            "n": n,
            "comm": ["world", "reversed", "hosts(1)", *halves],
            "root": "0,rotating",
            "in-place": "no,yes",
            "layout": "basic,indexed(2,3)",
            "operator": "user(sum)",
            "procsync": "barrier",
            "clocksync": "none",
            "repetition": "fixed(3)",
            "warmup": 1,
        }
    )
    registries = Registries.load()
    return plan.checked(registries), expand(plan, registries).cases


@pytest.mark.parametrize(("label", "n"), on_ranks(1, 2, 3, 5))
def test_the_core_counts_as_python_does_and_validates_every_way(label: str, n: int, tmp_path: Path) -> None:
    """All ways crossed in one launch, odd halves among them: block, volume, and who called, in every case."""
    plan, cases = crossed(n)
    slot = Slot(0, 0, label, n, 1, tuple(case.case_id for case in cases))
    (tmp_path / "arguments.txt").write_text(arguments_text(plan, slot, case_table(cases)))
    ended = bench(label, n, "--plan", "arguments.txt", folder=tmp_path)
    assert ended.exit_code == 0, ended.error
    found = launch_document(tmp_path)["cases"]
    assert len(found) == len(cases)
    together = {"world": n, "reversed": n, "halves": n // 2, "hosts(count=1)": 1}
    for one, case in zip(found, cases, strict=True):
        assert (one["block_bytes"], one["moved_bytes"]) == (case.block_bytes, case.moved_bytes), case
        assert (one["comm"], one["comm_size"]) == (str(case.comm), together[str(case.comm)])
        assert (one["layout"], one["in_place"]) == (str(case.layout), case.in_place == "yes")
        assert one["root"] in (None, case.root, int(case.root) if case.root.isdigit() else None)
        assert one["validated"]
        assert one["valid"] == 3


@pytest.mark.parametrize("label", EITHER)
def test_ranks_that_rest_are_no_part_of_the_latency(label: str, tmp_path: Path) -> None:
    """Of three ranks in halves the last rests: it has no times in the books, and the samples are those of the two that
    call; the same sums over all three would differ.
    """
    words = (
        "--op",
        "barrier",
        "--comm",
        "halves",
        "--nrep",
        50,
        "--procsync",
        "barrier",
        "--raw",
        "--output",
        tmp_path,
    )
    ended = bench(label, 3, *words, folder=tmp_path)
    assert ended.exit_code == 0, ended.error
    launch = launch_document(tmp_path)
    (case,) = launch["cases"]
    assert case["per_rank"]["n"] == [50, 50, 0]
    assert case["per_rank"]["median_s"][2] is None
    stamps = np.load(tmp_path / "raw.npy").reshape(3, -1)
    durations = (stamps["end"] - stamps["start"]) / launch["clock"]["frequency_hz"]
    samples = np.load(tmp_path / "samples.npy")
    assert np.allclose(samples["local_max"], durations[:2].max(axis=0), rtol=1e-12, atol=0)
    assert np.allclose(samples["local_mean"], durations[:2].mean(axis=0), rtol=1e-12, atol=0)
    assert np.allclose(samples["local_min"], durations[:2].min(axis=0), rtol=1e-12, atol=0)
    assert not np.allclose(samples["local_mean"], durations.mean(axis=0), rtol=1e-3, atol=0)


@pytest.mark.parametrize("label", LIBRARIES)
def test_every_operation_that_moves_data_can_be_split(label: str, tmp_path: Path) -> None:
    """Whatever its form, its neighbours or its partner: three calls of a third are one operation, each of whose calls
    is validated.
    """
    answer = json.loads(bench(label, 1, "availability", folder=tmp_path).output)
    registries = Registries.load()
    members = [registries.operation(one["name"]) for one in answer["operations"] if one["available"]]
    able = [member.name for member in members if member.volume not in ("none", "nested")]
    assert {"bcast_init", "ialltoallv", "ineighbor_alltoallw", "pingpong", "bandwidth", "put"} <= {*able, "bcast_init"}
    words = ("--op", ",".join(f"repeated({name},3)" for name in able), "--sizes", 64, "--nrep", 2, "--warmup", 1)
    ended = bench(label, 2, *words, *BARRIER, "--output", tmp_path, folder=tmp_path)
    assert ended.exit_code == 0, ended.error
    found = launch_document(tmp_path)["cases"]
    assert len(found) == len(able)
    assert all(one["validated"] and one["valid"] == 2 and one["moved_bytes"] >= 64 for one in found)


BARRIER = ("--clocksync", "none", "--procsync", "barrier")


@pytest.mark.parametrize("which", ["repeated(ialltoallv,3)", "repeated(sendrecv_ring,3)"])
def test_a_wrong_part_of_a_split_call_is_seen(which: str, tmp_path: Path) -> None:
    """Behind a library that flips a byte of what one rank receives: the error names which of the calls was wrong."""
    spoiler = {
        "LD_PRELOAD": str(mpi_tree("mpich").folder / "libictus-flip.so"),
        "ICTUS_FLIP_OPERATION": {"repeated(ialltoallv,3)": "MPI_Ialltoallv"}.get(which, "MPI_Sendrecv"),
        "ICTUS_FLIP_RANK": "1",
        "ICTUS_FLIP_MODE": "flip",
    }
    words = ("--op", which, "--sizes", 64, "--nrep", 2, *BARRIER)
    ended = bench("mpich", 2, *words, folder=tmp_path, environment=spoiler)
    assert ended.exit_code == 3
    assert "call 1 of 3" in ended.error


SPOILED = {
    "--root rotating": (0, 2, "(case 0, root 1): rank 0, element"),
    "--comm halves": (1, 5, "(case 0, communicator halves): rank 1, element"),
    "--comm reversed": (1, 2, "(case 0, communicator reversed): rank 0, element"),
    "--layout vector(2,4,3)": (1, 2, "(case 0): rank 1, element"),
}
"""Which rank of a communicator has its data spoiled, in how many ranks, and how the error names it, as a rank of all.
Rank 0 receives nothing of a broadcast of its own: where its data can be wrong, another rank was the root.
"""


@pytest.mark.few(2)
@pytest.mark.parametrize("words", SPOILED)
def test_a_wrong_result_is_seen_whichever_way_it_is_called(words: str, tmp_path: Path) -> None:
    """Behind a library that flips a byte of what one rank receives: exit code 3, and which call it was."""
    rank, n_ranks, message = SPOILED[words]
    spoiler = {
        "LD_PRELOAD": str(mpi_tree("mpich").folder / "libictus-flip.so"),
        "ICTUS_FLIP_OPERATION": "MPI_Bcast",
        "ICTUS_FLIP_RANK": str(rank),
        "ICTUS_FLIP_MODE": "flip",
    }
    base = ("--op", "bcast", "--sizes", 480, "--nrep", 5, "--clocksync", "none", "--procsync", "barrier")
    ended = bench("mpich", n_ranks, *base, *words.split(), folder=tmp_path, environment=spoiler)
    assert ended.exit_code == 3
    assert message in ended.error
    usual = bench("mpich", n_ranks, *base, folder=tmp_path, environment={**spoiler, "ICTUS_FLIP_RANK": "0"})
    assert usual.exit_code == 0, usual.error


MISTAKES = {
    "--comm quarter": "unknown comm 'quarter'; known are world, halves, hosts, first, reversed",
    "--comm hosts(3)": "communicator 'hosts(count=3)' needs more ranks than the 2 of this launch",
    "--comm hosts(2)": "2 hosts were requested, and this launch runs on 1",
    "--comm halves --root 1": "root 1 of case 0 is not below the number of ranks that call together, 1",
    "--root first": "option 'root': 'first' is not a whole number",
    "--in-place maybe": "option 'in-place': 'maybe' is not on or off",
    "--cache cold-rotate(size=1Mi) --op bcast_init": "bcast_init: a persistent operation always uses the same buffers",
    "--layout vector(4,2)": "2 is less than the blocklength, 4",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_named_once_with_what_is_allowed(words: str, tmp_path: Path) -> None:
    """Exit code 2, one message, no launch."""
    operation = () if "--op" in words else ("--op", "bcast")
    ended = bench("mpich", 2, *operation, "--sizes", 8, "--nrep", 5, *words.split(), folder=tmp_path)
    assert ended.exit_code == 2, ended.output + ended.error
    assert ended.error.count("ictus-bench: ") == 1, ended.error
    assert MISTAKES[words] in ended.error
