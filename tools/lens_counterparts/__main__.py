"""Lenses against the suites themselves: what a suite prints, and what its lens says of the same library, side by side.

    .venv/bin/python -m tools.lens_counterparts [--fetch] [-m mpich] [--rounds 32] [--program osu=FOLDER ...]

In each round the suite and `ictus lens` are launched one after the other, and the two numbers of a round are compared
with each other. Rounds go on until every interval is narrow, at most `--rounds`. A suite that cannot be had is named as
skipped: it is looked for as given, in PATH, below I_MPI_ROOT, and, with --fetch, in the wheel that ships it.

Exit code 1 where a lens disagrees with its suite or the control agrees, 3 where nothing could be decided.
"""

import argparse
import math
import subprocess
import sys
from collections.abc import Callable, Sequence

from tools.lens_counterparts.rounds import AGREES, CONTROL, DISAGREES, NARROW, TOLERANCE, Row, check, verdict
from tools.lens_counterparts.suites import SUITES, Suite, folder_of

from ictus.comparison.verdict_texts import interval_text, ratio_text
from ictus.model.errors import IctusError
from ictus.model.library import Installation
from ictus.mpi.discover import find
from ictus.render.table import Block, Column, Table
from ictus.render.terminal import lines
from ictus.stats.compare import CaseComparison


def columns_of(title: str, result_of: Callable[[Row], CaseComparison]) -> tuple[Column[Row], ...]:
    """What a lens says, and how it is to what was printed."""
    column = Column[Row]
    return (
        column("median_b_s", title, lambda row: _us(result_of(row).median_b), "point"),
        column("ratio", "ratio", lambda row: ratio_text(result_of(row).ratio), "point"),
        column(
            "ratio_low",
            "95 % interval",
            lambda row: interval_text(result_of(row).ratio_low, result_of(row).ratio_high),
            "range",
        ),
        column("verdict", "", lambda row: verdict(result_of(row)), "left"),
    )


COLUMNS = (
    Column[Row]("operation", "call", lambda row: f"MPI_{row.operation.capitalize()} {row.size} B", "left"),
    Column[Row]("median_a_s", "printed", lambda row: _us(row.own.median_a), "point"),
    *columns_of("lens", lambda row: row.own),
    *columns_of("control", lambda row: row.other),
)


def main() -> int:
    """Check every suite that can be had."""
    asked = _arguments()
    given = dict(text.split("=", 1) for text in asked.program)
    installation = find(asked.mpi, asked.mpi)
    own, others = [], []
    for suite in SUITES:
        folder = folder_of(suite, given, fetch=asked.fetch)
        if isinstance(folder, str):
            print(f"{suite.lens}: skipped, {folder}", flush=True)
            continue
        try:
            rows = check(suite, folder, installation, asked.rounds)
        except (IctusError, subprocess.CalledProcessError, ValueError) as error:
            print(f"{suite.lens}: could not be run with {installation.label}: {error}", flush=True)
            return 1
        print("\n".join(told(suite, installation, rows)), flush=True)
        own += [verdict(row.own) for row in rows]
        others += [verdict(row.other) for row in rows]
    if DISAGREES in own or AGREES in others:
        return 1
    if AGREES not in own:
        print("nothing could be decided: no suite could be had, or others disturbed all launches")
        return 3
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Lenses against the suites themselves.")
    parser.add_argument("-m", "--mpi", default="mpich", help="the library (label, flavour or wrapper)")
    parser.add_argument("--rounds", type=int, default=32, help="launches of the suite and of its lens at most (32)")
    parser.add_argument(
        "--program", action="append", default=[], metavar="LENS=FOLDER", help="where a suite's programs are"
    )
    parser.add_argument("--fetch", action="store_true", help="get what a package index ships into build/suites")
    return parser.parse_args()


def told(suite: Suite, installation: Installation, rows: Sequence[Row]) -> list[str]:
    """The table of a suite, in words what its columns are, and what came of it."""
    program, n_rounds = suite.program(suite.operations[0]), len(rows[0].printed_s)
    title = f"{suite.lens}: {program} beside `ictus lens`"
    detail = f"{installation.label} {installation.version}, 2 processes, {n_rounds} rounds, times in us"
    own, others = [verdict(row.own) for row in rows], [verdict(row.other) for row in rows]
    return [
        *(line.plain for line in lines(Table(COLUMNS, [Block(title, detail, rows)]), 200)),
        f"printed: the headline of {program}. lens: what lens {suite.lens} says. control: what lens {CONTROL} says,",
        "which leaves barriers in the time and must not agree. Times are medians over rounds; a ratio is printed to",
        "lens, of the two numbers of a round (signed-rank). A verdict needs an interval narrower than a factor of",
        f"{NARROW:g}: {AGREES}, it comes within {TOLERANCE:.0%} of 1; {DISAGREES}, it stays further away.",
        f"Lens {suite.lens}: {_counted(own)}. The control: {_counted(others)}.",
    ]


def _counted(verdicts: Sequence[str]) -> str:
    return ", ".join(f"{verdicts.count(one)} of {len(verdicts)} calls {one}" for one in dict.fromkeys(verdicts))


def _us(time_s: float | None) -> str:
    return f"{(time_s or math.nan) * 1e6:.3f}"


if __name__ == "__main__":
    sys.exit(main())
