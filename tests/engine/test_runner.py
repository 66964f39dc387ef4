"""The runner: whole campaigns over simulated launches."""

import errno
import json
import os
from pathlib import Path
from statistics import median

import polars as pl
import pytest

from ictus.engine.event import (
    CampaignFinished,
    CampaignStarted,
    CampaignStopped,
    ContentionPersists,
    LaunchAccepted,
    LaunchContended,
    LaunchFailed,
)
from ictus.engine.journal import Journal
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import Slot
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.job import Outcome
from ictus.store import durable
from ictus.store.campaign import load
from ictus.store.durable import append
from ictus.store.journal import read_journal

from .conftest import Rig


def journal(rig: Rig) -> list[dict[str, object]]:
    """All events of the journal."""
    return [json.loads(line) for line in (rig.folder / "journal.jsonl").read_text().splitlines()]


def test_a_campaign_runs_to_its_end(rig: Rig) -> None:
    """Four launches, each complete, named after slot and library, journalled in the order of the schedule."""
    ending = rig.run()
    assert (ending.done, ending.total, ending.stopped) == (4, 4, False)
    campaign = load(rig.folder)
    assert campaign.complete
    assert campaign.warnings == ()
    assert [launch.slot for launch in campaign.launches] == list(campaign.slots)
    assert [entry["event"] for entry in journal(rig)] == ["start", *["launch", "accepted"] * 4, "done"]
    assert sorted(path.name for path in campaign.launches[0].folder.iterdir()) == [
        "arguments.txt", "blocks.npy", "case_ranks.npy", "cases.npy", "clocks.npy", "command.json", "hosts.npy",
        "launch.json", "ranks.npy", "samples.npy", "samples.parquet", "stderr.txt", "stdout.txt", "summary.parquet",
    ]  # fmt: skip


def test_the_schedule_is_on_the_disk_before_the_first_launch(rig: Rig) -> None:
    """Also campaign.json: the first launch finds both."""
    found: list[bool] = []

    def execute(slot: Slot, folder: Path) -> Outcome:
        found.append(all((rig.folder / name).exists() for name in ("campaign.json", "schedule.json", "journal.jsonl")))
        return Simulated()(slot, folder)

    rig.run(execute)
    assert found == [True] * 4


def test_a_finished_campaign_is_left_as_it_is(rig: Rig) -> None:
    """Running it again measures nothing."""
    rig.run()
    before = {path: path.stat().st_mtime_ns for path in (rig.folder / "launches").rglob("*")}
    assert rig.run().done == 4
    assert {path: path.stat().st_mtime_ns for path in (rig.folder / "launches").rglob("*")} == before


def test_progress_counts_up_and_estimates_what_is_left(rig: Rig) -> None:
    """Unknown before the first launch is through, zero at the end."""
    rig.run()
    begun, finished = rig.seen(CampaignStarted)[0], rig.seen(CampaignFinished)[0]
    assert isinstance(begun, CampaignStarted)
    assert isinstance(finished, CampaignFinished)
    assert (begun.progress.done, begun.progress.total, begun.progress.left_s, begun.resumed) == (0, 4, None, False)
    assert (finished.progress.done, finished.progress.left_s) == (4, 0.0)
    left = [event.progress.left_s or 0.0 for event in rig.events if isinstance(event, LaunchAccepted)]
    assert left[0] > 0


def test_lasting_contention_is_said_once_and_not_fought(rig: Rig) -> None:
    """After three slots whose every try was contended, the rest is measured once each, until a launch is quiet."""
    always = {f"slot_{slot}": ["contended"] * 3 for slot in range(5)}
    rig.run(rig.faulty(**always, slot_6=["contended"]), launches=4)
    tries = [sum(isinstance(e, LaunchContended) and e.slot.slot == slot for e in rig.events) for slot in range(8)]
    assert tries == [2, 2, 2, 0, 0, 0, 1, 0]
    assert [event.slots for event in rig.events if isinstance(event, ContentionPersists)] == [3]
    assert [launch.contended for launch in load(rig.folder).launches] == [True] * 5 + [False] * 3


