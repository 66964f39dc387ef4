"""`python -m tools.drawn_findings [NAME...] [--write]`: 2,000 data sets of each kind, and how often findings hold.

Takes some minutes; with names of studies only theirs are drawn, and the counts of the others are those of the page.
`--write` puts the tables into docs/studies/papers.md. The exit code is 1 where a promise is broken.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.drawn_findings.registry import DRAWN
from tools.drawn_findings.sets import SETS, DrawnSets
from tools.marked_page import Marks

from ictus.stats.binomial_rate import Rate

PAGE = Path(__file__).resolve().parents[2] / "docs" / "studies" / "papers.md"
MARKS = Marks("drawn findings", "python -m tools.drawn_findings --write")
Judged = Sequence[tuple[DrawnSets, Rate]]


def section(judged: Judged) -> str:
    """Two tables: sets in which findings are false, and as large as in papers."""
    false = [pair for pair in judged if pair[0].is_false]
    true = [pair for pair in judged if not pair[0].is_false]
    return "\n\n".join((_table(false, "the finding is false:"), _table(true, "it is as large as in its paper:")))


def _table(judged: Judged, title: str) -> str:
    limit = "upper limit" if judged[0][0].is_false else "lower limit"
    lines = [f"| study | {title} | holds in, of {SETS:,} | {limit} |", "| --- | --- | ---: | ---: |"]
    for one, found in judged:
        end = found.high if one.is_false else found.low
        lines.append(f"| {one.studies} | {one.drawn} | {found.hits} | {100 * end:.2f} % |")
    return "\n".join(lines)


def counts(shown: str) -> dict[tuple[str, str], int]:
    """In how many sets findings held, by studies and what was drawn, as the tables of the page say."""
    cells = [line.strip("| ").split(" | ") for line in shown.splitlines()]
    return {(row[0], row[1]): int(row[2]) for row in cells if len(row) == 4 and row[2].isdecimal()}


def main() -> None:
    """Draw, print, write, judge."""
    options = argparse.ArgumentParser(prog="python -m tools.drawn_findings")
    options.add_argument("names", nargs="*", metavar="NAME", help="studies whose sets are drawn; all")
    options.add_argument("--write", action="store_true", help="put the tables into docs/studies/papers.md")
    words = options.parse_args()
    judged = []
    known = counts(MARKS.of(PAGE))
    for one in DRAWN:
        if words.names and not set(words.names) & set(one.studies.split(", ")):
            judged.append((one, one.rate(known[one.studies, one.drawn], SETS)))
            continue
        judged.append((one, one.judged()))
        print(f"{one.studies}: {one.drawn}: {judged[-1][1]}", file=sys.stderr, flush=True)
    print(section(judged))
    if words.write:
        MARKS.write(PAGE, section(judged))
    if broken := [f"{one.studies}: {one.drawn}: {found}" for one, found in judged if not found.holds]:
        sys.exit("\n".join(broken))


if __name__ == "__main__":
    main()
