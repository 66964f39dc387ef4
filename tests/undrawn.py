"""Pages without their figures, which take longer than most of what a command does: for tests that look at none."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from ictus.render.figures import panel
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


class _Dropped(list[Any]):
    """Where figures go that nobody looks at."""

    def append(self, _: Any) -> None:
        """Keep nothing."""


@pytest.fixture(autouse=True)
def undrawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In the tests of folders whose conftest imports it, but for those with the mark `figures`: pages are made as ever,
    each figure is worked out, and nothing is drawn.
    """
    if request.node.get_closest_marker("figures"):
        yield
        return
    for name in ("Figure", "Line2D", "LineCollection", "ScaledTranslation"):
        monkeypatch.setattr(panel, name, Undrawn)
    token = KEPT.set(_Dropped())
    yield
    KEPT.reset(token)
