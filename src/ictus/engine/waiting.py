"""When the next block of a running campaign begins, and what is late: of campaigns that are spread over a time."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from ictus.engine.block_times import BlockTimes, first_start, time_after, times_of
from ictus.engine.journal import Journal
from ictus.engine.pause import Pause
from ictus.model.plan import Plan
from ictus.model.quantity import format_span


@dataclass(frozen=True)
class Waiting:
    """The begins of a campaign's blocks, by its journal, which has its start; without `--over` all begin at once."""

    plan: Plan
    journal: Journal
    pause: Pause

    @cached_property
    def _times(self) -> BlockTimes | None:
        return times_of(self.plan, self.journal.entries)

    @cached_property
    def _began(self) -> str:
        began = first_start(self.journal.entries)
        assert began is not None, "a campaign that runs was started"
        return began

    def left_s(self, block: int) -> float:
        """Seconds until a block begins; 0 for one that may begin now, or is late."""
        if self._times is None:
            return 0.0
        return max(self._times.begin_s(block) - self.pause.passed_s(self._began), 0.0)

    def begins(self, block: int) -> datetime:
        """The time of day at which a block begins that is waited for."""
        return time_after(self._began, 0.0 if self._times is None else self._times.begin_s(block))

    def until_end_s(self, launching_s: float | None, blocks: Collection[int]) -> float | None:
        """The time until these blocks are done, whose launches take `launching_s` (None: not known)."""
        wait_s = max((self.left_s(block) for block in blocks), default=0.0) if self._times is not None else 0.0
        return max(launching_s or 0.0, wait_s) if wait_s else launching_s

    def late_note(self, blocks: Collection[int]) -> tuple[str, ...]:
        """What a continued campaign says of blocks that should have begun before; nothing where none is late."""
        if self._times is None:
            return ()
        passed_s, left = self.pause.passed_s(self._began), sorted(set(blocks))
        late = [block for block in left if 0.0 < self._times.begin_s(block) < passed_s]
        if not late:
            return ()
        which = "1 block" if len(late) == 1 else f"{len(late)} blocks"
        begin = "begins at once" if len(late) == 1 else "begin at once, one after the other"
        if late == left:
            over = format_span(self._times.over_s)
            return (f"the time of --over {over} has passed: the last {which} of launches {begin}",)
        return (f"{which} of launches should have begun by now: {'it' if len(late) == 1 else 'they'} {begin}",)
