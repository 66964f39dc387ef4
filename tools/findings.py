"""`python -m tools.findings [NAME...] [--write]`: every study of `ictus study`, quick, on two real ranks of both
libraries, and those of clocks on SimGrid's SMPI too; the table of docs/studies/papers.md and its figures.

Half an hour on two idle cores. Campaigns are kept in build/findings; an interrupted run goes on with the rest. With
names only those are measured: the table has them, and all that is kept.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.marked_page import Marks

from ictus.engine.backend import World
from ictus.findings.finding import PaperFinding
from ictus.findings.measuring import StudiedFinding, study_finding
from ictus.findings.registry import FINDINGS, find
from ictus.render.progress import Display

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "findings"
PAGE = ROOT / "docs" / "studies" / "papers.md"
IMAGES = ROOT / "docs" / "img" / "papers"
MARKS = Marks("papers", "python -m tools.findings --write")
SEED = 18


def table(found: Sequence[StudiedFinding], simulated: Mapping[str, StudiedFinding]) -> str:
    """One row a study."""
    head = ("study", "finding", "in the paper", "here", "p", "because", "simulated at the paper's process count")
    lines = [f"| {' | '.join(head)} |", "| --- | --- | --- | --- | ---: | --- | --- |"]
    for one in found:
        p_value = one.result.ruling.p_value
        name = f"[{one.finding.name}](#{one.finding.name})" if one.result.panels else one.finding.name
        cells = (
            name,
            one.finding.claim.rstrip("."),
            one.finding.source,
            f"**{one.seen}**",
            "–" if p_value is None else f"{p_value:.2g}",
            one.result.because,
            _simulated(simulated.get(one.finding.name)),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _simulated(one: StudiedFinding | None) -> str:
    """What a simulation says, with the number of processes."""
    if one is None:
        return "–"
    p_value = "" if one.result.ruling.p_value is None else f" (p = {one.result.ruling.p_value:.2g})"
    return f"**{one.seen}**{p_value}, {one.finding.simulated.replace(',', ' and ')} processes: {one.result.because}"


def figures(found: Sequence[StudiedFinding]) -> str:
    """The first figure of each study, with the command that makes it."""
    parts = []
    IMAGES.mkdir(parents=True, exist_ok=True)
    for one in found:
        if not one.result.panels:
            continue
        panel = one.result.panels[0]
        (IMAGES / f"{one.finding.name}.svg").write_text(f"{panel.svg}\n", "utf-8")
        parts.append(
            f"### {one.finding.name}\n\n{one.finding.claim} Judged by: {one.finding.rule}.\n\n"
            f"![{panel.title}, {panel.detail}](../img/papers/{one.finding.name}.svg)\n\n"
            f"*{panel.title}, {panel.detail}: `ictus study {one.finding.name} --quick`.*"
        )
    return "\n\n".join(parts)


def main() -> None:
    """Measure, print, write."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--write", action="store_true", help="put table and figures into docs/studies/papers.md")
    options.add_argument("names", nargs="*", metavar="NAME", help="studies to measure; all")
    words = options.parse_args()
    named = [find(name) for name in words.names] or list(FINDINGS)
    chosen = [one for one in FINDINGS if one in named or (FOLDER / one.name).is_dir()]
    real = {"mpi": ["mpich", "openmpi"], "seed": SEED}
    with Display() as display:
        world = World("mpiexec", None)

        def studied(one: PaperFinding, given: Mapping[str, Any], folder: str) -> StudiedFinding:
            return study_finding(one, given, FOLDER / folder, world, display, quick=True)

        found = [studied(one, real, one.name) for one in chosen]
        simulated = {
            one.name: studied(one, {"platform": "flat", "n": one.simulated, "seed": SEED}, f"{one.name}-simulated")
            for one in chosen
            if one.simulated
        }
    print(table(found, simulated))
    if words.write:
        MARKS.write(PAGE, f"{table(found, simulated)}\n\n{figures(found)}")


if __name__ == "__main__":
    main()
