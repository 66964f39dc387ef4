"""A campaign that is killed at any moment goes on, and ends as if nothing had happened."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ictus.launch.launchers.simulated import Simulated
from ictus.model.errors import MeasurementError
from ictus.store.campaign import load
from ictus.store.journal import campaign_state, read_journal

from .conftest import Rig

STEPS = (
    ("os.write", os, "write"),
    ("os.fsync", os, "fsync"),
    ("rename", Path, "rename"),
    ("mkdir", Path, "mkdir"),
    ("write_text", Path, "write_text"),
    ("parquet", pl.DataFrame, "write_parquet"),
    ("execute", Simulated, "__call__"),
)
"""Every way in which a campaign touches the disk, and the launch itself."""


class Killed(BaseException):
    """The process ends here: nothing catches it."""


@contextmanager
def killed_at(step: int, *, halfway: bool) -> Iterator[list[str]]:
    """Raise Killed in place of the given step, counted over all of STEPS; a write may be cut in half before."""
    taken: list[str] = []

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            taken.append(name)
            if len(taken) - 1 == step:
                if halfway and name == "os.write":
                    function(arguments[0], arguments[1][: len(arguments[1]) // 2])
                raise Killed
            return function(*arguments, **options)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name, owner, attribute in STEPS:
            patch.setattr(owner, attribute, counted(name, getattr(owner, attribute)))
        yield taken


def world(rig: Rig) -> Simulated:
    """A launch that fails once and one that is contended once, so that every path is walked."""
    return rig.faulty(slot_0=["fail"], slot_1=["contended"])


def assert_as_if_nothing_had_happened(rig: Rig, reference: Path) -> None:
    """Every slot has its launch, with the numbers of an undisturbed campaign, and no half-written one is left."""
    campaign = load(rig.folder, contended=True)
    assert campaign.warnings == ()
    assert campaign.complete
    undisturbed = campaign_state(read_journal(reference / "journal.jsonl").entries).accepted
    assert len(undisturbed) == 2
    for name in undisturbed.values():
        here, there = rig.folder / name, reference / name
        assert (here / "samples.npy").read_bytes() == (there / "samples.npy").read_bytes()
        assert pl.read_parquet(here / "summary.parquet").equals(pl.read_parquet(there / "summary.parquet"))
    folders = {f"launches/{path.name}" for path in (rig.folder / "launches").iterdir()}
    found = campaign_state(read_journal(rig.folder / "journal.jsonl").entries)
    assert folders == {*found.accepted.values(), *(name for tries in found.contended.values() for name in tries)}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """An undisturbed campaign, and the steps that it took."""
    rig = small(Rig(tmp_path_factory.mktemp("reference") / "campaign"))
    with killed_at(-1, halfway=False) as steps:
        rig.run(world(rig))
    return rig.folder, steps


def small(rig: Rig) -> Rig:
    """Two launches of one case."""
    rig.values |= {"op": "bcast", "sizes": "64", "launches": 1, "nrep": 2}
    return rig


SHARES = 8
"""The steps are tested in so many groups, so that a failure names its neighbourhood."""
SHORT = (0, 3, 6)
"""Groups with steps of every kind."""


def test_the_short_groups_have_every_kind_of_step(reference: tuple[Path, list[str]]) -> None:
    """What each of them leaves half done is then put right in every `make test`; each single step, in the long one."""
    _, steps = reference
    assert {name for share in SHORT for name in steps[share::SHARES]} == {name for name, _, _ in STEPS}


@pytest.mark.parametrize(
    "share", [share if share in SHORT else pytest.param(share, marks=pytest.mark.long) for share in range(SHARES)]
)
def test_killed_before_any_step_it_goes_on(rig: Rig, reference: tuple[Path, list[str]], share: int) -> None:
    """Between any two steps the folder is one that the next run puts right."""
    folder, steps = reference
    assert {name for name, _, _ in STEPS} == set(steps)
    for step in range(share, len(steps), SHARES):
        shutil.rmtree(rig.folder, ignore_errors=True)
        with killed_at(step, halfway=False), pytest.raises(Killed):
            small(rig).run(world(rig))
        assert rig.run(world(rig)).done == 2
        assert_as_if_nothing_had_happened(rig, folder)


def test_killed_in_the_middle_of_a_journal_line_it_goes_on(rig: Rig, reference: tuple[Path, list[str]]) -> None:
    """The torn line is taken off, and what it would have said is found out again."""
    folder, steps = reference
    for step in [number for number, name in enumerate(steps) if name == "os.write"]:
        shutil.rmtree(rig.folder, ignore_errors=True)
        with killed_at(step, halfway=True), pytest.raises(Killed):
            small(rig).run(world(rig))
        assert rig.run(world(rig)).done == 2
        assert_as_if_nothing_had_happened(rig, folder)


def test_killed_twice_it_goes_on(rig: Rig, reference: tuple[Path, list[str]]) -> None:
    """Recovery itself may be interrupted."""
    folder, steps = reference
    for step in range(0, len(steps), 11):
        shutil.rmtree(rig.folder, ignore_errors=True)
        with killed_at(step, halfway=False), pytest.raises(Killed):
            small(rig).run(world(rig))
        for again in (2, 5, 9):
            with killed_at(again, halfway=False), suppress(Killed):  # with little left to do it may get through
                rig.run(world(rig))
        assert rig.run(world(rig)).done == 2
        assert_as_if_nothing_had_happened(rig, folder)


def test_a_killed_process_leaves_what_the_next_one_goes_on_with(rig: Rig) -> None:
    """SIGKILL for real, at a moment that nobody chose; the lock goes with the process."""
    script = textwrap.dedent(
        """
        import sys, time
        from pathlib import Path
        from ictus.engine.runner import run_campaign
        from ictus.launch.launchers.simulated import Simulated
        from ictus.model.design import make_design
        from ictus.model.plan import Plan
        from ictus.model.registries import Registries

        def execute(slot, folder):
            print(slot.slot, flush=True)
            time.sleep(0.02)
            return Simulated()(slot, folder)

        plan = Plan.from_values({"op": "bcast", "sizes": "64", "launches": 6, "nrep": 2, "seed": 1, "mpi": "a=x,b=y"})
        design = make_design(plan, Registries.load(), [Simulated.installation(label) for label in "ab"])
        run_campaign(Path(sys.argv[1]), design, execute)
        """
    )
    command = [sys.executable, "-c", script, str(rig.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(5):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    campaign = load(rig.folder)
    assert (campaign.complete, len(campaign.launches), campaign.warnings) == (True, 12, ())


def test_an_accepted_launch_that_was_damaged_is_measured_again(rig: Rig) -> None:
    """Torn by a power failure or deleted by hand: the damage is kept aside and noted."""
    rig.run()
    first, second = (launch.folder for launch in load(rig.folder).launches[:2])
    (first / "samples.npy").write_bytes((first / "samples.npy").read_bytes()[:-1])
    shutil.rmtree(second)
    assert rig.run().done == 4
    assert load(rig.folder).warnings == ()
    assert f"aside/{first.name}.1" in rig.tree()


def test_a_journal_damaged_in_the_middle_is_refused(rig: Rig) -> None:
    """What happened cannot be guessed; the line is named."""
    rig.run()
    path = rig.folder / "journal.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], "{}garbage\n", *lines[2:]]))
    with pytest.raises(MeasurementError, match=r"journal.jsonl, line 3 is damaged"):
        rig.run()