def test_a_failing_launch_is_set_aside_and_tried_again(rig: Rig) -> None:
    """Nothing is lost, and the accepted try takes the slot's name."""
    rig.run(rig.faulty(slot_1=["fail", "torn"]))
    name = load(rig.folder).slots[1].folder_name
    assert [entry for entry in rig.tree() if name in entry] == [
        f"aside/{name}.1",
        f"aside/{name}.2",
        f"launches/{name}",
    ]
    failed = [event for event in rig.events if isinstance(event, LaunchFailed)]
    assert [event.tries_left for event in failed] == [2, 1]
    assert failed[0].reason == "rank 1 on simulated: simulated measurement error"
    assert "is torn: its header says" in failed[1].reason
    assert [entry.get("try") for entry in journal(rig) if entry["event"] == "launch"] == [1, 1, 2, 3, 1, 1]


def test_a_launch_that_keeps_failing_ends_the_campaign_with_the_first_complaint(rig: Rig) -> None:
    """Exit code 3, the earliest rank's message, what is complete, and how to go on."""
    with pytest.raises(MeasurementError) as caught:
        rig.run(rig.faulty(slot_2=["fail"] * 3))
    message = str(caught.value)
    assert "failed: rank 1 on simulated: simulated measurement error" in message
    assert "2 of 4 launches are complete; the same command continues with the rest." in message
    assert rig.run().done == 4


def test_what_no_try_can_mend_is_not_tried_again(rig: Rig) -> None:
    """A usage error of a rank ends the campaign at once, with exit code 2."""
    with pytest.raises(UsageError, match="simulated usage error") as caught:
        rig.run(rig.faulty(slot_0=["usage"]))
    assert "The same command would fail again" in str(caught.value)
    assert "goes on" not in str(caught.value)
    assert len(rig.seen(LaunchFailed)) == 1


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("timeout", "did not end within 600 s"),
        (
            "singletons",
            "ran with 1 ranks, expected were 2: was it started by the launcher of another MPI library?",
        ),
        ("missing", "were not measured"),
        ("unvalidated", "were not validated"),
        ("torn", "is torn"),
    ],
)
def test_a_launch_that_is_not_what_was_asked_for_is_refused(rig: Rig, fault: str, reason: str) -> None:
    """Exit code 0 and plausible numbers are no proof."""
    with pytest.raises(MeasurementError) as caught:
        rig.run(rig.faulty(slot_0=[fault]), retries=0)
    assert reason in str(caught.value)
    assert not [entry for entry in rig.tree() if entry.startswith("launches/")]


def test_an_exit_code_without_complaint_shows_what_was_said(rig: Rig) -> None:
    """The launcher's last words, when no rank left any."""

    def execute(slot: Slot, folder: Path) -> Outcome:
        (folder / "stderr.txt").write_text("".join(f"line {number}\n" for number in range(20)))
        return Outcome(("mpiexec",), {}, 139, 0.1)

    with pytest.raises(MeasurementError, match=r"ended with exit code 139; stderr.txt ends with:\n    line 12\n"):
        rig.run(execute, retries=0)


def test_a_contended_launch_is_repeated_and_every_try_is_kept(rig: Rig) -> None:
    """At most twice per slot; the third is accepted as it is."""
    ending = rig.run(rig.faulty(slot_0=["contended"], slot_1=["contended"] * 3))
    first, second = (slot.folder_name for slot in load(rig.folder).slots[:2])
    assert ending.done == 4
    assert [entry for entry in rig.tree() if first in entry or second in entry] == [
        f"launches/{name}" for name in (first, f"{first}.try1", second, f"{second}.try1", f"{second}.try2")
    ]
    assert [launch.contended for launch in load(rig.folder).launches] == [False, True, False, False]
    assert len(load(rig.folder, contended=True).launches) == 4 + 3
    assert [event.share for event in rig.events if isinstance(event, LaunchContended)] == [0.25] * 3
    marks = [(entry["event"], entry["accepted"]) for entry in journal(rig) if "accepted" in entry]
    assert marks[:2] == [("contended", False), ("accepted", True)]


