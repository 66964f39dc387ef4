"""What a running campaign tells whoever shows it. Events come between launches; during one, the runner sleeps."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ictus.model.slot import Slot

if TYPE_CHECKING:
    from ictus.engine.pursuit import Forecast


@dataclass(frozen=True)
class Progress:
    """How far the campaign is."""

    done: int
    """Slots with an accepted launch."""
    total: int
    left_s: float | None
    """Expected time until the end, None before the first launch of this run is through."""


@dataclass(frozen=True)
class Begun:
    """The campaign begins, or goes on where it was interrupted."""

    folder: Path
    resumed: bool
    progress: Progress
    notes: tuple[str, ...]
    """Sizes that were merged or rounded; leftovers that were set aside."""


@dataclass(frozen=True)
class LaunchBegun:
    """A launch is about to start; nothing more is heard until it ends."""

    slot: Slot
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


@dataclass(frozen=True)
class LaunchContended:
    """Others used the ranks' cores: the launch is kept as a try and repeated."""

    slot: Slot
    folder: Path
    share: float | None
    """Share of CPU time that others took."""
    progress: Progress


@dataclass(frozen=True)
class ContentionLasts:
    """Several slots in a row were contended in every try: launches are not repeated for it until one is quiet."""

    slots: int
    progress: Progress


@dataclass(frozen=True)
class LaunchFailed:
    """A launch failed and was set aside; it is tried again while `tries_left`."""

    slot: Slot
    reason: str
    aside: Path
    tries_left: int
    progress: Progress


@dataclass(frozen=True)
class Planned:
    """A precision goal is pursued, and the next launches are planned; or it is over."""

    forecast: "Forecast"
    first: bool
    """Whether nothing was planned before in this run."""
    over: bool
    progress: Progress


@dataclass(frozen=True)
class Stopped:
    """Interrupted by the user; the same command goes on."""

    folder: Path
    progress: Progress


@dataclass(frozen=True)
class Finished:
    """Every slot has its launch."""

    folder: Path
    progress: Progress


Event = (
    Begun
    | LaunchBegun
    | LaunchAccepted
    | LaunchContended
    | ContentionLasts
    | LaunchFailed
    | Planned
    | Stopped
    | Finished
)
OnEvent = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Show nothing."""
