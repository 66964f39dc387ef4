"""`ictus redirect compare`: what a program gains when its calls are rerouted."""

import csv as csv_format
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ictus.model.errors import MeasurementError, UsageError
from ictus.programs.foreign import Program, Variables
from ictus.programs.redirect.launch import Redirected, launch_redirected, make_ready, remarks_on
from ictus.render.console import width, wrapped
from ictus.render.output import Answer, Csv, Json, print_answer
from ictus.render.plan_options import Library, NoPin, environment, launcher_option

if TYPE_CHECKING:
    from rich.text import Text

    from ictus.stats.compare import Comparison
    from ictus.store.redirect import RedirectReport


@dataclass(frozen=True)
class Launched:
    """One launch of the program: a row of the answer and of the file that is kept."""

    pair: int
    """From 0; both of a pair are launched one after the other, in an order that is drawn."""
    rerouted: bool
    time_s: float
    calls_rerouted: int
    """Of all processes."""


def compare(
    words: Program = None,
    *,
    redirect: Annotated[
        Path | None,
        typer.Option("--redirect", metavar="PROFILE", help="What becomes what (docs/redirect.md).", show_default=False),
    ] = None,
    launches: Annotated[
        int, typer.Option("--launches", metavar="COUNT", min=1, help="Launches with it, and as many without.")
    ] = 10,
    time: Annotated[
        str | None,
        typer.Option(
            "--time",
            metavar="TEXT",
            help="The program says its time in seconds behind this text; left out: from start to end of the launch.",
            show_default=False,
        ),
    ] = None,
    mpi: Library = None,
    n: Annotated[int, typer.Option("-n", metavar="COUNT", min=1, help="Number of processes.")] = 2,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="NUMBER", min=0, help="Draws the order. [default: drawn]", show_default=False),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Launches as CSV, each as soon as it is over.", show_default=False
        ),
    ] = None,
    env: Variables = None,
    no_pin: NoPin = None,
    launcher: Annotated[str, launcher_option()] = "mpiexec",
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Launch a program with its calls rerouted and without, in turns, and say what is gained.

    The ratio is that of the times with to without, of pairs of launches, with its interval; below 1 rerouting is
    faster. The first pair is a warm-up that does not count.
    """
    if not words or redirect is None:
        raise UsageError(
            "redirect compare: a profile and a program; for example: ictus redirect compare --redirect faster.txt "
            "-m mpich -n 2 -- ./application"
        )
    ready = make_ready(words, redirect, mpi, n, environment(env) or {}, pin=not no_pin, launcher=launcher)
    seed = int.from_bytes(os.urandom(4), "big") if seed is None else seed
    rows, report, warnings = _measure(ready, launches, time, seed, keep)
    comparison = _judged(rows)
    more = {
        "n": n,
        "seed": seed,
        "library_version": "" if report is None else report.library_version,
        "ratio": comparison.ratio,
        "ratio_low": comparison.ratio_low,
        "ratio_high": comparison.ratio_high,
        "p_value": comparison.p_value,
        "verdict": comparison.verdict.text,
    }
    answer = Answer(
        "ictus.redirect-compare/1",
        [asdict(row) for row in rows],
        warnings,
        lambda: _lines(rows, comparison, report),
        more,
    )
    print_answer(answer, json, csv)


def _measure(
    ready: Redirected, launches: int, time: str | None, seed: int, keep: Path | None
) -> "tuple[list[Launched], RedirectReport | None, list[str]]":
    from ictus.engine.event import Preparing  # noqa: PLC0415
    from ictus.model.random import SplitMix64  # noqa: PLC0415
    from ictus.render.progress import Display  # noqa: PLC0415

    if keep is not None and keep.exists():
        raise UsageError(f"-o '{keep}' exists: choose another name")
    order = SplitMix64(seed)
    rows: list[Launched] = []
    last: RedirectReport | None = None
    warnings: list[str] = []
    with Display() as display:
        for pair in range(-1, launches):
            first = bool(order.below(2))
            for rerouted in (first, not first):
                display(Preparing(f"launch {len(rows) + 1} of {2 * launches}" if pair >= 0 else "warm-up"))
                row, report, more = _launch(ready, pair, rerouted, time)
                last = report if rerouted else last
                warnings += [one for one in more if one not in warnings]
                if pair >= 0:
                    rows.append(row)
                    _keep(keep, row)
    return rows, last, warnings


def _launch(
    ready: Redirected, pair: int, rerouted: bool, time: str | None
) -> "tuple[Launched, RedirectReport | None, list[str]]":
    from ictus.launch.process import Passed  # noqa: PLC0415

    with tempfile.TemporaryFile() as said:
        outcome, report, warnings = launch_redirected(ready, Passed(said.fileno()), reroutes=rerouted)
        said.seek(0)
        output = said.read().decode("utf-8", "replace")
    if outcome.interrupted:
        raise MeasurementError("stopped; all ranks are ended")
    if outcome.exit_code != 0:
        side = "with its calls rerouted" if rerouted else "without anything in front of it"
        raise MeasurementError(f"'{ready.program}' ended with {outcome.exit_code} {side}; it said: {output[-500:]}")
    remarks = [*warnings, *(remarks_on(report, outcome) if rerouted else ())]
    time_s = outcome.elapsed_s if time is None else said_time(output, time)
    return Launched(pair, rerouted, time_s, 0 if report is None else report.rerouted), report, remarks


def said_time(output: str, text: str) -> float:
    """The number behind `text`, the last one that is there.

    Raises:
        MeasurementError: there is none, or it is no time.
    """
    found = re.findall(re.escape(text) + r"[\s:=]*([-+0-9.eE]+)", output)
    try:
        seconds = float(found[-1])
    except (IndexError, ValueError):
        raise MeasurementError(
            f"--time: the program says no number behind '{text}'; it said: {output[-500:]}"
        ) from None
    if not 0 < seconds < float("inf"):
        raise MeasurementError(f"--time: the program says {found[-1]} behind '{text}', which is no time")
    return seconds


def _keep(file: Path | None, row: Launched) -> None:
    if file is None:
        return
    values = asdict(row)
    is_new = not file.exists()
    try:
        with file.open("a", newline="") as kept:
            writer = csv_format.DictWriter(kept, values, lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerow(values)
    except OSError as error:
        raise MeasurementError(f"-o '{file}' cannot be written: {error.strerror}") from error


def _times(rows: list[Launched], rerouted: bool) -> list[float]:
    return [row.time_s for row in rows if row.rerouted == rerouted]


def _judged(rows: list[Launched]) -> "Comparison":
    """Of pairs: with to without. Within a pair the order was drawn, so rows are found by side."""
    from ictus.stats.compare import compare_cases  # noqa: PLC0415

    labels = ("rerouted", "as it is")
    return compare_cases([_times(rows, True)], [_times(rows, False)], paired=True, labels=labels)[0]


def _lines(rows: list[Launched], comparison: "Comparison", report: "RedirectReport | None") -> "Iterator[Text]":
    calls = f"{report.rerouted} of {report.calls} calls" if report is not None else "no call"
    median_a, median_b = comparison.median_a or 0.0, comparison.median_b or 0.0
    interval = (
        f"{comparison.ratio_low:.3f} to {comparison.ratio_high:.3f}"
        if comparison.ratio_low is not None and comparison.ratio_high is not None
        else "no interval of so few launches"
    )
    many = f"{len(rows) // 2} launches each"
    yield from wrapped(
        f"Rerouted {calls}: {median_a:.4g} s (median of {many}); as it is: {median_b:.4g} s.", "", width()
    )
    yield from wrapped(
        f"Ratio {comparison.ratio or 0.0:.3f} (95 % interval {interval}): {comparison.verdict.text}.", "bold", width()
    )
