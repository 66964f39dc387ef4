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

from ictus.model.plan_options import BY_KEY
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
REAL = {"mpi": ["mpich", "openmpi"], "seed": SEED}
"""What is measured on real ranks, by keys of the plan; of these a study is given what it takes."""
FLAT = {"platform": "flat", "seed": SEED}

HEAD = """\
| study | claim | in the paper | here | p | because | simulated with more processes |
| --- | --- | --- | --- | ---: | --- | --- |"""
_ROW = re.compile(r"^\| (?:\[([\w-]+)\]\(#\1\)|([\w-]+)) \| .*$", re.MULTILINE)
_FIGURE = re.compile(r"^### ([\w-]+)$.*?(?=\n+### |\Z)", re.MULTILINE | re.DOTALL)


def rows(verdicts: Sequence[ClaimVerdict], simulated: Mapping[str, ClaimVerdict]) -> dict[str, str]:
    """One row a study."""
    lines = {}
    for verdict in verdicts:
        p_value = verdict.result.ruling.decisive_p
        shown = shown_of(verdict, simulated)
        name = verdict.claim.name if shown is None else f"[{verdict.claim.name}](#{verdict.claim.name})"
        cells = (
            name,
            verdict.claim.sentence.rstrip("."),
            verdict.claim.source,
            f"**{verdict.seen}**",
            "–" if p_value is None else f"{p_value:.2g}",
            verdict.result.because,
            _simulated(simulated.get(verdict.claim.name)),
        )
        lines[verdict.claim.name] = f"| {' | '.join(cells)} |"
    return lines


def _simulated(verdict: ClaimVerdict | None) -> str:
    """What a simulation says, with the number of processes."""
    if verdict is None:
        return "–"
    decisive_p = verdict.result.ruling.decisive_p
    p_value = "" if decisive_p is None else f" (p = {decisive_p:.2g})"
    processes = f"{verdict.claim.simulated.replace(',', ' and ')} processes"
    return f"**{verdict.seen}**{p_value}, {processes}: {verdict.result.because}"


def figures(verdicts: Sequence[ClaimVerdict], simulated: Mapping[str, ClaimVerdict]) -> dict[str, str]:
    """The first figure of each study, else its first table, with the command that makes it."""
    parts = {}
    IMAGES.mkdir(parents=True, exist_ok=True)
    for verdict in verdicts:
        shown = shown_of(verdict, simulated)
        if shown is None:
            continue
        values = REAL if shown is verdict else {**FLAT, "n": verdict.claim.simulated}
        claim = verdict.claim
        theirs = f"In the paper: {claim.in_the_paper}\n\n" if claim.in_the_paper else ""
        parts[claim.name] = (
            f"### {claim.name}\n\n{claim.sentence} Judged by: {claim.rule}.\n\n{theirs}"
            f"{_drawing(shown)}: `{command_of(claim, values)}`.*"
        )
    return parts


def command_of(claim: Claim, values: Mapping[str, Any]) -> str:
    """What a user types to measure a claim as it was measured here."""
    entry = next(entry for entry, known in every_claim() if known is claim)
    each = {key: value if isinstance(value, list) else [value] for key, value in taken(entry, values).items()}
    words = [word for key, several in each.items() for value in several for word in (BY_KEY[key].names[-1], str(value))]
    return " ".join(["ictus", "study", claim.name, "--quick", *words])


def taken(entry: StudyEntry, values: Mapping[str, Any]) -> dict[str, Any]:
    """Of these values those that the study has an option for."""
    return {key: value for key, value in values.items() if accepts(entry.study, key)}


def section(kept: str, verdicts: Sequence[ClaimVerdict], simulated: Mapping[str, ClaimVerdict]) -> str:
    """Table and figures: those of `verdicts`, and what `kept`, the section as it was, has of other studies."""
    new = {verdict.claim.name for verdict in verdicts}
    lines = {match[1] or match[2]: match[0] for match in _ROW.finditer(kept)} | rows(verdicts, simulated)
    parts = {match[1]: match[0].rstrip() for match in _FIGURE.finditer(kept) if match[1] not in new}
    parts |= figures(verdicts, simulated)
    order = [claim.name for _, claim in every_claim()]
    table = "\n".join((HEAD, *(lines[name] for name in order if name in lines)))
    return "\n\n".join((table, *(parts[name] for name in order if name in parts)))


def shown_of(verdict: ClaimVerdict, simulated: Mapping[str, ClaimVerdict]) -> ClaimVerdict | None:
    """What was seen of it here, else in a simulation; None where neither has a figure or a table."""
    both = (verdict, simulated.get(verdict.claim.name))
    return next((each for each in both if each is not None and (each.result.panels or each.result.tables)), None)


def _drawing(verdict: ClaimVerdict) -> str:
    """The figure or table, and what is to be read before the command."""
    if not verdict.result.panels:
        shown = verdict.result.tables[0]
        block = shown.blocks[0]
        return "\n".join((*table_lines(shown), "", f"*{block.title}{', ' if block.detail else ''}{block.detail}"))
    panel = verdict.result.panels[0]
    (IMAGES / f"{verdict.claim.name}.svg").write_text(f"{panel.svg}\n", "utf-8")
    about = f"{panel.title}, {panel.detail}"
    return f"![{about}](../img/papers/{verdict.claim.name}.svg)\n\n*{about}"


def main() -> None:
    """Measure, print, write."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--write", action="store_true", help="put table and figures into docs/studies/papers.md")
    options.add_argument("names", nargs="*", metavar="NAME", help="studies to measure; all")
    words = options.parse_args()
    chosen = [claim for name in words.names or [ALL] for claim in named(name)[1]]
    with Display() as display:

        def studied(entry: StudyEntry, claim: Claim, values: Mapping[str, Any], folder: str) -> ClaimVerdict:
            return measure_claim(entry.study, claim, taken(entry, values), FOLDER / folder, display, quick=True)

        verdicts = [studied(entry, claim, REAL, claim.name) for entry, claim in chosen]
        simulated = {
            claim.name: studied(entry, claim, {**FLAT, "n": claim.simulated}, f"{claim.name}-simulated")
            for entry, claim in chosen
            if claim.simulated
        }
    print("\n".join(rows(verdicts, simulated).values()))
    if words.write:
        MARKS.write(PAGE, section(MARKS.of(PAGE) if words.names else "", verdicts, simulated))


if __name__ == "__main__":
    main()
