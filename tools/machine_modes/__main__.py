"""Measures for an hour, or reads what was measured, and prints the tables of machine-state.md.

    python -m tools.machine_modes FOLDER [--minutes 60] [--figure FILE]

Needs a machine on which nothing else runs. The same command continues a folder.
"""

import argparse
import itertools
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from ictus.comparison.launch_table import LaunchRow, launch_rows
from ictus.comparison.matching import medians
from ictus.comparison.modes import machine_modes
from ictus.comparison.words import mode_sentence
from ictus.model.quantity import format_duration, format_size
from ictus.store.campaign import Campaign, load

PLAN = "-m mpich -m openmpi --op bcast,allreduce --sizes 8,4Ki,64Ki --nrep 300 --contention-retries 0 --launches 20000"
PROBES = ("line_round_trip_s", "block_round_trip_s", "multiplications_hz", "copy_bytes_per_s")
SHOWN = ("mpich", "bcast", 65536)


def main() -> None:
    """Measure, then print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--minutes", type=float, default=0.0, help="measure that long first")
    options.add_argument("--figure", type=Path)
    words = options.parse_args()
    if words.minutes:
        limit = ("timeout", "-s", "INT", f"{60 * words.minutes:g}")
        subprocess.run(
            [*limit, sys.executable, "-m", "ictus", "run", *PLAN.split(), "-o", str(words.folder)], check=False
        )
    campaign = load(words.folder)
    rows = launch_rows(campaign)
    print(*mode_sentence(machine_modes(campaign)), sep="\n")
    print(_changes(rows))
    frame = _quiet(campaign, rows)
    print(*_explained(frame), sep="\n")
    if words.figure:
        _figure(frame, words.figure)


def _quiet(campaign: Campaign, rows: tuple[LaunchRow, ...]) -> pl.DataFrame:
    """Medians of launches that nobody disturbed and whose mode is known, with their probes."""
    states = pl.DataFrame([vars(row) for row in rows], infer_schema_length=None)
    states = states.select("mode", "started", *PROBES).with_columns(pl.Series("launch", range(1, len(rows) + 1)))
    frame = medians(campaign).join(states.with_columns(pl.col("launch").cast(pl.get_index_type())), on="launch")
    return frame.filter(~pl.col("contended") & pl.col("mode").is_not_null() & pl.col("median").is_not_null())


def _changes(rows: tuple[LaunchRow, ...]) -> str:
    known = [row.mode for row in rows if row.mode is not None]
    changed = sum(one != other for one, other in itertools.pairwise(known))
    first, last = (datetime.fromisoformat(rows[i].started) for i in (0, -1))
    return f"{len(rows)} launches in {(last - first).total_seconds() / 60:.0f} min; the mode changed {changed} times."


def _explained(frame: pl.DataFrame) -> list[str]:
    """Shares of the variance of log medians, case by case: of modes, and of a linear model of all log probes."""
    modes = sorted(frame["mode"].unique().to_list())
    lines = ["| case | launches | scatter | modes explain | all probes explain | " + " | ".join(
        f"mode {mode}" for mode in modes) + " |", "| --- |" + " ---: |" * (4 + len(modes))]  # fmt: skip
    for (mpi, operation, size), case in frame.group_by("mpi", "operation", "size_bytes", maintain_order=True):
        values, own = np.log(case["median"].to_numpy()), case["mode"].to_numpy()
        inside = sum(((values[own == mode] - values[own == mode].mean()) ** 2).sum() for mode in set(own))
        by_modes = 1 - inside / ((values - values.mean()) ** 2).sum()
        probes = np.column_stack([np.ones(len(values)), *(np.log(case[name].to_numpy()) for name in PROBES)])
        rest = values - probes @ np.linalg.lstsq(probes, values, rcond=None)[0]
        known = {mode: float(np.exp(np.median(values[own == mode]))) for mode in modes if mode in own}
        middles = [format_duration(known[mode]) if mode in known else "–" for mode in modes]
        lines.append(
            f"| {mpi} {operation} {format_size(int(size))} | {len(values)} | {values.std():.2f} | {by_modes:.0%} | "
            f"{1 - rest.var() / values.var():.0%} | {' | '.join(middles)} |"
        )
    return lines


def _figure(frame: pl.DataFrame, path: Path) -> None:
    """One case and the round trip of the cores over time, a colour for each mode."""
    mpi, operation, size = SHOWN
    case = frame.filter(
        (pl.col("mpi") == mpi) & (pl.col("operation") == operation) & (pl.col("size_bytes") == size)
    ).sort("started")
    begin = [datetime.fromisoformat(text) for text in case["started"]]
    minutes = np.array([(one - begin[0]).total_seconds() / 60 for one in begin])
    mpl.rcParams["font.size"] = 9
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    upper, lower = figure.subplots(2, sharex=True)
    for mode in sorted(case["mode"].unique().to_list()):
        own = case["mode"].to_numpy() == mode
        upper.plot(minutes[own], case["median"].to_numpy()[own] * 1e6, ".", markersize=3, label=f"mode {mode}")
        lower.plot(minutes[own], case["line_round_trip_s"].to_numpy()[own] * 1e9, ".", markersize=3)
    upper.set(yscale="log", ylabel=f"{mpi} {operation}\n{format_size(size)}, µs")
    lower.set(yscale="log", ylabel="cache-line\nround trip, ns", xlabel="minutes")
    upper.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=4, frameon=False, markerscale=3)
    for axes in (upper, lower):
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.2)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
