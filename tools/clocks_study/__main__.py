"""`make clocks-study`: runs what is not run yet, and writes docs/clocks-study.md with its figures and raw data.

The first run takes about an hour on two idle cores. Results are kept in build/clocks-study, so an interrupted study
goes on; delete that folder after a change of the algorithms.
"""

import csv
import sys
from collections.abc import Sequence
from typing import Any

from tools.tree_arity import __main__ as tree_arity

from ictus.store.document import version

from . import equal_time, figures, page, real, simgrid, table
from .frontier import Point, points
from .goal import proof, verdicts, width
from .prose import AIM, ARITY, BOUNDS, FINDINGS, HEAD, LARGE, PROVEN, REAL_RANKS, SIMGRID, TAIL
from .simulate import ROOT, build
from .text import count, time
from .text import table as markdown
from .worlds import JUDGED, PROVEN_ON, Row

DOCS = ROOT / "docs"
FIGURES = DOCS / "img" / "clocks-study"
RAW = DOCS / "clocks-study.csv"
DRAWN = Row("flat", 64, 20.0, 0.0)
GROWN = Row("flat", 512, 20.0, 0.0)
LIBRARIES = ("mpich", "openmpi")


def main() -> None:
    """All parts, one after the other; each says what it does."""
    program = build()
    judged = [(row, _said(row.name, points(program, row))) for row in JUDGED]
    lines = _said("the large table", table.rows(program))
    measured = {library: _said(f"real ranks, {library}", real.real_ranks(library)) for library in LIBRARIES}
    simulated = _said("SimGrid", simgrid.platforms())
    _write_raw(judged)
    found = [one for row, each in judged for one in verdicts(row, each)]
    widths = [width(row, each) for row, each in judged if row.symmetric]
    parts = [
        HEAD.format(version=version()),
        page.platforms_section(),
        AIM,
        page.goal_section(found),
        _pareto(judged),
        BOUNDS,
        page.width_section(widths),
        PROVEN,
        page.proof_section([proof(program, row) for row in PROVEN_ON]),
        ARITY,
        FINDINGS,
        _growth(lines),
        LARGE,
        *(_folded(name, page.simulated_table(lines, name)) for name in ("flat", "fat tree", "two level")),
        *((f"\n{equal_time.section()}",) if equal_time.RAW.exists() else ()),
        REAL_RANKS,
        *(_folded(library, _real_table(document)) for library, document in measured.items()),
        SIMGRID,
        *(_folded(name, _real_table(document)) for name, document in simulated.items()),
        TAIL,
    ]
    (DOCS / "clocks-study.md").write_text("\n".join(part.rstrip("\n") + "\n" for part in parts), "utf-8")
    tree_arity.main()


def _said(what: str, value: Any) -> Any:
    print(f"done: {what}", file=sys.stderr, flush=True)
    return value


def _folded(name: str, text: str) -> str:
    return f"<details><summary>{name}</summary>\n\n{text}\n\n</details>\n"


def _pareto(judged: Sequence[tuple[Row, tuple[Point, ...]]]) -> str:
    found = next(each for row, each in judged if row == DRAWN)
    svg = figures.pareto(found, f"Error 5 s after synchronising against time spent: {DRAWN.name}")
    shown = figures.save(FIGURES, "error-against-time", svg)
    return f"\n{shown}\n\n*{DRAWN.name}; {page.spread_of_points(found)}.*\n"


def _growth(lines: Sequence[tuple[Row, str, dict[str, Any]]]) -> str:
    own = [
        (name, [wait["max_s"] for wait in result["waits"]])
        for row, name, result in lines
        if row == GROWN and name != "ictus, proven"
    ]
    svg = figures.growth(own, f"Error over time: {GROWN.name}")
    return f"\n{figures.save(FIGURES, 'error-over-time', svg)}\n\n*{GROWN.name}, one seed.*\n"


def _real_table(document: dict[str, Any]) -> str:
    rows: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for row in document["rows"]:
        rows.setdefault((row["n"], row["algorithm"]), []).append(row)
    waits = [row["wait_s"] for row in next(iter(rows.values()))]
    head = (
        "ranks",
        "algorithm",
        "time",
        "messages",
        *(f"max {wait:g} s" for wait in waits),
        *(f"p95 {wait:g} s" for wait in waits),
        "violated",
    )
    body = [
        (
            n,
            f"`{algorithm}`",
            time(each[0]["elapsed_s"]),
            count(each[0]["messages"]),
            *(time(row["max_s"]) for row in each),
            *(time(row["p95_s"]) for row in each),
            sum(row["beyond"] for row in each) if each[0]["bounded"] else "-",
        )
        for (n, algorithm), each in rows.items()
    ]
    return markdown(head, body, numbers_from=2)


def _write_raw(judged: Sequence[tuple[Row, tuple[Point, ...]]]) -> None:
    """Every point of every frontier: medians over the seeds."""
    with RAW.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        waits = ("0s", "1s", "5s", "20s")
        head = ["world", "seeds", "algorithm", "spec", "elapsed_s", "messages", "oracle_5s_s"]
        writer.writerow(
            [*head, *(f"max_{w}_s" for w in waits), *(f"p95_{w}_s" for w in waits), *(f"bound_{w}_s" for w in waits)]
        )
        for row, each in judged:
            for one in each:
                bounds = ["" if value is None else f"{value:.4g}" for value in one.bound_s]
                numbers = [f"{value:.4g}" for value in (*one.max_s, *one.p95_s)]
                facts = [f"{one.elapsed_s:.4g}", f"{one.messages:g}", f"{one.oracle_s:.4g}"]
                writer.writerow([row.name, len(row.seeds), one.family, one.spec, *facts, *numbers, *bounds])


if __name__ == "__main__":
    main()
