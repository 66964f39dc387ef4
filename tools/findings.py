"""`python -m tools.findings [NAME...] [--write]`: every study of `ictus study`, quick, on two real ranks of both
libraries, and those of clocks on SimGrid's SMPI too; the table of docs/studies/papers.md and its figures.

The real ranks take some twenty minutes on two idle cores, the cores that are built first included; the simulated ones
as long on one of them, and need no idle machine. Campaigns are kept in build/findings; an interrupted run continues
with the rest. With names only those are measured, and all else on the page stays as it is.
"""

import argparse
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.marked_page import Marks

from ictus.engine.backend import World
from ictus.findings.finding import PaperFinding
from ictus.findings.measuring import StudiedFinding, study_finding
from ictus.findings.registry import FINDINGS, find
from ictus.render.markdown import table_lines
from ictus.render.progress import Display

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "findings"
PAGE = ROOT / "docs" / "studies" / "papers.md"
IMAGES = ROOT / "docs" / "img" / "papers"
MARKS = Marks("papers", "python -m tools.findings --write")
SEED = 18


HEAD = """\
| study | finding | in the paper | here | p | because | simulated with more processes |
| --- | --- | --- | --- | ---: | --- | --- |"""
_ROW = re.compile(r"^\| (?:\[([\w-]+)\]\(#\1\)|([\w-]+)) \| .*$", re.MULTILINE)
_FIGURE = re.compile(r"^### ([\w-]+)$.*?(?=\n+### |\Z)", re.MULTILINE | re.DOTALL)


def rows(found: Sequence[StudiedFinding], simulated: Mapping[str, StudiedFinding]) -> dict[str, str]:
    """One row a study."""
    lines = {}
    for one in found:
        p_value = one.result.ruling.p_value
        shown = shown_of(one, simulated)
        name = one.finding.name if shown is None else f"[{one.finding.name}](#{one.finding.name})"
        cells = (
            name,
            one.finding.claim.rstrip("."),
            one.finding.source,
            f"**{one.seen}**",
            "–" if p_value is None else f"{p_value:.2g}",
            one.result.because,
            _simulated(simulated.get(one.finding.name)),
        )
        lines[one.finding.name] = f"| {' | '.join(cells)} |"
    return lines


def _simulated(one: StudiedFinding | None) -> str:
    """What a simulation says, with the number of processes."""
    if one is None:
        return "–"
    p_value = "" if one.result.ruling.p_value is None else f" (p = {one.result.ruling.p_value:.2g})"
    return f"**{one.seen}**{p_value}, {one.finding.simulated.replace(',', ' and ')} processes: {one.result.because}"


def figures(found: Sequence[StudiedFinding], simulated: Mapping[str, StudiedFinding]) -> dict[str, str]:
    """The first figure of each study, else its first table, with the command that makes it."""
    parts = {}
    IMAGES.mkdir(parents=True, exist_ok=True)
    for one in found:
        shown = shown_of(one, simulated)
        if shown is None:
            continue
        words = ["ictus", "study", one.finding.name, "--quick"]
        if shown is not one:
            words += ["--platform", "flat", "-n", one.finding.simulated]
        parts[one.finding.name] = (
            f"### {one.finding.name}\n\n{one.finding.claim} Judged by: {one.finding.rule}.\n\n"
            f"{_drawing(shown)}: `{' '.join(words)}`.*"
        )
    return parts


def section(kept: str, found: Sequence[StudiedFinding], simulated: Mapping[str, StudiedFinding]) -> str:
    """Table and figures: those of `found`, and what `kept`, the section as it was, has of other studies."""
    new = {one.finding.name for one in found}
    lines = {one[1] or one[2]: one[0] for one in _ROW.finditer(kept)} | rows(found, simulated)
    parts = {one[1]: one[0].rstrip() for one in _FIGURE.finditer(kept) if one[1] not in new}
    parts |= figures(found, simulated)
    order = [one.name for one in FINDINGS]
    table = "\n".join((HEAD, *(lines[name] for name in order if name in lines)))
    return "\n\n".join((table, *(parts[name] for name in order if name in parts)))


def shown_of(one: StudiedFinding, simulated: Mapping[str, StudiedFinding]) -> StudiedFinding | None:
    """What was seen of it here, else in a simulation; None where neither has a figure or a table."""
    both = (one, simulated.get(one.finding.name))
    return next((each for each in both if each is not None and (each.result.panels or each.result.tables)), None)


def _drawing(one: StudiedFinding) -> str:
    """The figure or table, and what is to be read before the command."""
    if not one.result.panels:
        shown = one.result.tables[0]
        block = shown.blocks[0]
        return "\n".join((*table_lines(shown), "", f"*{block.title}{', ' if block.detail else ''}{block.detail}"))
    panel = one.result.panels[0]
    (IMAGES / f"{one.finding.name}.svg").write_text(f"{panel.svg}\n", "utf-8")
    about = f"{panel.title}, {panel.detail}"
    return f"![{about}](../img/papers/{one.finding.name}.svg)\n\n*{about}"


def main() -> None:
    """Measure, print, write."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--write", action="store_true", help="put table and figures into docs/studies/papers.md")
    options.add_argument("names", nargs="*", metavar="NAME", help="studies to measure; all")
    words = options.parse_args()
    named = [find(name) for name in words.names] or list(FINDINGS)
    real = {"mpi": ["mpich", "openmpi"], "seed": SEED}
    with Display() as display:
        world = World("mpiexec", None)

        def studied(one: PaperFinding, given: Mapping[str, Any], folder: str) -> StudiedFinding:
            own = {key: value for key, value in given.items() if one.material.takes(key)}
            return study_finding(one, own, FOLDER / folder, world, display, quick=True)

        found = [studied(one, real, one.name) for one in named]
        simulated = {
            one.name: studied(one, {"platform": "flat", "n": one.simulated, "seed": SEED}, f"{one.name}-simulated")
            for one in named
            if one.simulated
        }
    print("\n".join(rows(found, simulated).values()))
    if words.write:
        MARKS.write(PAGE, section(MARKS.of(PAGE) if words.names else "", found, simulated))


if __name__ == "__main__":
    main()
