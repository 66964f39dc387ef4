"""`make until-study`: 30 launches of 1,000 repetitions, the papers' design, against `--until` with the precision that
it reached.

    python -m tools.until_study [--write]

First the fixed campaign, then one that is asked for the widest half-width of the first, with the same cases, libraries
and options. Wall times are those of the journals, from the start of a run to its last event. Some ten minutes of an
idle machine. What was measured is kept in build/until-study, and gone on with: delete that folder to measure anew.
`--write` puts the figures into statistics.md. The exit code is 1 where the goal was not reached, or took more than
a third of the fixed campaign's time.
"""

import argparse
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import expm1, sqrt
from pathlib import Path

from tools.ictus_command import ictus
from tools.marked_page import Marks

from ictus.comparison.comparison import cases
from ictus.engine.launch_times import CaseLaunch, read_launch_times
from ictus.model.quantity import format_span
from ictus.stats.precision import half_width
from ictus.stats.variance import components
from ictus.store.campaign import Campaign, load
from ictus.store.journal import read_journal

BUILD = Path(__file__).resolve().parents[2] / "build" / "until-study"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "statistics.md"
MARKS = Marks("until-study")
CASES = ("-m", "mpich", "-m", "openmpi", "--op", "bcast,allreduce,alltoall,scan", "--sizes", "8..32Ki", "-n", "2")
SAME = ("--seed", "1", "--contention-retries", "0", "--launcher", "mpiexec")
"""Disturbed launches are not repeated in either: whoever repeats more would pay more."""
FIXED = ("--launches", "30", "--nrep", "1000")
LARGEST_SHARE = 1 / 3
"""Of the fixed campaign's wall time."""


@dataclass(frozen=True)
class Measured:
    """One of both campaigns."""

    campaign: Campaign
    wall_s: float
    widths: tuple[float, ...]
    """Half-widths of all intervals, ascending."""

    @property
    def widest(self) -> float:
        """What every interval keeps."""
        return self.widths[-1]


def main(
    folder: Path = BUILD, cases: Sequence[str] = CASES, fixed: Sequence[str] = FIXED, page: Path | None = None
) -> int:
    """Measure both, or go on; print, and put it into a page; the exit code."""
    by_number = measured(folder / "fixed", (*cases, *fixed, *SAME))
    goal = f"{100 * by_number.widest:.3g} %"
    by_goal = measured(folder / "until", (*cases, "--until", goal, *SAME))
    lines = [
        f"fixed: {describe(by_number)}",
        f"until {goal}: {describe(by_goal)}",
        *parts(by_number.campaign),
        verdict(by_number, by_goal),
    ]
    text = "\n".join(lines)
    (folder / "result.txt").write_text(text + "\n", "utf-8")
    print(text)
    if page is not None:
        MARKS.write(page, section(by_number, by_goal, goal))
    return 0 if good(by_number, by_goal) else 1


def section(by_number: Measured, by_goal: Measured, goal: str) -> str:
    """The figures as a table and what they come to, for the page."""
    head = "| campaign | widest half-width | in the middle | launches | valid samples | wall time |"
    lines = [head, "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for name, one in (("30 launches of 1,000 repetitions each", by_number), (f"`--until '{goal}'`", by_goal)):
        samples = int(one.campaign.summaries["valid"].sum())
        widths = (one.widest, statistics.median(one.widths))
        cells = (name, *(f"{100 * width:.3g} %" for width in widths), f"{len(one.campaign.launches)}", f"{samples:,}")
        lines.append(f"| {' | '.join(cells)} | {format_span(one.wall_s)} |")
    said = "; ".join(parts(by_number.campaign))
    return "\n".join(
        [*lines, "", f"{len(by_number.widths)} intervals. {said}. At the end: {verdict(by_number, by_goal)}."]
    )


def measured(folder: Path, words: Sequence[str]) -> Measured:
    """The campaign in a folder, begun or gone on with if it is not complete."""
    if not ended(folder):
        ictus("run", *words, "-o", str(folder))
    campaign = load(folder)
    rows = cases(campaign).rows
    widths = [half_width(row.low_s, row.high_s) for row in rows]
    known = sorted(width for width in widths if width is not None)
    if len(known) < len(rows):
        raise SystemExit(f"{folder}: {len(rows) - len(known)} of {len(rows)} intervals are not known")
    return Measured(campaign, wall_s(folder), tuple(known))


def ended(folder: Path) -> bool:
    """Whether there is nothing left to measure."""
    entries = read_journal(folder / "journal.jsonl").entries
    return bool(entries) and entries[-1]["event"] == "done"


def wall_s(folder: Path) -> float:
    """From the start of each run to its last event."""
    total_s, started, last = 0.0, None, None
    for entry in read_journal(folder / "journal.jsonl").entries:
        now = datetime.fromisoformat(entry["time"])
        if entry["event"] == "start":
            total_s += 0.0 if started is None or last is None else (last - started).total_seconds()
            started = now
        last = now
    return total_s + (0.0 if started is None or last is None else (last - started).total_seconds())


def good(by_number: Measured, by_goal: Measured) -> bool:
    """As narrow, in at most a third of the time."""
    return by_goal.widest <= by_number.widest * 1.01 and by_goal.wall_s <= LARGEST_SHARE * by_number.wall_s


def describe(one: Measured) -> str:
    """Half-widths, launches, repetitions, time."""
    launches = len(one.campaign.launches)
    valid = int(one.campaign.summaries["valid"].sum())
    return (
        f"half-widths at most {100 * one.widest:.3g} %, in the middle {100 * statistics.median(one.widths):.3g} %; "
        f"{launches} launches, {valid:,} valid samples of {len(one.widths)} intervals; wall time "
        f"{format_span(one.wall_s)} ({one.wall_s:.1f} s)"
    )


def parts(campaign: Campaign) -> Iterator[str]:
    """Both variance components of every library's cases, as spreads."""
    series: dict[tuple[str, int], list[CaseLaunch]] = {}
    for launch in campaign.launches:
        for case_id, case in read_launch_times(launch.folder, launch.slot).cases.items():
            series.setdefault((launch.mpi, case_id), []).append(case)
    for label in campaign.labels:
        own = {key: value for key, value in series.items() if key[0] == label}
        between, within = zip(*spreads(own), strict=True)
        yield (
            f"{label}: launches differ by {span(between)} (one standard deviation), one repetition adds {span(within)}"
        )


def spreads(series: Mapping[tuple[str, int], Sequence[CaseLaunch]]) -> Iterator[tuple[float, float]]:
    """Between launches and of one repetition, as shares."""
    for launches in series.values():
        times = [one.median_s for one in launches if one.median_s is not None]
        found = components(times, [one.kept for one in launches], [one.within for one in launches])
        if found is not None:
            yield expm1(sqrt(found.between)), expm1(sqrt(found.within))


def span(shares: Sequence[float]) -> str:
    """`3 to 17 %, in the middle 8 %`."""
    low, high, middle = min(shares), max(shares), statistics.median(shares)
    return f"{100 * low:.0f} to {100 * high:.0f} %, in the middle {100 * middle:.0f} %"


def verdict(by_number: Measured, by_goal: Measured) -> str:
    """The ratio of both wall times."""
    share = by_goal.wall_s / by_number.wall_s
    word = "kept" if good(by_number, by_goal) else "MISSED"
    return f"the same half-width in {share:.1%} of the wall time, at most {LARGEST_SHARE:.1%} wanted: {word}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.until_study")
    parser.add_argument("--write", action="store_true", help="put the figures into statistics.md")
    raise SystemExit(main(page=PAGE if parser.parse_args().write else None))
