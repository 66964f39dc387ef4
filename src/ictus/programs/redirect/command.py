"""`ictus redirect compare`: the gain of a program when its calls are rerouted. `ictus redirect convert`: profiles from
and to the format of PGMPITuneLib.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ictus.model.errors import UsageError
from ictus.programs.option_sets import RankOptions, StartOptions
from ictus.programs.redirect.gain import ProgramLaunch, compare_launches
from ictus.programs.redirect.launch import prepare_redirect, profile_files, read_text
from ictus.programs.redirect.pgmpi import format_pgmpi, is_pgmpi, parse_profiles
from ictus.programs.redirect.profile import format_profile, parse_profile
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer, errors, warn, width, wrapped
from ictus.render.plan_options import (
    Program,
    RedirectPlugin,
    Seed,
    plan_option,
)
from ictus.render.progress import Display
from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.verdict import CaseRules
from ictus.store.redirect import RedirectReport


@with_option_sets
def compare(
    words: Program = None,
    *,
    redirect: Annotated[
        Path | None,
        typer.Option(
            "--redirect", metavar="PROFILE", help="Profile: which calls become which mock-ups.", show_default=False
        ),
    ] = None,
    plugin: RedirectPlugin = None,
    launches: Annotated[
        int, plan_option("launches", "10", help="Launches with the profile, and as many without it.")
    ] = 10,
    time: Annotated[
        str | None,
        typer.Option(
            "--time",
            metavar="TEXT",
            help="The text behind which the program prints its time in seconds. [default: time from start to end of "
            "the launch]",
            show_default=False,
        ),
    ] = None,
    ranks: RankOptions,
    seed: Seed = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="CSV file of launches; each is written as soon as it ends.",
            show_default=False,
        ),
    ] = None,
    start: StartOptions,
    form: AnswerForm,
) -> None:
    """Launch a program with and without rerouted calls.

    Launches alternate, and the gain is reported. The ratio is that of the times with to without, of pairs of launches,
    with its interval; below 1 rerouting is faster. The first pair is a warm-up that does not count.
    """
    if not words or redirect is None:
        raise UsageError(
            "redirect compare: a profile and a program; for example: ictus redirect compare --redirect faster.txt "
            "-m mpich -n 2 -- ./application"
        )

    seed = int.from_bytes(os.urandom(4), "big") if seed is None else seed
    with Display() as display:
        request = start.request(words, ranks)
        ready = prepare_redirect(request, redirect, tuple(plugin or ()), display)
        paired = compare_launches(ready, launches, seed, display, time=time, keep=keep)
    rows, report, warnings = paired.rows, paired.report, paired.warnings
    comparison = _judged(rows)
    extra_keys = {
        "n": request.n,
        "seed": seed,
        "library_version": "" if report is None else report.library_version,
        "ratio": comparison.ratio,
        "ratio_low": comparison.ratio_low,
        "ratio_high": comparison.ratio_high,
        "p_value": comparison.p_value,
        "verdict": comparison.verdict.text,
    }
    answer = CommandAnswer(
        "ictus.redirect-compare/1",
        [asdict(row) for row in rows],
        warnings,
        lambda: _lines(rows, comparison, report),
        extra_keys,
    )
    form.print(answer)


def _times(rows: Sequence["ProgramLaunch"], rerouted: bool) -> list[float]:
    return [row.time_s for row in rows if row.rerouted == rerouted]


def _judged(rows: Sequence["ProgramLaunch"]) -> "CaseComparison":
    """The verdict on pairs: with to without. Within a pair the order was random, so rows are found by side."""
    labels = ("rerouted", "as it is")
    return compare_cases([_times(rows, True)], [_times(rows, False)], CaseRules(paired=True), labels=labels)[0]


def _lines(
    rows: Sequence["ProgramLaunch"], comparison: "CaseComparison", report: "RedirectReport | None"
) -> "Iterator[Text]":
    calls = f"{report.rerouted} of {report.calls} calls" if report is not None and report.calls else "no call"
    median_a, median_b = comparison.median_a or 0.0, comparison.median_b or 0.0
    interval = (
        f"{comparison.ratio_low:.3f} to {comparison.ratio_high:.3f}"
        if comparison.ratio_low is not None and comparison.ratio_high is not None
        else "no interval of so few launches"
    )
    count_text = f"{len(rows) // 2} launches each"
    yield from wrapped(
        f"Rerouted {calls}: {median_a:.4g} s (median of {count_text}); as it is: {median_b:.4g} s.", "", width()
    )
    yield from wrapped(
        f"Ratio {comparison.ratio or 0.0:.3f} (95 % interval {interval}): {comparison.verdict.text}.", "bold", width()
    )


def convert(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="A profile of Ictus or of PGMPITuneLib: a file, or a folder of *.prf.")
    ],
    target: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="For Ictus a file; for PGMPITuneLib a folder: OUT/PROCESSES/OPERATION.prf."),
    ],
) -> None:
    """Convert a profile: of Ictus to that of PGMPITuneLib, or back.

    Sizes of PGMPITuneLib are what one process sends, those of Ictus the total volume. PGMPITuneLib has one file for
    each collective, and reads those of one number of processes: --ppath=OUT/4. What has no counterpart is left out and
    listed; evidence is not converted.
    """
    if target.exists():
        raise UsageError(f"'{target}' exists: choose another name")
    files = profile_files(source)
    if source.is_dir() or is_pgmpi(read_text(source)):
        _to_ours(files, target)
    else:
        _to_theirs(source, target)


def _to_ours(files: Sequence[Path], target: Path) -> None:

    profiles = parse_profiles((str(file), read_text(file)) for file in files)
    _write(target, format_profile(profiles.profile))
    warn(profiles.remarks)


def _to_theirs(source: Path, target: Path) -> None:

    made = format_pgmpi(parse_profile(read_text(source), str(source)))
    if not made.texts:
        raise UsageError(f"'{source}' has nothing that PGMPITuneLib can say: {'; '.join(made.remarks) or 'no line'}")
    for (n, operation), text in made.texts.items():
        _write(target / str(n) / f"{operation}.prf", text)
    warn(made.remarks)


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"'{file}' cannot be written: {error.strerror}") from error
    errors().print(f"{file}", soft_wrap=True, highlight=False, markup=False)
