"""The budget of advice: a check ends where it would go beyond it, and a tuning takes what a raised one adds."""

from collections.abc import Callable
from dataclasses import dataclass

from ictus.engine.event import Event, LaunchAccepted, Observer
from ictus.tuning.outcome import Tuning

_KNOWN_AFTER = 2
"""Launches of a check after which its time is known: the first may be slow for reasons of its own."""
_MORE = 1.01
"""A budget that is larger by this has been raised, and was not just computed again."""


class BudgetEnded(Exception):
    """A check would go on beyond the budget."""

    def __init__(self, left_s: float) -> None:
        super().__init__()
        self.left_s = left_s


@dataclass
class BudgetWatch:
    """The observer of a check: passes events on, and ends the check at the first launch that shows that the rest of it
    does not fit into what is left of the budget.
    """

    observer: Observer
    left_s: Callable[[], float]

    def __call__(self, happened: Event, /) -> None:
        """Pass on. Raises BudgetEnded between two launches, so that the same check can be continued."""
        self.observer(happened)
        if not isinstance(happened, LaunchAccepted) or happened.progress.left_s is None:
            return
        is_predictable = _KNOWN_AFTER <= happened.progress.done < happened.progress.total
        if is_predictable and happened.progress.left_s > self.left_s():
            raise BudgetEnded(happened.progress.left_s)


def tuned_within(room_s: float, tune: Callable[[float | None], Tuning], *, has_begun: bool) -> Tuning:
    """A tuning in this time. One that has begun keeps its own budget (None), but for answers that this one cut short
    and a larger one has room for.
    """
    if not has_begun:
        return tune(room_s)
    tuning = tune(None)
    is_raised = room_s > _MORE * tuning.budget_s
    return tune(room_s) if is_raised and any(cell.cut_short for cell in tuning.cells) else tuning
