"""From a matplotlib figure to compact SVG text: text stays text, colours become CSS variables, nothing depends on the
date.

matplotlib writes ids that recur in every figure, a font list with every label, and six decimals with every number. In a
page with fifty figures that is invalid and heavy. So the tree is rewritten: ids only where something refers to them,
with the figure's own hash in front; fonts inherited from the page; two decimals.
"""

import hashlib
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

from ictus.render.figures.scheme import drawn, sentinels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+\.\d+")
_REFERENCE = re.compile(r"#([\w.-]+)")
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_NO_ROTATION = re.compile(r"^rotate\(-?0(\.0+)? [^)]*\)$")

KEPT: ContextVar["KeptFigures | None"] = ContextVar("kept", default=None)
"""Where figures go that are no parts of a page."""
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"


class KeptFigures(Protocol):
    """Takes figures."""

    def keep(self, figure: "Figure", tips: Mapping[str, str]) -> str:
        """Take a figure with the texts of its marks; what stands in the place of its SVG."""


def drawing() -> AbstractContextManager[None]:
    """The settings under which every figure is built and written: the same on every machine and every day."""
    import matplotlib as mpl  # noqa: PLC0415 (only who draws waits for matplotlib)

    ink, soft, line = drawn("ink"), drawn("soft"), drawn("line")
    return mpl.rc_context(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "ictus",
            "font.family": "sans-serif",
            "font.sans-serif": ["DejaVu Sans"],
            "font.size": 11.5,
            "text.color": ink,
            "axes.edgecolor": line,
            "axes.labelcolor": soft,
            "axes.labelsize": 11.5,
            "axes.linewidth": 1.0,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.spines.left": False,
            "axes.grid": True,
            "axes.grid.axis": "y",
            "axes.axisbelow": True,
            "grid.color": line,
            "grid.linewidth": 0.7,
            "xtick.color": line,
            "ytick.color": line,
            "xtick.labelcolor": soft,
            "ytick.labelcolor": soft,
            "xtick.labelsize": 11.5,
            "ytick.labelsize": 11.5,
            "ytick.major.size": 0,
            "xtick.minor.size": 0,
            "ytick.minor.size": 0,
            "path.simplify": False,
        }
    )


def to_svg(figure: "Figure", label: str, tips: Mapping[str, str] | None = None) -> str:
    """The figure as one `<svg>` element that scales with its place and names itself `label` to a screen reader.

    `tips` maps the gid of an artist to the text shown when the pointer rests on it. On paper (render/paper.py)
    the figure is kept, and there is no text but its name.
    """
    if (kept := KEPT.get()) is not None:
        return kept.keep(figure, tips or {})
    written = io.StringIO()
    figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    root = ET.fromstring(written.getvalue())  # noqa: S314 (matplotlib wrote it a line above)
    _drop(root)
    _add_tips(root, tips or {})
    _shorten(root)
    _name_ids(root, hashlib.sha256(written.getvalue().encode()).hexdigest()[:8])
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.attrib.update(
        {"role": "img", "aria-label": label, "style": f"font-family:{FONT};stroke-linejoin:round;stroke-linecap:butt"}
    )
    ET.register_namespace("", _SVG[1:-1])
    return _coloured(ET.tostring(root, encoding="unicode").replace("\n", ""))


def _drop(element: ET.Element) -> None:
    """Leave out the metadata, matplotlib's style sheet (it would reach the whole page) and invisible shapes."""
    for child in list(element):
        style = child.get("style", "")
        if child.tag in (f"{_SVG}metadata", f"{_SVG}style") or ("fill: none" in style and "stroke: none" in style):
            element.remove(child)
            continue
        _drop(child)
        if child.tag in (f"{_SVG}g", f"{_SVG}defs") and len(child) == 0:
            element.remove(child)


def _add_tips(root: ET.Element, tips: Mapping[str, str]) -> None:
    for element in root.iter(f"{_SVG}g"):
        if (tip := tips.get(element.get("id", ""))) is not None:
            title = ET.Element(f"{_SVG}title")
            title.text = tip
            element.insert(0, title)


def _shorten(root: ET.Element) -> None:
    """Two decimals, no blank text between elements, no font family and no rotation by zero at each label."""
    for element in root.iter():
        if element.tag not in (f"{_SVG}text", f"{_SVG}tspan", f"{_SVG}title"):
            element.text = None
        element.tail = None
        if _HREF in element.attrib:
            element.set("href", element.attrib.pop(_HREF))
        if _NO_ROTATION.match(element.get("transform", "")):
            element.attrib.pop("transform")
        for key, value in element.attrib.items():
            if key not in ("id", "href", "clip-path"):
                element.set(key, _NUMBER.sub(_two_decimals, " ".join(value.split())))
        if "style" in element.attrib:
            element.set("style", _short_style(element.attrib["style"]))


def _short_style(style: str) -> str:
    kept = (
        part.strip() for part in style.split(";") if not part.strip().startswith(("font-family", "stroke-linejoin"))
    )
    return ";".join(re.sub(r":\s+", ":", part) for part in kept if part)


def _two_decimals(match: re.Match[str]) -> str:
    text = f"{float(match.group()):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _name_ids(root: ET.Element, prefix: str) -> None:
    used = {name for element in root.iter() for value in element.attrib.values() for name in _REFERENCE.findall(value)}
    for element in root.iter():
        name = element.attrib.pop("id", None)
        if name in used:
            element.set("id", f"i{prefix}{name}")
        for key in ("href", "clip-path"):
            if key in element.attrib:
                element.set(key, element.attrib[key].replace("#", f"#i{prefix}"))


def _coloured(text: str) -> str:
    variables = sentinels()
    return _COLOUR.sub(lambda match: variables.get(match.group(), match.group()), text)
