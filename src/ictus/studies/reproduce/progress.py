"""The time that a series of campaigns needs, shown before it begins and while it runs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from ictus.engine import event
from ictus.engine.series import Part, is_complete, spent_s
from ictus.render.output import errors
from ictus.render.progress_line import left_text


class SeriesProgress:
    """Turns the events of single campaigns into the progress of all of them.

    What a launch takes is learnt from the rehearsals of its way, and from then on from every launch.
    """

    def __init__(
        self, observer: event.Observer, folder: Path, rehearsals: Sequence[Part], trials: Sequence[Part]
    ) -> None:
        self._observer, self._live = observer, errors().is_terminal
        complete = [part for part in (*rehearsals, *trials) if is_complete(folder / part.name)]
        self._spent = {way(part): 0.0 for part in rehearsals}
        self._launches = dict.fromkeys(self._spent, 0)
        for part in complete:
            self._spent[way(part)] += spent_s(folder / part.name)
            self._launches[way(part)] += part.n_launches
        waiting = [part for part in trials if part not in complete]
        self._left = {name: sum(part.n_launches for part in waiting if way(part) == name) for name in self._spent}
        self.n_launches = sum(part.n_launches for part in trials)
        self._open = {
            trial_of(part): sum(trial_of(part) == trial_of(waiting_part) for waiting_part in waiting)
            for part in waiting
        }
        self._n_trials = len({trial_of(part) for part in trials})

    @property
    def n_waiting(self) -> int:
        """Launches to come."""
        return sum(self._left.values())

    @property
    def left_s(self) -> float:
        """The expected remaining time, seconds; 0 for a way without data."""
        return sum(
            left * self._spent[name] / self._launches[name] for name, left in self._left.items() if self._launches[name]
        )

    def show(self, part: Part, happened: event.Event) -> None:
        """Draw one event of one campaign."""
        if isinstance(happened, event.CampaignStarted):
            self._left[way(part)] -= happened.progress.done
            return
        if isinstance(happened, event.LaunchAccepted):
            self._left[way(part)] -= 1
            self._spent[way(part)] += happened.elapsed_s
            self._launches[way(part)] += 1
        if isinstance(happened, event.CampaignFinished):
            self._finished(trial_of(part))
        elif isinstance(happened, event.PreparationStep | event.Note | event.WarningNote | event.CampaignAwaited):
            self._observer(happened)
        elif self._live or not isinstance(happened, event.LaunchAccepted):
            progress = event.Progress(self.n_launches - self.n_waiting, self.n_launches, self.left_s)
            self._observer(replace(happened, progress=progress))

    def _finished(self, trial: str) -> None:
        """Off a terminal one line for each trial that is whole."""
        self._open[trial] -= 1
        if not self._open[trial] and not self._live:
            left = f", {left_text(self.left_s)}" if self.n_waiting else ""
            self._observer(event.Note(f"trial {int(trial)} of {self._n_trials} is there{left}"))


def way(part: Part) -> str:
    """The name of a part's folder."""
    return PurePosixPath(part.name).name


def trial_of(part: Part) -> str:
    """The number of its trial, as its folder has it."""
    return PurePosixPath(part.name).parent.name
