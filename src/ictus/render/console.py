"""Consoles: what is printed holds no control character of somebody else, and prose fits the terminal."""

import os
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from ictus.render.characters import folded, shown
from ictus.render.program import as_called


class SafeConsole(Console):
    """A console that passes on no control character but its own, and folds prose at a terminal's width. A string is
    prose; a `Text` is a line that is laid out already, or one to be copied.
    """

    def print(self, *objects: Any, **options: Any) -> None:
        """The objects, strings with commands that can be typed here, and folded at spaces on a terminal."""
        objects = tuple(as_called(output) if isinstance(output, str) else output for output in objects)
        if self.is_terminal:
            objects = tuple(folded(output, self.width) if isinstance(output, str) else output for output in objects)
        super().print(*objects, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of a renderable, their texts without control characters."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(shown(segment.text), segment.style)


class ProgressConsole(SafeConsole):
    """Standard error. If its reader goes away (`2>&1 | head`), the measurement continues without output."""

    def on_broken_pipe(self) -> None:
        """From here on standard error goes nowhere."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stderr.fileno())
        os.close(nowhere)