def test_contention_is_only_marked_where_repeating_is_switched_off(rig: Rig) -> None:
    """`--contention-retries 0` keeps the first try."""
    rig.run(rig.faulty(slot_0=["contended"]), contention_retries=0)
    assert load(rig.folder).launches[0].contended
    assert not rig.seen(LaunchContended)


@pytest.mark.parametrize("raised", [False, True])
def test_ctrl_c_sets_the_running_launch_aside_and_the_campaign_goes_on_later(rig: Rig, raised: bool) -> None:
    """However the interrupt is told: by the outcome, or by the exception."""

    def execute(slot: Slot, folder: Path) -> Outcome:
        if slot.slot == 2:
            if raised:
                raise KeyboardInterrupt
            return rig.faulty(slot_2=["interrupt"])(slot, folder)
        return Simulated()(slot, folder)

    ending = rig.run(execute)
    assert (ending.done, ending.stopped) == (2, True)
    assert isinstance(rig.events[-1], CampaignStopped)
    assert journal(rig)[-1]["event"] == "stopped"
    assert [entry for entry in rig.tree() if "partial" in entry] == []
    assert rig.run().done == 4
    assert [event for event in rig.events if isinstance(event, CampaignStarted)][-1].resumed
    assert len(load(rig.folder).launches) == 4


def test_a_folder_in_use_is_locked(rig: Rig) -> None:
    """The second process is told who has it, and touches nothing."""
    rig.run(rig.faulty(slot_1=["interrupt"]))
    with Journal(rig.folder) as held:
        held.start(resumed=True)
        before = (rig.folder / "journal.jsonl").read_bytes()
        with pytest.raises(UsageError, match=f"in use by another ictus run \\(process {os.getpid()} on "):
            rig.run()
        assert (rig.folder / "journal.jsonl").read_bytes() == before


def test_another_plan_is_refused_naming_the_fields(rig: Rig) -> None:
    """Launches of different plans are never mixed."""
    rig.run(rig.faulty(slot_1=["interrupt"]))
    with pytest.raises(UsageError) as caught:
        rig.run(nrep=6, seed=8)
    message = str(caught.value)
    assert "nrep: 5 there, 6 asked for" in message
    assert "seed: 7 there, 8 asked for" in message
    assert "launches:" not in message


def test_a_seed_that_was_left_open_is_the_recorded_one(rig: Rig) -> None:
    """The same command goes on, though it would draw another seed."""
    del rig.values["seed"]
    rig.run(rig.faulty(slot_1=["interrupt"]))
    seed = load(rig.folder).seed
    assert rig.run().done == 4
    assert load(rig.folder).seed == seed


def test_a_library_that_changed_meanwhile_is_refused(rig: Rig) -> None:
    """An upgrade between two halves of a campaign would be measured as launch-to-launch noise."""
    from dataclasses import replace

    from ictus.engine.runner import run_campaign

    rig.run(rig.faulty(slot_1=["interrupt"]))
    design = rig.design()
    changed = replace(design, libraries=(replace(design.libraries[0], version="1.1"), design.libraries[1]))
    with pytest.raises(UsageError, match=r"library a, version: 1.0 there, 1.1 asked for"):
        run_campaign(rig.folder, changed, Simulated())


def test_a_folder_with_something_else_in_it_is_refused(rig: Rig) -> None:
    """Nobody's files end up inside a campaign."""
    rig.folder.mkdir()
    (rig.folder / "thesis.tex").write_text("")
    with pytest.raises(UsageError, match=r"not a campaign folder and not empty \(it has 'thesis.tex'\)"):
        rig.run()
    assert [path.name for path in rig.folder.iterdir()] == ["thesis.tex"]


