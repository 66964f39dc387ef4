"""The number of repetitions on real ranks of both libraries: what the core stopped at, computed again from the samples
that it recorded, and measured by afterwards.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import run_ictus, succeed
from tests.launch_document import launch_document

from ictus.stats.nrep import NrepRule, predict

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]

LIBRARIES = ("mpich", "openmpi")
PLAN = ("-m", "mpich", "-m", "openmpi", "--op", "bcast,allreduce", "--sizes", "8,64Ki", "-n", "2", "--seed", "5")
HASTE = ("--contention-retries", "0")
"""What others do meanwhile changes latencies, and not what is claimed here."""
START = ("--clocksync", "none", "--procsync", "barrier")
"""Without a global clock the latency is the slowest rank's own duration, which is the same when the core decides and in
the record: counts must agree exactly.
"""


@pytest.fixture(scope="module")
def predicted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three launches a library, all three metrics."""
    folder = tmp_path_factory.mktemp("nrep") / "pred"
    metrics = "rse=0.03,cov_mean=0.02,cov_median=0.02"
    succeed("nrep", *PLAN, *START, *HASTE, "--metrics", metrics, "--max", "300", "-o", folder)
    return folder


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_core_stops_where_the_samples_say(predicted: Path, library: str) -> None:
    """Every case of every launch: as many valid samples as the first total that is enough; another rule says otherwise
    of at least one.
    """
    rule = NrepRule({"rse": 0.03, "cov_mean": 0.02, "cov_median": 0.02}, most=300)
    stricter = NrepRule({"rse": 0.01, "cov_mean": 0.002, "cov_median": 0.002}, most=300)
    launches = sorted((predicted / "launches").glob(f"*-{library}"))
    assert len(launches) == 3
    others = 0
    for launch in launches:
        samples = np.load(launch / "samples.npy")
        for case in launch_document(launch)["cases"]:
            own = samples[(samples["case_id"] == case["case_id"]) & (samples["flags"] == 0)]["local_max"]
            assert case["repetition"].startswith("nrep(")
            assert own.size == case["valid"] == predict(own, rule).nrep
            others += predict(own, stricter).nrep != own.size or not predict(own, stricter).converged
    assert others > 0


def test_a_campaign_measures_as_often_as_was_predicted(predicted: Path, tmp_path: Path) -> None:
    """Both libraries take the larger count of each case; with window starts nothing was predicted."""
    rows = json.loads(succeed("nrep", predicted, "--json").out)["rows"]
    largest: dict[tuple[str, int], int] = {}
    for row in rows:
        key = (row["case"]["operation"], row["case"]["size_bytes"])
        largest[key] = max(largest.get(key, 0), row["nrep"])
    succeed("run", *PLAN, *START, *HASTE, "--launches", "1", "--nrep", predicted, "-o", tmp_path / "camp")
    for library in LIBRARIES:
        (launch,) = (tmp_path / "camp" / "launches").glob(f"*-{library}")
        cases = launch_document(launch)["cases"]
        found = {(case["operation"], case["size_bytes"]): case["valid"] for case in cases}
        assert found == largest
    other = ("--clocksync", "none", "--procsync", "none")
    done = run_ictus("run", *PLAN, *other, "--nrep", predicted, "-o", tmp_path / "no")
    assert done.code == 2
    assert "nothing is predicted for" in done.err
