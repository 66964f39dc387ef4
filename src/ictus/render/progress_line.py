"""The one line of a terminal while launches run: what runs, how many launches are there, the running median, the time
left. It moves once a second; where it has no room, names are shortened and numbers stay.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ictus.engine.event import CaseSoFar, Progress
from ictus.model.quantity import format_duration, format_size
from ictus.model.registries import Registries
from ictus.render.table import short

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_LEAST_NAME = 8
"""Characters that a shortened name keeps."""
_ROOM_FOR_BAR, _BAR = 100, 16
"""Columns of a terminal that has room for a bar; on a narrower one the numbers of launches say it alone."""


@dataclass(frozen=True)
class LineState:
    """What is known at the last event."""

    what: str
    """The library and processes of the launch, or what a study measures."""
    progress: Progress
    so_far: CaseSoFar | None
    """Of launches like the one that runs."""
    since_s: float
    """When the event was."""


class ProgressLine:
    """Draws the line again each second, and at each event. A second is often enough to show life, and seldom enough
    to leave the launch's cores alone: one drawing takes about a millisecond.
    """

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console, self._now = console, clock
        self._state: LineState | None = None
        self._live = Live(
            get_renderable=self._drawn, console=console, refresh_per_second=1, transient=True, auto_refresh=True
        )

    def show(self, what: str, progress: Progress, so_far: CaseSoFar | None) -> None:
        """The line from here on."""
        self._state = LineState(what, progress, so_far, self._now())
        if not self._live.is_started:
            self._live.start()
        self._live.refresh()

    def stop(self) -> None:
        """Nothing moves any more, and nothing of the line is left."""
        self._live.stop()

    def _drawn(self) -> Text:
        return Text() if self._state is None else line_text(self._state, self._now(), self._console.width)


def line_text(state: LineState, now_s: float, columns: int) -> Text:
    """The line at a moment, in at most this number of columns: the operation is shortened first, then what runs; the
    number goes only where nothing else helps.
    """
    passed_s, progress = max(now_s - state.since_s, 0.0), state.progress
    spinner = _FRAMES[int(now_s) % len(_FRAMES)]
    total = progress.total
    bar = [_bar(progress)] if columns >= _ROOM_FOR_BAR and total else []
    count = [f"{progress.done}/{total}"]
    time_left = [_time_text(progress, passed_s)]
    title, number = ("", "") if state.so_far is None else so_far_parts(state.so_far)
    room = columns - len(" ".join(filter(None, (spinner, *bar, *count, number, *time_left)))) - 2
    if title and room < 2 * _LEAST_NAME:
        room, title, number = room + len(number) + 1, "", ""
    title = short(title, max(room - len(state.what), _LEAST_NAME)) if title else ""
    what = short(state.what, max(room - len(title), 1))
    parts = ((spinner, ""), (what, ""), *((cell, "dim") for cell in bar), (count[0], ""))
    parts = (*parts, (" ".join(filter(None, (title, number))), ""), (time_left[0], "dim"))
    return Text(" ", no_wrap=True, overflow="ellipsis").join(Text(text, style) for text, style in parts if text)


def _bar(progress: Progress) -> str:
    filled = _BAR * min(progress.done, progress.total) // progress.total
    return "━" * filled + "─" * (_BAR - filled)


def _time_text(progress: Progress, passed_s: float) -> str:
    """The time left, which counts down while a launch runs; where it is not known, or was too short a guess, how long
    the launch runs.
    """
    if progress.total and progress.done >= progress.total:
        return ""
    if progress.left_s is None or progress.left_s < passed_s:
        return f"{passed_s:.0f} s"
    return left_text(progress.left_s - passed_s)


def so_far_parts(so_far: CaseSoFar) -> tuple[str, str]:
    """`MPI_Bcast` and `64 KiB 3.27 µs`."""
    title = Registries.load().operation_title(so_far.case.operation)
    size = f"{format_size(so_far.case.size_bytes)} " if so_far.case.size_bytes else ""
    return title, f"{size}{format_duration(so_far.median_s)}"


def left_text(seconds: float | None) -> str:
    """`about 1 min 20 s left`, rounded as coarsely as it is known."""
    if seconds is None:
        return ""
    if seconds < 10:
        return "a few seconds left"
    n_seconds = round(seconds / 10) * 10
    if n_seconds < 60:
        return f"about {n_seconds} s left"
    if n_seconds < 3600:
        minutes, seconds_left = divmod(n_seconds, 60)
        return f"about {minutes} min{f' {seconds_left} s' if seconds_left and minutes < 10 else ''} left"
    return f"about {n_seconds / 3600:.1f} h left"
