"""The display while a campaign runs. On a terminal one line, drawn at each event and once a second.

On busy cores a display of ten frames a second causes stalls of milliseconds in the measurement; one frame a second
takes about a thousandth of one core. Off a terminal each launch is one plain line, and during a launch nothing moves.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.status import Status

from ictus.engine import event
from ictus.engine.adaptive_schedule import Forecast
from ictus.engine.decision_progress import DecisionProgress
from ictus.model.design import Slot
from ictus.model.errors import MeasurementError, StoppedByUser
from ictus.model.quantity import format_span
from ictus.render.output import command, errors, warn
from ictus.render.progress_line import ProgressLine, left_text, so_far_parts


class Display:
    """Shows events on standard error: the observer of a terminal. A context, at whose end nothing moves any more."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or errors()
        self._live = self._console.is_terminal
        self._progress_line: ProgressLine | None = None
        self._status: Status | None = None
        self._steps: set[str] = set()
        """Steps of preparing that have a line already."""
        self._lasting = False
        """The warning of lasting contention was given: from then on its launches are only counted."""
        self._accepted_launches = self._disturbed = self._repeated = 0
        self._so_far: dict[tuple[str, str, int], event.CaseSoFar | None] = {}
        """The running median of the last case, of each kind of launch: a library's number never stands beside another
        library's name."""

    def __enter__(self) -> "Display":  # noqa: PYI034 (Self needs Python 3.11)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_status()
        self._end_line()

    def _end_line(self) -> None:
        if self._progress_line is not None:
            self._progress_line.stop()
            self._progress_line = None

    def __call__(self, happened: event.Event, /) -> None:
        """Draw one event."""
        if isinstance(happened, event.PreparationStep):
            self._prepare(happened)
            return
        self._end_status()
        if isinstance(happened, event.Note):
            self._line(happened.text)
        elif isinstance(happened, event.WarningNote):
            warn([happened.text])
        else:
            self._show(happened)

    def _prepare(self, step: event.PreparationStep) -> None:
        """One changing line on a terminal, else a line for each step."""
        if self._live:
            if self._status is None:
                self._status = self._console.status("", spinner="dots", refresh_per_second=4)
                self._status.start()
            self._status.update(f"{step.step}: {step.detail}" if step.detail else step.step)
        elif step.step not in self._steps:
            self._steps.add(step.step)
            self._line(step.step)

    def _end_status(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _show(self, happened: event.Event) -> None:
        """Draw what happens to launches."""
        if isinstance(happened, event.CampaignStarted):
            self._started(happened)
        elif isinstance(happened, event.LaunchStarted):
            again = f", try {happened.attempt}" if happened.attempt > 1 else ""
            slot = happened.slot
            self._draw(f"{_launch_text(slot)}{again}", happened.progress, self._so_far.get(_kind(slot)))
        elif isinstance(happened, event.StudyLaunchStarted):
            again = f", try {happened.attempt}" if happened.attempt > 1 else ""
            if self._live:
                self._draw(f"{happened.about}{again}", happened.progress)
            else:
                self._line(f"measuring {happened.about}{again}")
        elif isinstance(happened, event.LaunchAccepted):
            self._accepted(happened)
        elif isinstance(happened, event.LaunchContended):
            self._contended(happened)
        elif isinstance(happened, event.ContentionPersists) and not self._lasting:
            self._lasting = True
            self._line(
                f"others have used the cores in every try of {happened.slots} launches in a row: "
                "launches are marked but no longer measured again"
            )
        elif isinstance(happened, event.BlockPlanned):
            self._planned(happened)
        elif isinstance(happened, event.BlockAwaited | event.CampaignAwaited):
            self._awaited(happened)
        elif isinstance(happened, event.CampaignFinished | event.CampaignStopped):
            self._count_disturbed()
        elif isinstance(happened, event.LaunchFailed) and happened.tries_left:  # of the last try the error tells
            self._line(f"{happened.name} failed, tried again: {_brief(happened.reason)}")

    def _contended(self, contended: event.LaunchContended) -> None:
        """The first is told with its reason, further ones are counted: a busy machine has many."""
        self._repeated += 1
        if self._repeated == 1:
            share = "" if contended.share is None else f" for {contended.share:.0%} of the time"
            why = (
                "the mode of the machine changed"
                if contended.mode_changed
                else f"other processes used its cores{share}"
            )
            self._line(f"{contended.slot.folder_name}: {why}; measured again")

    def _started(self, started: event.CampaignStarted) -> None:
        self._accepted_launches = self._disturbed = self._repeated = 0
        self._lasting, self._so_far = False, {}
        if started.resumed:
            resumed_text = f"{started.progress.done} of {started.progress.total} launches are there"
            self._line(f"going on with {started.folder}: {resumed_text}")
        for note in started.notes:
            self._line(f"note: {note}")

    def _planned(self, planned: event.BlockPlanned) -> None:
        """The forecast for the goal: at the first plan, and again when every case has its least launches."""
        if isinstance(planned.forecast, DecisionProgress):
            if planned.forecast.at_look:
                self._line(decisions_text(planned.forecast, over=planned.over))
            return
        if not planned.over and (planned.first or planned.forecast.least):
            guess = "" if planned.forecast.least else "a first guess "
            self._line(f"{guess}{forecast_text(planned.forecast)}")

    def _awaited(self, awaited: event.BlockAwaited | event.CampaignAwaited) -> None:
        """A block on a terminal is awaited in the line that moves; all else gets a line of its own."""
        at, wait = clock_text(awaited.begins), format_span(awaited.wait_s)
        if isinstance(awaited, event.CampaignAwaited):
            self._end_line()
            self._line(f"{awaited.folder} begins at {at}, in {wait}")
        elif self._live:
            self._draw(f"next block at {at}", awaited.progress)
        else:
            self._line(f"next block at {at}, in {wait}")

    def _accepted(self, accepted: event.LaunchAccepted) -> None:
        so_far, progress = accepted.last_case, accepted.progress
        self._so_far[_kind(accepted.slot)] = so_far
        if self._live:
            self._draw(_launch_text(accepted.slot), progress, so_far)
        else:
            count_text = f"{progress.done}/{progress.total} {accepted.slot.mpi} n={accepted.slot.n}"
            left = left_text(progress.left_s) if progress.done < progress.total else ""
            median = "" if so_far is None else " ".join(so_far_parts(so_far))
            self._line("; ".join(filter(None, (f"{count_text}: {accepted.elapsed_s:.1f} s", median, left))))
        self._accepted_launches += 1
        self._disturbed += accepted.contended

    def _count_disturbed(self) -> None:
        """At the end a line for all tries that were disturbed, and one for the launches that were in every try."""
        if self._repeated > 1:
            self._line(f"{self._repeated} disturbed tries were measured again")
        if self._disturbed:
            verb, subject = ("was", "it is") if self._disturbed == 1 else ("were", "they are")
            total = f"{self._accepted_launches} launch{'' if self._accepted_launches == 1 else 'es'}"
            self._line(f"{self._disturbed} of {total} {verb} disturbed in every try; {subject} kept and marked")

    def _draw(self, text: str, progress: event.Progress, so_far: event.CaseSoFar | None = None) -> None:
        if not self._live:
            return
        if self._progress_line is None:
            self._progress_line = ProgressLine(self._console)
        self._progress_line.show(text, progress, so_far)

    def _line(self, text: str) -> None:
        self._console.print(text)
        if not self._live:
            sys.stderr.flush()


@contextmanager
def resumable(*words: str, folder: Path | None = None) -> Iterator[Display]:
    """A display around a command's measurement. If the user stops it, the error names the command that continues:
    `ictus WORDS -o FOLDER`, by default with the folder of the campaign.
    """
    try:
        with Display() as display:
            yield display
    except StoppedByUser as error:
        again = command(*words, "-o", folder or error.folder)
        elsewhere = folder is not None and folder.absolute() != error.folder.absolute()
        where = f" in {error.folder}" if elsewhere else ""
        raise MeasurementError(
            f"stopped: {error.done} of {error.total} launches{where} are complete; `{again}` continues with the rest"
        ) from error


def _brief(reason: str) -> str:
    """The first line of a reason, with the first line of what it quotes."""
    first, *quoted = reason.splitlines()
    return f"{first} {quoted[0].strip()}" if first.endswith(":") and quoted else first


def clock_text(moment: datetime) -> str:
    """`14:32:10`, with the date on another day than today."""
    today = moment.date() == datetime.now().astimezone().date()
    return f"{moment:%H:%M:%S}" if today else f"{moment:%Y-%m-%d %H:%M:%S}"


def _launch_text(slot: Slot) -> str:
    return f"{slot.mpi}, {slot.n} processes"


def _kind(slot: Slot) -> tuple[str, str, int]:
    """What launches share that measure the same."""
    return slot.mpi, slot.algorithm, slot.n


def forecast_text(forecast: Forecast) -> str:
    """The forecast of the launches so far, and what a budget allows."""
    launches = f"{forecast.launches} launch{'' if forecast.launches == 1 else 'es'} of each library"
    if forecast.needed_s is None or forecast.further_launches is None:
        needed = "would take more than 100,000 more launches of each library"
    else:
        further = (
            f"{forecast.further_launches:,} more launch{'' if forecast.further_launches == 1 else 'es'} of each library"
        )
        needed = f"takes about {further}, {format_span(forecast.needed_s)}"
    sentence = f"by {launches}, the goal of {forecast.goal} {needed}"
    if forecast.left_s is None:
        return f"{sentence}; there is no time budget" if forecast.needed_s is None else sentence
    budget = f"of the budget {format_span(forecast.left_s)} are left"
    if forecast.reachable is not None:
        return f"{sentence}; {budget}, enough for about {100 * forecast.reachable:.2g} %"
    return f"{sentence}; {budget}"


def decisions_text(progress: DecisionProgress, *, over: bool) -> str:
    """What a look decided."""
    sentence = (
        f"look at {progress.launches} launches of each library: {progress.decided} of {progress.comparisons} decided"
    )
    return sentence if over else f"{sentence}; the next at {progress.next_look}"
