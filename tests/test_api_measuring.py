"""Ictus from Python measures: what the commands do, functions of the same names do, with nothing but `import ictus`."""

import json
import logging
from pathlib import Path

import pytest

import ictus

PLAN = {"mpi": ["mpich", "openmpi"], "op": "bcast", "sizes": "8,1Ki", "n": "2", "launches": 4, "nrep": 20, "seed": 7}
CHECK = {"mpi": ["mpich"], "n": "4", "sizes": "64", "launches": 12, "nrep": 20, "seed": 3}
PLANTED = {
    "operation_factors": {"bcast": 3.0, "bcast_as_scatter_and_allgather": 1.4},
    "algorithm_factors": {"bcast=binomial": 0.3, "bcast=chain": 1.5},
    "launch_spread": 0.05,
    "case_spreads": {"bcast": 0.03, "bcast_as_scatter_and_allgather": 0.03},
    "noise": 0.02,
    "launch_s": 0.1,
}
"""MPI_Bcast takes twice as long as its mock-up, and the library has an algorithm that is three times as fast."""


def world(folder: Path, **values: object) -> Path:
    """The file of a simulated world."""
    path = folder / "world.json"
    path.write_text(json.dumps(values))
    return path


def test_a_campaign_is_measured_told_and_loaded(tmp_path: Path) -> None:
    """Every launch is told to the observer; the campaign that comes back is complete, and says what was planted."""
    told: list[ictus.Event] = []
    scenario = world(tmp_path, factors={"mpich": 1.0, "openmpi": 1.5}, noise=0.02)
    campaign = ictus.run(PLAN, tmp_path / "camp", launcher="simulated", scenario=scenario, observer=told.append)
    assert (campaign.labels, len(campaign.launches), campaign.complete) == (("mpich", "openmpi"), 8, True)
    assert sum(type(one).__name__ == "LaunchAccepted" for one in told) == 8
    ratios = [row.result.ratio for row in ictus.compare(campaign).rows]
    assert ratios == [pytest.approx(1 / 1.5, rel=0.1)] * 2


def test_an_interrupted_campaign_goes_on_by_the_same_call(tmp_path: Path) -> None:
    """The error says where it is and how far; the plan may be a plan file, values, or the folder itself."""
    scenario, folder = world(tmp_path, faults={"3": ["interrupt"]}), tmp_path / "camp"
    with pytest.raises(ictus.StoppedByUser) as stopped:
        ictus.run(PLAN, folder, launcher="simulated", scenario=scenario)
    assert (stopped.value.folder, stopped.value.done, stopped.value.total) == (folder, 3, 8)
    assert len(ictus.run(folder, launcher="simulated").launches) == 8
    with pytest.raises(ictus.UsageError, match="differs in\n  nrep: 20 there, 30 asked for"):
        ictus.run({**PLAN, "nrep": 30}, folder, launcher="simulated")


def test_a_plan_file_names_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PLAN.toml is measured into PLAN; names of fields may be written as Python has them."""
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text('mpi = ["mpich"]\nop = "bcast"\nsizes = "8"\nn = "2"\nlaunches = 2\nnrep = 5\n')
    assert ictus.run("small.toml", launcher="simulated").folder.name == "small"
    values = {"mpi": ["mpich"], "op": "alltoall", "sizes": "8", "size_is": "block", "launches": 1, "nrep": 5}
    assert ictus.run(values, "blocks", launcher="simulated").plan.size_is == "block"
    with pytest.raises(ictus.UsageError, match="unknown field 'time_out' in plan, did you mean 'timeout'"):
        ictus.run({"time_out": 3}, "none")


def test_what_is_told_goes_to_logging_unless_another_observer_is_given(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Warnings and failed tries are warnings of the logger `ictus`; `ictus.ignore` says nothing."""
    scenario = world(tmp_path, faults={"0": ["fail"]})
    values = {**PLAN, "launches": 1}
    with caplog.at_level(logging.INFO, logger="ictus"):
        ictus.run(values, tmp_path / "quiet", launcher="simulated", scenario=scenario, observer=ictus.ignore)
        assert not caplog.records
        ictus.run(values, tmp_path / "loud", launcher="simulated", scenario=scenario)
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    too_few, failed = warnings
    assert too_few.startswith("1 launch cannot decide any of 2 tests")
    assert "failed" in failed


