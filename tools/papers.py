"""`python -m tools.papers [NAME...] [--write]`: every claim of `ictus study`, quick, on two real ranks of both
libraries, and those of clocks on SimGrid's SMPI too; the table of docs/studies/papers.md and its figures.

The real ranks take some twenty minutes on two idle cores, the cores that are built first included; the simulated ones
as long on one of them, and need no idle machine. Campaigns are kept in build/papers; an interrupted run continues
with the rest. With names only those are measured, and all else on the page stays as it is.
"""

import argparse
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.marked_page import Marks

from ictus.render.markdown import table_lines
from ictus.render.progress import Display
from ictus.studies.claim import Claim
from ictus.studies.judging import ClaimVerdict, accepts, measure_claim
from ictus.studies.registry import ALL, StudyEntry, every_claim, named

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "papers"
PAGE = ROOT / "docs" / "studies" / "papers.md"
IMAGES = ROOT / "docs" / "img" / "papers"
MARKS = Marks("papers", "python -m tools.papers --write")
SEED = 18


HEAD = """\
| study | claim | in the paper | here | p | because | simulated with more processes |
| --- | --- | --- | --- | ---: | --- | --- |"""
_ROW = re.compile(r"^\| (?:\[([\w-]+)\]\(#\1\)|([\w-]+)) \| .*$", re.MULTILINE)
_FIGURE = re.compile(r"^### ([\w-]+)$.*?(?=\n+### |\Z)", re.MULTILINE | re.DOTALL)


def rows(found: Sequence[ClaimVerdict], simulated: Mapping[str, ClaimVerdict]) -> dict[str, str]:
    """One row a study."""
    lines = {}
    for one in found:
        p_value = one.result.ruling.p_value
        shown = shown_of(one, simulated)
        name = one.claim.name if shown is None else f"[{one.claim.name}](#{one.claim.name})"
        cells = (
            name,
            one.claim.sentence.rstrip("."),
            one.claim.source,
            f"**{one.seen}**",
            "–" if p_value is None else f"{p_value:.2g}",
            one.result.because,
            _simulated(simulated.get(one.claim.name)),
        )
        lines[one.claim.name] = f"| {' | '.join(cells)} |"
    return lines


def _simulated(one: ClaimVerdict | None) -> str:
    """What a simulation says, with the number of processes."""
    if one is None:
        return "–"
    p_value = "" if one.result.ruling.p_value is None else f" (p = {one.result.ruling.p_value:.2g})"
    return f"**{one.seen}**{p_value}, {one.claim.simulated.replace(',', ' and ')} processes: {one.result.because}"


def figures(found: Sequence[ClaimVerdict], simulated: Mapping[str, ClaimVerdict]) -> dict[str, str]:
    """The first figure of each study, else its first table, with the command that makes it."""
    parts = {}
    IMAGES.mkdir(parents=True, exist_ok=True)
    for one in found:
        shown = shown_of(one, simulated)
        if shown is None:
            continue
        words = ["ictus", "study", one.claim.name, "--quick"]
        if shown is not one:
            words += ["--platform", "flat", "-n", one.claim.simulated]
        parts[one.claim.name] = (
            f"### {one.claim.name}\n\n{one.claim.sentence} Judged by: {one.claim.rule}.\n\n"
            f"{_drawing(shown)}: `{' '.join(words)}`.*"
        )
    return parts


def section(kept: str, found: Sequence[ClaimVerdict], simulated: Mapping[str, ClaimVerdict]) -> str:
    """Table and figures: those of `found`, and what `kept`, the section as it was, has of other studies."""
    new = {one.claim.name for one in found}
    lines = {one[1] or one[2]: one[0] for one in _ROW.finditer(kept)} | rows(found, simulated)
    parts = {one[1]: one[0].rstrip() for one in _FIGURE.finditer(kept) if one[1] not in new}
    parts |= figures(found, simulated)
    order = [one.name for _, one in every_claim()]
    table = "\n".join((HEAD, *(lines[name] for name in order if name in lines)))
    return "\n\n".join((table, *(parts[name] for name in order if name in parts)))


def shown_of(one: ClaimVerdict, simulated: Mapping[str, ClaimVerdict]) -> ClaimVerdict | None:
    """What was seen of it here, else in a simulation; None where neither has a figure or a table."""
    both = (one, simulated.get(one.claim.name))
    return next((each for each in both if each is not None and (each.result.panels or each.result.tables)), None)


def _drawing(one: ClaimVerdict) -> str:
    """The figure or table, and what is to be read before the command."""
    if not one.result.panels:
        shown = one.result.tables[0]
        block = shown.blocks[0]
        return "\n".join((*table_lines(shown), "", f"*{block.title}{', ' if block.detail else ''}{block.detail}"))
    panel = one.result.panels[0]
    (IMAGES / f"{one.claim.name}.svg").write_text(f"{panel.svg}\n", "utf-8")
    about = f"{panel.title}, {panel.detail}"
    return f"![{about}](../img/papers/{one.claim.name}.svg)\n\n*{about}"


def main() -> None:
    """Measure, print, write."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--write", action="store_true", help="put table and figures into docs/studies/papers.md")
    options.add_argument("names", nargs="*", metavar="NAME", help="studies to measure; all")
    words = options.parse_args()
    chosen = [one for name in words.names or [ALL] for one in named(name)[1]]
    real = {"mpi": ["mpich", "openmpi"], "seed": SEED}
    with Display() as display:

        def studied(entry: StudyEntry, one: Claim, given: Mapping[str, Any], folder: str) -> ClaimVerdict:
            own = {key: value for key, value in given.items() if accepts(entry.study, key)}
            return measure_claim(entry.study, one, own, FOLDER / folder, display, quick=True)

        found = [studied(entry, one, real, one.name) for entry, one in chosen]
        flat = {"platform": "flat", "seed": SEED}
        simulated = {
            one.name: studied(entry, one, {**flat, "n": one.simulated}, f"{one.name}-simulated")
            for entry, one in chosen
            if one.simulated
        }
    print("\n".join(rows(found, simulated).values()))
    if words.write:
        MARKS.write(PAGE, section(MARKS.of(PAGE) if words.names else "", found, simulated))


if __name__ == "__main__":
    main()
