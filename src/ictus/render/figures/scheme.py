"""The colours of every figure and page: a name, its light and its dark value.

Figures are drawn with sentinel colours that are rewritten to `var(--name, light value)`: a figure inside a page follows
the page's colour scheme, and a figure on its own is light. The series colours can be told apart with the common colour
vision deficiencies (after Okabe and Ito), and each series has its own marker.
"""

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Colour:
    """One named colour with its value (`#rrggbb`) in the light and in the dark scheme."""

    name: str
    light: str
    dark: str


COLOURS = (
    Colour("paper", "#fbfaf8", "#15171b"),
    Colour("card", "#ffffff", "#1c1f24"),
    Colour("ink", "#1c1e22", "#e9e7e2"),
    Colour("soft", "#5b606a", "#a4a9b3"),
    Colour("line", "#dedbd4", "#343943"),
    Colour("band", "#ece9e2", "#272b32"),
    Colour("notice", "#8a5a00", "#e8b94f"),
    Colour("series-1", "#1768ac", "#6cb4f0"),
    Colour("series-2", "#b8500a", "#f2994f"),
    Colour("series-3", "#0b7a5e", "#4cc9a3"),
    Colour("series-4", "#8a3f92", "#d79be0"),
    Colour("series-5", "#6b6100", "#d3c44a"),
    Colour("series-6", "#a8325a", "#f28ba6"),
)

N_SERIES = 6
MARKERS = ("o", "s", "^", "D", "v", "P")
"""matplotlib's marker of series 1, 2, ...; the colour never stands alone."""

_INDEX = {colour.name: index for index, colour in enumerate(COLOURS)}


ON_PAPER: ContextVar[bool] = ContextVar("on_paper", default=False)
"""Whether figures are drawn in real colours, those of the light scheme."""


def drawn(name: str) -> str:
    """The sentinel that matplotlib draws with for the colour `name`, which becomes its CSS variable; on paper the
    colour itself.
    """
    return COLOURS[_INDEX[name]].light if ON_PAPER.get() else f"#fe{_INDEX[name]:02x}01"


def series_name(index: int) -> str:
    """Name of the colour of the series `index` (0, 1, ...); after six the colours begin again."""
    return f"series-{index % N_SERIES + 1}"


def marker(index: int) -> str:
    """Marker of the series `index` (0, 1, ...); where the colours begin again the markers are shifted by one, so that
    no two of the first 36 series look alike.
    """
    return MARKERS[(index + index // N_SERIES) % len(MARKERS)]


def sentinels() -> dict[str, str]:
    """Every sentinel with the CSS text that replaces it."""
    return {drawn(colour.name): f"var(--{colour.name},{colour.light})" for colour in COLOURS}


def css_variables(dark: bool) -> str:
    """Declarations `--name:value;` of one scheme, in the order of `COLOURS`."""
    return "".join(f"--{colour.name}:{colour.dark if dark else colour.light};" for colour in COLOURS)


def dashes(index: int) -> str | tuple[int, tuple[float, float]]:
    """How the line of a series is drawn: whole for the first six, dashed where the colours begin again."""
    return "solid" if index < N_SERIES else (0, (4, 2)) if index < 2 * N_SERIES else (0, (1, 2))


MOST_LINES = N_SERIES
"""Lines that one chart tells apart; of more only a few have colours, and the others are grey."""


def line_colour(index: int | None) -> str:
    """The sentinel of a line: that of its series, grey for one that only stands for the rest (None)."""
    return drawn("line") if index is None else drawn(series_name(index))