def test_guidelines_are_checked_and_their_violations_mended(tmp_path: Path) -> None:
    """GL10 is violated as planted; the tuning finds the algorithm, and confirms it."""
    scenario, folder = world(tmp_path, **PLANTED), tmp_path / "chk"
    found = ictus.check(CHECK, folder, guidelines="GL10", launcher="simulated", scenario=scenario)
    assert {(one.rule.name, one.state.value) for one in found.verdicts} == {("GL10", "violated")}
    again = ictus.check(folder=folder, launcher="simulated", scenario=scenario)
    assert again.verdicts == found.verdicts, "nothing is measured again"
    tuning = ictus.tune(folder, budget_s=600, launches=12, nrep=20, seed=5, launcher="simulated", scenario=scenario)
    assert [(one.winner.name if one.winner else None, one.confirmed) for one in tuning.cells] == [
        ("bcast=binomial", True)
    ]
    assert (tmp_path / "chk-tune/remedy/mpich/remedy.env").read_text() == "SIMULATED_BCAST=binomial\n"
    with pytest.raises(ictus.UsageError, match="GL11"):
        ictus.tune(folder, guidelines=["GL11"], launcher="simulated", scenario=scenario)


def test_studies_are_measured_by_name(tmp_path: Path) -> None:
    """Rows of a prediction; a short study of lenses; windows that a short launch finds; what is not known is named."""
    plan = {"mpi": ["mpich"], "op": "bcast", "sizes": "8", "n": "2", "launches": 2}
    simulated = {"launcher": "simulated", "scenario": world(tmp_path, noise=0.02)}
    (row,) = ictus.study("nrep", plan, tmp_path / "nrep", **simulated)
    assert (row.case["operation"], row.converged) == ("bcast", True)
    again = ictus.study("nrep", None, tmp_path / "nrep", **simulated)
    assert [one.nrep for one in again] == [row.nrep], "nothing is measured again"
    times = ictus.study("local_and_global", {**plan, "nrep": 10}, tmp_path / "times", **simulated)
    assert {one.case["procsync"].partition("(")[0] for one in times} >= {"barrier", "window"}
    with pytest.raises(ictus.UsageError, match="unknown study 'nrop', did you mean 'nrep'"):
        ictus.study("nrop")
    with pytest.raises(ictus.UsageError, match="unknown study 'nrep': option 'speed'"):
        ictus.study("nrep", speed=3)
    with pytest.raises(ictus.UsageError, match="is not a campaign"):
        ictus.study("clock_drift", plan)
    assert {"clock_accuracy", "overlap", "lens"} <= {one.name for one in ictus.STUDIES}


@pytest.mark.mpi
@pytest.mark.beside
def test_a_study_of_clocks_is_measured_by_its_options() -> None:
    """Clocks with a known skew, synchronised: the summary is of what was asked for, and far below the skew."""
    found = ictus.study(
        "clock_accuracy", mpi="mpich", processes=(2,), clock="skewed", clocksync=("hca3",), waits_s=(0.0, 0.1)
    )
    (summary,) = ictus.clock_errors(found)
    assert (summary.n_ranks, [error.wait_s for error in summary.errors]) == (2, [0.0, 0.1])
    assert 0 < summary.errors[0].max_s < 1e-3


@pytest.mark.mpi
@pytest.mark.beside
def test_a_program_of_somebody_else_runs_with_its_barriers_replaced(tmp_path: Path) -> None:
    """Its exit code comes back, and how its barriers were left; what cannot be is refused before anything starts."""
    import subprocess

    from tests.native.trees import NATIVE, installation

    program = tmp_path / "benchmark"
    wrapper = installation("openmpi").wrapper.with_name("mpicc")
    subprocess.run((wrapper, "-O2", NATIVE / "tests/programs/classic_benchmark.c", "-o", program), check=True)
    with (tmp_path / "said").open("w") as said:
        done = ictus.exec_program(
            (str(program), "8", "5"), mpi="openmpi", n=2, log_folder=tmp_path / "log", output=said.fileno()
        )
    assert (done.exit_code, [one.barriers for one in done.exit_skew]) == (5, [8, 8])
    assert done.report is not None
    assert done.report.barriers == 8  # type: ignore[union-attr]
    assert (tmp_path / "said").read_text().count("rank ") == 2
    with pytest.raises(ictus.UsageError, match="does not exist"):
        ictus.exec_program(("./nowhere",), mpi="openmpi")


def test_every_field_has_its_python_name(tmp_path: Path) -> None:
    """`timeout_s` and `operations`, as `ictus.Plan` names them, mean what `timeout` and `op` do in a file."""
    values = {"mpi": "mpich", "operations": "bcast", "sizes": "8", "launches": 1, "nrep": 2, "timeout_s": 7.0}
    found = ictus.run(
        {**values, "clock_bound_s": 1e-6, "block_time_s": 3.0}, tmp_path / "camp", launcher="simulated"
    ).plan
    assert (found.timeout_s, found.clock_bound_s, found.block_time_s) == (7.0, 1e-6, 3.0)
    assert [str(one) for one in found.operations] == ["bcast"]
