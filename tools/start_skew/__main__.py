"""`make start-skew`: how far apart every start leaves its ranks, truly, and start-skew.md with the figures.

Two real ranks with each library on clocks of known skew, and 16 to 512 simulated ranks. Takes some ten minutes of an
idle machine, most of it 512 ranks. What was measured is kept in build/start-skew: delete that folder to measure anew.
The page is written in any case; the exit code is 1 where harmonize is not 10 times nearer than MPI_Barrier on the
simulated cluster.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.ictus_command import ictus

from ictus.model.quantity import format_duration
from ictus.store.document import version

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "start-skew"
PAGE = ROOT / "docs" / "studies" / "start-skew.md"
FIGURES = ROOT / "docs" / "img" / "start-skew"
BASELINE = "barrier(library)"
CANDIDATE = "harmonize"
OURS = (CANDIDATE, "window", "round-time")
WANTED = 10
"""Harmonize's ranks are to be so many times nearer together than MPI_Barrier's, on the simulated cluster."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """Where ranks run, and how the study is asked for."""

    name: str
    title: str
    words: tuple[str, ...]
    figure: str
    """How the name of its figure ends."""


SIMULATED = "simulated"
"""The place where ten times is asked of harmonize; of two real ranks it is not."""
SKEWED = "skewed(base=monotonic,offset=2s,drift=20ppm)"
PLACES = (
    *(
        Place(
            library,
            f"Two real ranks, {library}",
            ("-m", library, "-n", "2", "--clock", SKEWED, "--launches", "5", "--nrep", "200"),
            f"exit-skew-{library}-2-processes.svg",
        )
        for library in ("mpich", "openmpi")
    ),
    Place(
        SIMULATED,
        "16 to 512 simulated ranks, platform flat",
        (
            *("--platform", "flat", "-n", "16,64,256,512", "--clock", "skewed(base=wtime,offset=1s,drift=20ppm)"),
            *("--clocksync", "ictus(fitpoints=20,exchanges=10,span=0)", "--launches", "2", "--nrep", "10"),
            *("--entry", "window(batch=1)", "--timeout", "7200s"),
        ),
        "exit-skew-over-processes-simgrid.svg",
    ),
)


def main() -> None:
    """All places, one after the other, then the page; exits with what falls short of it."""
    parts = [HEAD.format(version=version())]
    missed: list[str] = []
    for place in PLACES:
        rows = measured(place)
        missed += shortfalls(rows) if place.name == SIMULATED else []
        parts += [f"## {place.title}", f"    {command(place)}", figure(place), table(rows), verdict(rows)]
    PAGE.write_text("\n\n".join(parts) + "\n", "utf-8")
    print(f"written: {PAGE}")
    if missed:
        sys.exit("\n".join(missed))


def command(place: Place) -> str:
    """As a user types it."""
    quoted = (f"'{word}'" if set("(,)") & set(word) and "(" in word else word for word in place.words)
    return " ".join(("ictus", "barriers", "skew", *quoted))


def measured(place: Place) -> list[Row]:
    """The rows of the study, measured now or kept from before."""
    folder = BUILD / place.name
    if not (folder / "skew.json").exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        print(f"measuring: {command(place)}", flush=True)
        ictus("barriers", "skew", *place.words, "-o", str(folder))
    found: list[Row] = json.loads(ictus("barriers", "skew", str(folder), "--json"))["rows"]
    return found


def figure(place: Place) -> str:
    """Copies the figure to docs; the Markdown that shows it."""
    found = next((BUILD / place.name / "figures").glob(f"*-{place.figure}"))
    FIGURES.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(found, FIGURES / f"{place.name}.svg")
    return f"![Exit skew, {place.title}](../img/{FIGURES.name}/{place.name}.svg)"


def table(rows: Sequence[Row]) -> str:
    """True exit skew, the median, of each start by number of ranks; the nearest at the most ranks first."""
    numbers = sorted({row["n"] for row in rows})
    known = {(row["start"], row["n"]): row for row in rows}
    starts = sorted({row["start"] for row in rows}, key=lambda start: skew(known.get((start, numbers[-1]))))
    head = ["start", *(f"{n} ranks" for n in numbers), "times nearer than MPI_Barrier", "proven clock error", "valid"]
    lines = [head, ["---", *["---:"] * (len(head) - 1)]]
    for start in starts:
        own = [known[start, n] for n in numbers if (start, n) in known]
        last = known.get((start, numbers[-1]))
        lines.append(
            [
                f"`{start}`",
                *(text(skew(known.get((start, n)))) for n in numbers),
                nearer(last, known.get((BASELINE, numbers[-1]))),
                text(max((row["clock_bound_s"] or 0.0 for row in own), default=float("inf"))),
                f"{sum(row['valid'] for row in own):,} of {sum(row['attempted'] for row in own):,}",
            ]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def skew(row: Row | None) -> float:
    """The true median; infinite where nothing is known."""
    found = None if row is None else row["true_skew_median_s"]
    return float("inf") if found is None else float(found)


def text(seconds: float) -> str:
    """`12.3 ns`; a dash where there is none."""
    return "–" if seconds == float("inf") else format_duration(seconds)


def nearer(row: Row | None, baseline: Row | None) -> str:
    """By how much at the most ranks; a dash of MPI_Barrier itself."""
    if row is None or baseline is None or row is baseline or skew(row) in (0.0, float("inf")):
        return "–"
    return f"{skew(baseline) / skew(row):,.3g}"


def verdict(rows: Sequence[Row]) -> str:
    """What was wanted, held against the numbers above."""
    parts = []
    for n in sorted({row["n"] for row in rows}):
        known = {row["start"]: row for row in rows if row["n"] == n}
        barrier = skew(known.get(BASELINE))
        for name in OURS:
            row = known.get(name)
            if row is None or skew(row) == float("inf"):
                continue
            times = barrier / skew(row) if skew(row) else float("inf")
            within = row["clock_bound_s"] is not None and skew(row) <= 2 * row["clock_bound_s"]
            parts.append(
                f"- {n} ranks, `{name}`: {text(skew(row))}, {times:,.3g} times below MPI_Barrier's {text(barrier)}"
                f"{'' if times >= WANTED else f', fewer than {WANTED}'}; "
                f"{'within' if within else 'beyond'} the proven clock error"
            )
    return "\n".join(parts)


def shortfalls(rows: Sequence[Row]) -> tuple[str, ...]:
    """One sentence for each number of ranks at which harmonize is not WANTED times nearer than MPI_Barrier, or at which
    either is not known; one for no number of ranks at all.
    """
    found = []
    for n in sorted({row["n"] for row in rows}):
        known = {row["start"]: row for row in rows if row["n"] == n}
        barrier, ours = skew(known.get(BASELINE)), skew(known.get(CANDIDATE))
        if float("inf") in (barrier, ours) or barrier < WANTED * ours:
            found.append(
                f"{n} ranks: {CANDIDATE} {text(ours)}, MPI_Barrier {text(barrier)}: not {WANTED} times nearer together"
            )
    return tuple(found) if rows else ("no number of ranks was measured",)


HEAD = """# How far apart ranks start

The words of this page are in the [glossary](../glossary.md).

The true skew of ranks that leave every barrier and every other start, which they all entered at one instant of the
global clock. The ranks' clocks have known skews of up to 20 ppm and more than a second, so what is true is a
computation: the counter beneath the clocks was read in the same moment. Numbers are medians over launches of the
medians over repetitions. Two ranks that leave at times of two clocks, each proven right to the clock error, are apart
by at most twice that.

Written by `make start-skew` (Ictus {version})."""


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()  # there are no options, and a word is a mistake
    main()