def test_a_full_disk_is_said_and_loses_nothing(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever write is refused; with space again the same command continues."""
    rig.run(rig.faulty(slot_2=["interrupt"]))

    def full(descriptor: int, content: bytes) -> None:
        os.write(descriptor, content[: len(content) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("ictus.store.durable.append", full)
        with pytest.raises(MeasurementError, match=r"no space is left .* all complete launches are kept"):
            rig.run()
    assert len(load(rig.folder).launches) == 2
    assert rig.run().done == 4
    assert load(rig.folder).warnings == ()


def test_a_full_disk_under_the_core_is_not_tried_again(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A launch that failed while the disk has nothing left failed for that."""
    import shutil

    usage = shutil.disk_usage(rig.folder.parent)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: usage._replace(free=0))
    with pytest.raises(MeasurementError, match="no space is left"):
        rig.run(rig.faulty(slot_0=["fail"]))
    assert not rig.seen(LaunchFailed)


def test_other_disk_errors_name_the_file(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only folder, a quota, a lost mount: the operating system's words and the place."""

    def refuse(descriptor: int, content: bytes) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), "journal.jsonl")

    monkeypatch.setattr("ictus.store.durable.append", refuse)
    with pytest.raises(MeasurementError, match=r"'journal\.jsonl': Read-only file system"):
        rig.run()


def test_control_variables_that_differ_from_the_reference_are_recorded(rig: Rig) -> None:
    """In command.json of each launch; null for a library without a reference."""
    from dataclasses import replace

    from ictus.engine.runner import run_campaign

    design = replace(rig.design(), reference_cvars={"a": {"EAGER": "8192", "POLL": "1"}})
    run_campaign(rig.folder, design, Simulated(Scenario(cvars={"EAGER": "64", "POLL": "1"})))
    found = {
        launch.mpi: json.loads((launch.folder / "command.json").read_text())["differing_cvars"]
        for launch in load(rig.folder).launches
    }
    assert found == {"a": {"EAGER": {"reference": "8192", "found": "64"}}, "b": None}


def test_short_writes_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operating system may take less than it was given."""
    write = os.write
    monkeypatch.setattr("os.write", lambda descriptor, content: write(descriptor, content[:3]))
    descriptor = os.open(tmp_path / "file", os.O_WRONLY | os.O_CREAT)
    append(descriptor, b"0123456789")
    os.close(descriptor)
    assert (tmp_path / "file").read_bytes() == b"0123456789"


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_an_event_that_is_interrupted_is_no_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    """Ctrl-C between the line and what is known of it: the next line damaged the journal."""
    append = durable.append

    def interrupted(descriptor: int, content: bytes) -> None:
        append(descriptor, content)
        raise error

    with Journal(tmp_path) as journal:
        journal.append("first", {})
        with monkeypatch.context() as patch:
            patch.setattr(durable, "append", interrupted)
            with pytest.raises(error):
                journal.append("second", {})
        journal.append("stopped", {})
        assert [entry.event for entry in journal.entries] == ["first", "stopped"]
    assert [entry.event for entry in read_journal(tmp_path / "journal.jsonl").entries] == ["first", "stopped"]


def test_the_running_median_is_that_of_the_launches_so_far_of_one_library(rig: Rig) -> None:
    """Of the last case of the plan, whichever was measured last; a launch of the other library changes nothing."""
    rig.run(Simulated(Scenario(launch_spread=0.2, factors={"a": 1.0, "b": 3.0})), launches=5)
    accepted: list[LaunchAccepted] = rig.seen(LaunchAccepted)  # type: ignore[assignment]
    last = max(one["case_id"] for one in load(rig.folder).cases.to_dicts())
    summaries = load(rig.folder).summaries.filter(pl.col("case_id") == last)
    so_far: dict[str, list[float]] = {"a": [], "b": []}
    for one in accepted:
        own = summaries.filter(pl.col("slot") == one.slot.slot)["median"].item()
        so_far[one.slot.mpi].append(own)
        assert one.last_case is not None
        assert one.last_case.case.case_id == last
        assert one.last_case.median_s == pytest.approx(median(so_far[one.slot.mpi]))
    assert len(accepted) == 10
