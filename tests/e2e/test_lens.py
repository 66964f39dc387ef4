"""Lenses on real ranks of both libraries: every suite's number, computed a second time from the raw stamps."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.command_line import run_ictus
from tests.launch_document import launch_document

from ictus.studies.lens.suites.registry import ALL

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]

QUICK = ("--clocksync", "hca3(span=20ms,fitpoints=50,exchanges=20)", "--launches", "1", "--nrep", "60")


def rows(*words: object) -> list[dict[str, Any]]:
    """The rows of `ictus lens` with these words."""
    done = run_ictus("lens", *words, "--json")
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = json.loads(done.out)["rows"]
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One launch a library: a broadcast and a reduction of 8 bytes, seen through every lens."""
    target = tmp_path_factory.mktemp("lens") / "real"
    found = rows("-m", "mpich", "-m", "openmpi", "--op", "bcast,reduce", "--sizes", "8", *QUICK, "-o", target)
    assert len(found) == 2 * 2 * len(ALL)
    return target


def seconds(launch: Path, method: tuple[str, str], operation: str) -> np.ndarray:
    """Durations of the valid repetitions from raw.npy and rank 0's frequency, seconds a call, (ranks, repetitions)."""
    record = launch_document(launch)
    (case,) = [
        one
        for one in record["cases"]
        if one["operation"] == operation and (one["procsync"].partition("(")[0], one["scheme"]) == method
    ]
    raw = np.load(launch / "raw.npy")
    own = raw[(raw["case_id"] == case["case_id"]) & (raw["flags"] == 0)]
    ticks = np.stack([(own["end"] - own["start"])[own["rank"] == rank] for rank in range(record["n_ranks"])])
    return ticks / record["clock"]["frequency_hz"] / case["calls"]


@pytest.mark.parametrize("library", ["mpich", "openmpi"])
@pytest.mark.parametrize("operation", ["bcast", "reduce"])
def test_headlines_are_what_the_stamps_say(folder: Path, library: str, operation: str) -> None:
    """Means over ranks of means, the largest median, the first loop's mean: from the ticks, without our summaries.

    Ticks of the other method give other numbers.
    """
    (launch,) = (folder / "launches").glob(f"*-{library}")
    found = {
        row["lens"]: row["headline_s"]
        for row in rows(folder)
        if (row["mpi"], row["case"]["operation"]) == (library, operation)
    }
    single = seconds(launch, ("barrier", "per-call"), operation)
    assert single.shape[1] == 60
    loop = seconds(launch, ("barrier", "loop(calls=60)"), operation)
    expected = {
        "osu": single.mean(axis=1).mean(),
        "imb": single.mean(),
        "nbcbench": np.median(single, axis=1).max(),
        "mpiblib(root)": single[0, : stopped(single[0])].mean(),
        "imb-loop": loop.mean(),
        "phloem": loop.mean(),
        "mpibench-llnl(pipelined)": loop.mean(),
        "mpbench": seconds(launch, ("none", "loop(calls=60)"), operation)[0].mean(),
        "mpptest": seconds(launch, ("barrier", "loop(calls=6)"), operation)[0].min(),
        "mpibench-llnl": seconds(launch, ("barrier", "loop-barrier(calls=60,barrier=library)"), operation).mean(),
    }
    assert {lens: found[lens] for lens in expected} == pytest.approx(expected, rel=1e-4)
    wrong = seconds(launch, ("window", "per-call"), operation).mean()
    assert found["osu"] != pytest.approx(wrong, rel=1e-4)


def stopped(times: np.ndarray) -> int:
    """When MPIBlib stops: from 30 calls on, when the one-sided 95 % half width is below 5 % of the mean."""
    for n in range(30, times.size):
        half = stats.t.ppf(0.95, n - 1) * times[:n].std(ddof=1) / np.sqrt(n)
        if half < 0.05 * times[:n].mean():
            return n
    return int(times.size)
