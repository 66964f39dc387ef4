"""Pages without their figures, which take longer than most of what a command does: for tests that look at none."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from ictus.render.figures.svg import KEPT


class Undrawn:
    """In place of a figure, its axes, and all that is on them: whatever is asked of it, the answer is such a one."""

    def __init__(self, *_: Any, **__: Any) -> None: ...

    def __getattr__(self, name: str) -> "Undrawn":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: Any, **__: Any) -> "Undrawn":
        """Again."""
        return self

    def set_yticks(self, places: Sequence[float], *_: Any, **__: Any) -> None:
        """So many labels are there."""
        self._places = places

    def get_yticklabels(self) -> list["Undrawn"]:
        """One for each tick."""
        return [self for _ in self._places]

    __iter__ = None  # it would never end
    __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __call__

    def __float__(self) -> float:
        return 1.0

    def __lt__(self, _: object) -> bool:
        return False

    __gt__ = __lt__

    def __ge__(self, _: object) -> bool:
        return True

    __le__ = __ge__


class _Dropped:
    """Where figures go that nobody looks at."""

    def keep(self, *_: object) -> str:
        """Keep nothing."""
        return ""


@contextmanager
def undrawn(patches: pytest.MonkeyPatch) -> Iterator[None]:
    """In the block each figure is worked out, and nothing is drawn."""
    for name in ("figure.Figure", "lines.Line2D", "collections.LineCollection", "transforms.ScaledTranslation"):
        patches.setattr(f"matplotlib.{name}", Undrawn)
    token = KEPT.set(_Dropped())
    yield
    KEPT.reset(token)
