"""Faults of ranks, launcher and library, one launch after another in one campaign of real launches.

A library that is preloaded makes a rank misbehave (native/tests/programs/misbehaving.c). What was complete before stays
byte for byte, each launch that a fault ended is set aside and named, and the next run continues the same schedule.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run_ictus
from tests.native.programs import compiled
from tests.native.trees import installation

from ictus.mpi.build import build_core
from ictus.store.campaign import load
from ictus.store.journal import JournalEntry, read_journal

from .running import QUICK, all_gone, ended, running, waited_for

pytestmark = [pytest.mark.mpi, pytest.mark.beside, pytest.mark.e2e]

KILLED = r"exit code (9|137)\b|signal 9\b|Killed"
"""No process can report its own SIGKILL: by the launcher's words."""
CRASHED = r"^(a rank|rank 1) on \S+: ended by SIGSEGV, an invalid address\b"
ABORTED = r"^(a rank|rank 1) on \S+: ended by SIGABRT\b"
"""The rank itself says so. Hydra combines the ends of all ranks, those that it killed too: 6 and 9 become 15."""
ENDING = {
    **{f"kill {where}": KILLED for where in ("before", "during", "after")},
    **{f"segv {where}": CRASHED for where in ("before", "during", "after")},
    **{f"abort {where}": ABORTED for where in ("before", "during", "after")},
    "launcher before": r"its launcher was ended by SIGKILL",
    "launcher during": r"its launcher was ended by SIGKILL",
    "launcher after": r"its launcher was ended by SIGKILL",
    "error during": r"a measured call",
}
"""What ends a launch, and what the reason says."""
HARMLESS = ("pause during", "print before", "print during")


@dataclass(frozen=True)
class Disturbed:
    """A campaign after all faults, and what was seen meanwhile."""

    folder: Path
    before: dict[str, bytes]
    """The files that do not change any more after the first launch: its own, schedule.json, campaign.json."""
    second: Any
    """Another `ictus run` on the folder meanwhile."""
    said: str
    """Standard error of the run that the last fault ended."""
    resumed: Any

    @property
    def failures(self) -> dict[str, JournalEntry]:
        """The journal's entry of each fault, in the order in which they were injected."""
        entries = read_journal(self.folder / "journal.jsonl").entries
        return dict(zip(ENDING, (entry for entry in entries if entry.event == "failed"), strict=True))


def contents(folder: Path) -> dict[str, bytes]:
    """Files of the first launch, and of the design."""
    paths = [*(folder / "launches").glob("0000-*/*"), folder / "schedule.json", folder / "campaign.json"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.fixture(scope="module", params=["mpich", pytest.param("openmpi", marks=pytest.mark.long)])
def disturbed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Disturbed:
    """One launch that is left alone, one that each fault ends, and those that a fault does not end."""
    build_core(installation(request.param))
    place = tmp_path_factory.mktemp("faults")
    shim = compiled(request.param, "misbehaving", place, "-shared", "-fPIC")
    faults = place / "faults.txt"
    faults.write_text("none before\n" + "".join(f"{fault}\n" for fault in (*ENDING, "none before", *HARMLESS)))
    folder = place / "campaign"
    words = ("-m", request.param, "--op", "alltoall", "--sizes", "64", "--nrep", "400", "--launches", "5", *QUICK,
             "--timeout", "600s", "--retries", str(len(ENDING) - 1), "--env", f"LD_PRELOAD={shim}",
             "--env", f"ICTUS_FAULTS={faults}")  # fmt: skip
    with running(folder, *words) as runner:
        assert waited_for(lambda: bool(list((folder / "launches").glob("0001-*"))))
        before = contents(folder)
        second = run_ictus("run", "-o", folder)
        said = ended(runner, 3)
        assert all_gone(folder)
    return Disturbed(folder, before, second, said, run_ictus("run", "-o", folder))


@pytest.mark.parametrize("fault", ENDING)
def test_a_fault_sets_its_launch_aside_and_names_it(disturbed: Disturbed, fault: str) -> None:
    """With a reason, its files, and a line of the run."""
    entry = disturbed.failures[fault]
    aside = entry.aside
    assert entry.slot == 1
    assert aside is not None
    assert (disturbed.folder / aside / "arguments.txt").is_file()
    reason = entry.model_dump()["reason"]
    assert re.search(ENDING[fault], reason), reason
    assert aside in " ".join(disturbed.said.split()) or reason.splitlines()[0] in disturbed.said


def test_the_next_run_continues_the_same_schedule(disturbed: Disturbed) -> None:
    """All launches are there, each with its own numbers; the first one and the design are what they were."""
    assert disturbed.resumed.code == 0, disturbed.resumed.err
    assert load(disturbed.folder).complete
    assert load(disturbed.folder).warnings == ()
    assert contents(disturbed.folder).keys() >= disturbed.before.keys()
    assert {name: contents(disturbed.folder)[name] for name in disturbed.before} == disturbed.before
    assert len(list((disturbed.folder / "aside").iterdir())) == len(ENDING)
    verified = run_ictus("verify", disturbed.folder)
    assert verified.code == 0, verified.out + verified.err


def test_a_second_run_is_refused_meanwhile(disturbed: Disturbed) -> None:
    """Exit code 2, and it names the process."""
    assert disturbed.second.code == 2
    assert re.search(r"in use by another ictus run \(process \d+ on ", disturbed.second.err), disturbed.second.err


def test_what_a_library_prints_is_kept_and_changes_nothing(disturbed: Disturbed) -> None:
    """It is in the launch's own files; no number comes from there."""
    launches = {launch.folder.name[:4]: launch.folder for launch in load(disturbed.folder).launches}
    for slot in ("0003", "0004"):
        assert b'{"library": "says"}' in (launches[slot] / "stdout.txt").read_bytes()
        assert b"a library says \xff\xfe" in (launches[slot] / "stderr.txt").read_bytes()


def test_a_pause_of_a_rank_is_seen_in_its_samples(disturbed: Disturbed) -> None:
    """One repetition of the second that it was stopped: it is a measured one, and no other is touched."""
    launch = next(one for one in load(disturbed.folder).launches if one.folder.name.startswith("0002"))
    from numpy import load as read

    samples = read(launch.folder / "samples.npy")
    assert (samples["local_max"] > 0.9).sum() == 1
    assert len(samples) >= 400
