"""`make tree-arity`: bounds and duration of `ictus` over the arity of its tree, up to 16,384 simulated hosts; the
section of clocks-study.md, and what it is made of in docs/data/tree-arity.csv.

Some five minutes on two idle cores. What was simulated is kept in build/clocks-study, and gone on with.
"""

import csv
import sys
from pathlib import Path
from typing import Any

from tools.clocks_study.simulate import ROOT, build, run
from tools.tree_arity.section import MARKS, Row, section

CSV = ROOT / "docs" / "data" / "tree-arity.csv"
PAGE = ROOT / "docs" / "studies" / "clocks-study.md"
NETWORKS = {1e-6: "latency=1us,jitter=300ns", 20e-6: "latency=20us,jitter=3us"}
WANTED = (
    (16, 1, 1e-6, ("1", "2", "3", "4", "8", "15", "auto")),
    (256, 1, 1e-6, ("2", "3", "4", "8", "16", "32", "255", "auto")),
    (256, 1, 20e-6, ("2", "3", "4", "8", "16", "32", "auto")),
    (4096, 1, 1e-6, ("2", "4", "8", "16", "64", "auto")),
    (16384, 1, 1e-6, ("8", "26", "auto")),  # a smaller arity exchanges hundreds of millions of messages
)


def main() -> None:
    """Simulate what is missing, write both files."""
    CSV.write_text(as_csv(simulated(build())), "utf-8")
    MARKS.write(PAGE, section(read(CSV)))


def simulated(program: Path) -> list[Row]:
    """All rows, in order; each is said when it is there."""
    settings = [(hosts, ranks, latency, arity) for hosts, ranks, latency, each in WANTED for arity in each]
    pairs = [(world(hosts, ranks, latency), f"ictus(arity={arity})") for hosts, ranks, latency, arity in settings]
    rows = []
    for (hosts, ranks, latency, arity), result in zip(settings, run(program, "arity", pairs, piece=1), strict=True):
        rows.append(row_of(hosts, ranks, latency, arity, result))
        print(f"done: {rows[-1]}", file=sys.stderr, flush=True)
    return rows


def world(hosts: int, ranks: int, latency: float) -> str:
    """One clock a host, 20 ppm."""
    inside = f",ranks_per_host={ranks},one_clock=on" if ranks > 1 else ""
    return f"world(size={hosts * ranks},seed=1001,{NETWORKS[latency]}{inside})"


def row_of(hosts: int, ranks: int, latency: float, asked: str, result: dict[str, Any]) -> Row:
    """What the tables need of a result."""
    now, _, later, _ = result["waits"]
    violated = sum(wait["violated"] for wait in result["waits"])
    numbers = (float(f"{value:.4g}") for value in (now["bound_s"], result["elapsed_s"], later["max_s"]))
    return Row(hosts, ranks, latency, asked, result["arity"], *numbers, messages=result["messages"], violated=violated)


def as_csv(rows: list[Row]) -> str:
    """With a head."""
    lines = [Row._fields, *rows]
    return "".join(",".join(str(value) for value in line) + "\n" for line in lines)


def read(path: Path) -> list[Row]:
    """What as_csv wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Row.parsed(line) for line in csv.DictReader(file)]


if __name__ == "__main__":
    main()
