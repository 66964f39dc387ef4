"""Launches of studies: each whole or set aside, continued where the folder is kept, one message where one fails."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ictus.engine import measured_hosts, study
from ictus.engine.event import Event, StudyLaunchStarted, WarningNote, ignore
from ictus.engine.study import StudyBackend, StudyLaunch, run_study
from ictus.engine.study_options import StudyOptions
from ictus.model.errors import MeasurementError, StoppedByUser, UsageError
from ictus.model.job import Job, Outcome
from ictus.model.library import Installation

MPICH = Installation("mpich", "mpich", "5.0", Path("/mpicxx"), Path("/mpiexec"))
BACKEND = StudyBackend(MPICH, Path("/core"), "mpiexec", "tsc", StudyOptions(environment={"A": "1"}, timeout_s=9.0))


class Core:
    """In the place of launches: answers each with its options; `fault` is what becomes of launch number `at`."""

    def __init__(self, at: int = -1, fault: str = "") -> None:
        self.at, self.fault = at, fault
        self.jobs: list[Job] = []

    def __call__(self, installation: Installation, job: Job, launcher: str) -> Outcome:
        """One launch."""
        assert (installation, launcher) == (MPICH, "mpiexec")
        self.jobs.append(job)
        (job.folder / "stderr.txt").write_text("ictus-bench: --nrep '0': expected 1 or more\n")
        if len(self.jobs) - 1 != self.at or self.fault == "hang":
            assert not job.is_written()
            words = dict(str(word).removeprefix("--").split("=") for word in job.program[3:])
            (job.folder / words["output"]).write_text(json.dumps({"format": 1, **words}))
            assert job.is_written()
            hung = len(self.jobs) - 1 == self.at
            return Outcome(("x",), {}, None if hung else 0, 1.5, hung=hung)
        if self.fault == "key":
            raise KeyboardInterrupt
        if self.fault == "stopped":
            return Outcome(("x",), {}, None, 1.5, interrupted=True)
        return Outcome(("x",), {}, 2 if self.fault == "usage" else 7, 1.5)


def launches(refuse: bool = False) -> list[StudyLaunch]:
    """Three, of which the last may be refused for what it says."""

    def check(answer: Mapping[str, Any]) -> str | None:
        return "it has no thread" if refuse and answer["seed"] == "2" else None

    return [
        StudyLaunch(
            BACKEND, ("barriers", "skew"), 2, {"seed": str(n)}, "exit skew", environment={"B": "2"}, refuse=check
        )
        for n in range(3)
    ]


def core(monkeypatch: pytest.MonkeyPatch, **fault: Any) -> Core:
    """Put it in the place of launches."""
    made = Core(**fault)
    monkeypatch.setattr(study, "launch", made)
    monkeypatch.setattr("ictus.mpi.placed_job.plugin_for", lambda *_: "pmi2")
    return made


def test_every_launch_gets_its_options_and_gives_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents come in the order of launches; who watches hears of each before it starts."""
    made, told = core(monkeypatch), list[Event]()
    found = run_study(launches(), told.append)
    assert [one["seed"] for one in found] == ["0", "1", "2"]
    assert [one.about for one in told if isinstance(one, StudyLaunchStarted)] == ["exit skew, 2 processes"] * 3
    job = made.jobs[0]
    assert job.program == ("/core", "barriers", "skew", "--seed=0", "--ranks=2", "--output=study.json")
    assert (job.environment, job.timeout_s, job.n_ranks) == ({"A": "1", "B": "2"}, 9.0, 2)
    assert job.plugin == "pmi2", "ranks would be alone under another one"
    assert not job.folder.exists(), "nothing is left of a study that is not kept"


