"""The events that the engine sends to an observer: steps of preparation, launches, warnings.

Events are sent between launches; during a launch the runner sleeps. The engine prints nothing: a terminal draws events
(`render/progress.py`), `log` passes them to Python's logging, `ignore` drops them.
"""

import logging
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ictus.model.case import Case
from ictus.model.design import Slot

if TYPE_CHECKING:
    from ictus.engine.adaptive_schedule import Forecast
    from ictus.engine.decision_progress import DecisionProgress


@dataclass(frozen=True)
class PreparationStep:
    """A preparation that may take minutes: a library is searched for or asked, its core is built."""

    step: str
    detail: str = ""
    """How far the step is."""


@dataclass(frozen=True)
class Note:
    """A remark: what is measured next and why, what was left out."""

    text: str


@dataclass(frozen=True)
class WarningNote:
    """Something that the user is to heed: it makes results worse, and stops nothing."""

    text: str


@dataclass(frozen=True)
class Progress:
    """How far the campaign is."""

    done: int
    """Slots with an accepted launch."""
    total: int
    left_s: float | None
    """Expected time until the end, None before the first launch of this run is through."""


@dataclass(frozen=True)
class CaseSoFar:
    """How long a case takes, by the launches so far."""

    case: Case
    median_s: float
    """Median of the launches' medians."""


@dataclass(frozen=True)
class CampaignStarted:
    """The campaign starts, or continues after an interruption."""

    folder: Path
    resumed: bool
    progress: Progress
    notes: tuple[str, ...]
    """Sizes that were merged or rounded; leftovers that were set aside."""


@dataclass(frozen=True)
class LaunchStarted:
    """A launch is about to start; nothing more is heard until it ends."""

    slot: Slot
    attempt: int
    progress: Progress


@dataclass(frozen=True)
class StudyLaunchStarted:
    """A launch that is not a campaign's is about to start: of a study, or of another program."""

    about: str
    """The measured operations, the library, the number of processes."""
    attempt: int
    progress: Progress


@dataclass(frozen=True)
class LaunchAccepted:
    """A launch is complete. `contended`: accepted all the same, after all its repetitions were disturbed too."""

    slot: Slot
    folder: Path
    elapsed_s: float
    contended: bool
    share: float | None
    progress: Progress
    last_case: CaseSoFar | None = None
    """The last case of the plan, in launches like this one; None where it has no valid sample."""


@dataclass(frozen=True)
class LaunchContended:
    """Others used the ranks' cores, or the machine changed: the launch is kept as a try and repeated."""

    slot: Slot
    folder: Path
    share: float | None
    """Share of CPU time that others took."""
    progress: Progress
    mode_changed: bool = False
    """Nobody did, but the mode of the machine changed meanwhile."""


@dataclass(frozen=True)
class ContentionPersists:
    """Several slots in a row were contended in every try: launches are not repeated for it until one is quiet."""

    slots: int
    progress: Progress


@dataclass(frozen=True)
class LaunchFailed:
    """A launch failed and was set aside; it is tried again while `tries_left`."""

    name: str
    """The name of its folder."""
    reason: str
    aside: Path
    tries_left: int
    progress: Progress


@dataclass(frozen=True)
class BlockPlanned:
    """The next launches for a precision goal are planned, or the goal is over."""

    forecast: "Forecast | DecisionProgress"
    first: bool
    """Whether nothing was planned before in this run."""
    over: bool
    progress: Progress


@dataclass(frozen=True)
class BlockAwaited:
    """The next block of launches begins later: its campaign is spread over a time."""

    block: int
    """Its number, from 0."""
    begins: datetime
    """The time of day, in the zone of here."""
    wait_s: float
    progress: Progress


@dataclass(frozen=True)
class CampaignAwaited:
    """The next of several campaigns begins later."""

    folder: Path
    begins: datetime
    """The time of day, in the zone of here."""
    wait_s: float


@dataclass(frozen=True)
class CampaignStopped:
    """The user interrupted the campaign; the same command continues it."""

    folder: Path
    progress: Progress


@dataclass(frozen=True)
class CampaignFinished:
    """Every slot has its launch."""

    folder: Path
    progress: Progress


Event = (
    PreparationStep
    | Note
    | WarningNote
    | CampaignStarted
    | LaunchStarted
    | StudyLaunchStarted
    | LaunchAccepted
    | LaunchContended
    | ContentionPersists
    | LaunchFailed
    | BlockPlanned
    | BlockAwaited
    | CampaignAwaited
    | CampaignStopped
    | CampaignFinished
)


class Observer(Protocol):
    """Receives one event after the other; returns nothing."""

    def __call__(self, happened: Event, /) -> None:
        """Take one event."""
        ...


def ignore(happened: Event, /) -> None:
    """Take no notice: the observer of who wants silence."""


def log(happened: Event, /) -> None:
    """Hand events to the logger `ictus`: warnings as such, preparing as DEBUG, all else as INFO."""
    logger = logging.getLogger("ictus")
    if isinstance(happened, WarningNote):
        logger.warning("%s", happened.text)
    elif isinstance(happened, PreparationStep):
        logger.debug("%s", f"{happened.step}: {happened.detail}" if happened.detail else happened.step)
    elif isinstance(happened, LaunchFailed):
        logger.warning("%s failed, %d tries left: %s", happened.name, happened.tries_left, happened.reason)
    elif isinstance(happened, Note):
        logger.info("%s", happened.text)
    else:
        logger.info("%s", happened)
