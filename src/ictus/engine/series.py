"""Several campaigns one after another in one folder, each in its own folder: a sample of whole campaigns.

The series has its own journal and lock, as has each campaign. A campaign whose journal ends with `done` is complete and
not touched again; an interrupted one continues, so that a crash at any moment is harmless.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ictus.engine import event
from ictus.engine.attempt import Execute
from ictus.engine.journal import Journal
from ictus.engine.runner import run_campaign
from ictus.model.case import shared_in_launch
from ictus.model.design import Design
from ictus.store.campaign import JOURNAL
from ictus.store.durable import make_folder
from ictus.store.journal import read_journal, spent_s as spent_in_launches_s


@dataclass(frozen=True)
class Part:
    """One campaign of a series."""

    name: str
    """Its folder, relative to that of the series."""
    design: Design

    @property
    def n_launches(self) -> int:
        """Launches of a complete one."""
        design = self.design
        variants = sum(len(design.of(library.label)) for library in design.libraries)
        return design.plan.launches * variants * len(set(map(shared_in_launch, design.cases)))


OnPart = Callable[[Part, event.Event], None]


def run_series(
    folder: Path, parts: Sequence[Part], execute: Callable[[Design], Execute], on_event: OnPart = lambda *_: None
) -> bool:
    """Run all incomplete campaigns in this order; False when the user ended it.

    Raises UsageError when another process runs the series; otherwise as `run_campaign`. Complete campaigns stay as they
    are.
    """
    folder = folder.absolute()
    make_folder(folder)
    with Journal(folder) as journal:
        journal.start(resumed=bool(journal.entries))
        for part in parts:
            if is_complete(folder / part.name):
                continue
            journal.append("part", {"folder": part.name})
            make_folder((folder / part.name).parent)
            tell = functools.partial(on_event, part)
            ending = run_campaign(folder / part.name, part.design, execute(part.design), tell)
            if ending.stopped:
                journal.append("stopped", {"folder": part.name})
                return False
        journal.append("done", {})
    return True


def is_complete(folder: Path) -> bool:
    """Whether a campaign folder's journal says that every launch is there."""
    entries = read_journal(folder / JOURNAL).entries
    return bool(entries) and entries[-1].event == "done"


def spent_s(folder: Path) -> float:
    """How long the accepted launches of a campaign took, tries that did not count included, seconds."""
    return spent_in_launches_s(read_journal(folder / JOURNAL).entries)