@pytest.mark.parametrize("fault", ["key", "stopped"])
def test_a_kept_study_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """What was complete is not launched again, what ran is set aside; where nothing is kept, that is said."""
    core(monkeypatch, at=1, fault=fault)
    with pytest.raises(StoppedByUser) as stopped:
        run_study(launches(), ignore, tmp_path)
    assert (stopped.value.done, stopped.value.total) == (1, 3)
    assert sorted(path.name for path in (tmp_path / "launches").iterdir()) == ["0000-mpich-n2"]
    assert [path.name for path in (tmp_path / "aside").iterdir()] == ["0001-mpich-n2.1"]
    made = core(monkeypatch)
    assert [one["seed"] for one in run_study(launches(), ignore, tmp_path)] == ["0", "1", "2"]
    assert len(made.jobs) == 2
    core(monkeypatch, at=1, fault=fault)
    with pytest.raises(MeasurementError, match="stopped; nothing is kept"):
        run_study(launches(), ignore)


def test_a_failure_is_told_with_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a kept study where it lies; of another one the reason alone. What the core refuses is a usage error."""
    core(monkeypatch, at=2, fault="exit")
    with pytest.raises(MeasurementError, match="ended with exit code 7") as failed:
        run_study(launches(), ignore, tmp_path)
    assert "2 of 3 launches are complete; the same command continues with the rest" in str(failed.value)
    core(monkeypatch, at=0, fault="usage")
    with pytest.raises(UsageError) as refused:
        run_study(launches(), ignore)
    assert str(refused.value) == "--nrep '0': expected 1 or more"


def test_a_launch_that_failed_is_tried_again_where_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as asked; what the core refuses is not."""
    made = core(monkeypatch, at=1, fault="exit")
    assert [one["seed"] for one in run_study(launches(), ignore, retries=1)] == ["0", "1", "2"]
    assert len(made.jobs) == 4
    made = core(monkeypatch, at=1, fault="usage")
    with pytest.raises(UsageError):
        run_study(launches(), ignore, retries=1)
    assert len(made.jobs) == 2


def test_hosts_are_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """One start in many fails on some clusters: what `ictus doctor` shows of the hosts does not depend on it."""
    monkeypatch.setattr(measured_hosts, "prepare_study", lambda *_: BACKEND)
    monkeypatch.setattr(measured_hosts, "states_of", lambda answer, pinned: (answer["quanta"], pinned))
    made = core(monkeypatch, at=0, fault="exit")
    assert measured_hosts.measured_hosts(2, 2, "mpich", "srun", ignore) == ("500", True)
    assert [job.n_ranks for job in made.jobs] == [2, 2]


def test_an_answer_that_does_not_count_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The launch ended well and says something else than was asked for: no usage error, and no launch that counts."""
    core(monkeypatch)
    with pytest.raises(MeasurementError, match="it has no thread"):
        run_study(launches(refuse=True), ignore, tmp_path)
    assert (tmp_path / "aside/0002-mpich-n2.1/study.json").is_file()


def test_launches_of_a_folder_without_a_journal_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As studies kept them before they had one; a torn answer is measured again."""
    core(monkeypatch)
    run_study(launches(), ignore, tmp_path)
    (tmp_path / "journal.jsonl").unlink()
    (tmp_path / "launches/0001-mpich-n2/study.json").write_text('{"format": 1, "se')
    made = core(monkeypatch)
    assert [one["seed"] for one in run_study(launches(), ignore, tmp_path)] == ["0", "1", "2"]
    assert [job.program[3] for job in made.jobs] == ["--seed=1"]


def test_a_launch_that_hangs_after_its_document_counts_and_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In the journal, and by each call that continues the folder."""
    for call in range(2):
        made, told = core(monkeypatch, at=1, fault="hang"), list[Event]()
        found = run_study(launches(), told.append, tmp_path)
        assert ([one["seed"] for one in found], len(made.jobs)) == (["0", "1", "2"], 0 if call else 3)
        (text,) = [one.text for one in told if isinstance(one, WarningNote)]
        assert "0001-mpich-n2 did not end after all results were written (in MPI_Finalize or its launcher)" in text
    lines = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()]
    assert [one.get("hung_in") for one in lines if one["event"] == "accepted"] == [
        None,
        "MPI_Finalize or its launcher",
        None,
    ]
