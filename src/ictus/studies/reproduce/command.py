"""`ictus reproduce`: whether the same experiment gives the same result again."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ictus.model.narrower_options import NREP, ONE_CLOCK, ONE_CLOCKSYNC, ONE_SETTING
from ictus.model.plan_options import BY_KEY
from ictus.model.reduction import SUMMARIES
from ictus.model.unknown import unknown
from ictus.render import plan_options as options
from ictus.render.output import CommandAnswer, Csv, Json, page_command, print_answer
from ictus.render.page_file import write_page
from ictus.render.typed_options import check_only
from ictus.studies.reproduce.record import FULL, QUICK, QUICK_TRIALS, SUITES, TRIALS

PAGE = "reproduce.html"
_SHOWING = ("folder", "json", "csv")


_PROCSYNC = replace(
    BY_KEY["procsync"],
    kind="text",
    metavar="NAME",
    help="How campaigns of Ictus start ranks together; suites have their own way.",
)
_LAUNCHES = replace(BY_KEY["launches"], help="Launches of each library in one trial of Ictus.")
_NREP = replace(NREP, help="Valid repetitions of a case in a launch of Ictus; suites have their own numbers.")
_USUAL = {
    "op": "bcast",
    "procsync": "window",
    **{key: f"{FULL[key]}; --quick: {QUICK[key]}" for key in ("sizes", "launches", "nrep")},
}


@options.plan_command(
    "mpi",
    "op",
    "sizes",
    "size-is",
    "n",
    _LAUNCHES,
    _NREP,
    "datatype",
    "operator",
    "comm",
    "root",
    "in-place",
    "layout",
    ONE_CLOCK,
    ONE_CLOCKSYNC,
    _PROCSYNC,
    "cache",
    "warmup",
    "seed",
    "platform",
    "timeout",
    "contention-retries",
    ONE_SETTING,
    "pin",
    usual=_USUAL,
)
def reproduce(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="A study to show; the page is written into it. Without it, a study is measured.",
            show_default=False,
        ),
    ] = None,
    *,
    trials: Annotated[
        int | None,
        typer.Option(
            "--trials",
            metavar="COUNT",
            min=2,
            help=f"Whole campaigns, and runs of each suite. [default: {TRIALS}; --quick: {QUICK_TRIALS}]",
            show_default=False,
        ),
    ] = None,
    suites: Annotated[
        str | None,
        typer.Option(
            "--lens",
            metavar="NAME,...|none",
            help=f"Suites whose runs stand beside the campaigns (ictus list lens). [default: {SUITES}]",
            show_default=False,
        ),
    ] = None,
    summary: Annotated[
        str | None,
        typer.Option(
            "--summary",
            metavar="NAME",
            help="How the samples of a launch become one number: median, mean, min, p90, p95, p99. The result of a "
            "trial is the mean over its launches. [default: median]",
            show_default=False,
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer trials, launches, sizes: a minute or two.")] = False,
    given: options.Given,
    launcher: options.Launcher = "mpiexec",
    scenario: options.ScenarioFile = None,
    out: Annotated[
        Path | None,
        options.output_option("The study's folder, continued after an interruption. [default: reproduce-DATE]"),
    ] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Test whether the same experiment gives the same result again.

    Whole campaigns are repeated, beside as many runs of other suites, in random order: how far apart are the results of
    each? The table shows the largest difference for each size, the page all results, each divided by the smallest.
    """
    from ictus.studies.reproduce.analysis import read_trials  # noqa: PLC0415
    from ictus.studies.reproduce.page import trial_page  # noqa: PLC0415 (matplotlib takes most of a second)
    from ictus.studies.reproduce.tables import answer_lines  # noqa: PLC0415

    if folder is not None:
        check_only(context, _SHOWING)
    else:
        from ictus.engine.backend import World  # noqa: PLC0415
        from ictus.render.progress import resumable  # noqa: PLC0415
        from ictus.studies.reproduce.study import ReproduceOptions, measure_trials  # noqa: PLC0415

        chosen = None if suites is None else _suites(suites)
        own = ReproduceOptions(trials, chosen, _summary(summary), quick)
        with resumable("reproduce") as display:
            folder = measure_trials(given, out, World(launcher, scenario), display, own)
    found = read_trials(folder)
    write_page(folder / PAGE, trial_page(found, page_command("reproduce", folder.resolve().name)))
    rows = [row.as_row() for row in found.rows]
    more = {"trials": found.complete, "summary": found.study.summary, "evidence": found.evidence_row()}
    print_answer(CommandAnswer("ictus.reproduce/1", rows, found.warnings, lambda: answer_lines(found), more), json, csv)


def _suites(text: str) -> tuple[str, ...]:
    """The lenses, each once, as short as can be. Raises UsageError."""
    from ictus.studies.lens.study import parse_looks  # noqa: PLC0415
    from ictus.studies.lens.suites.registry import ALL  # noqa: PLC0415

    if text.strip() == "none":
        return ()
    looks = parse_looks(text)
    return ALL if looks is None else tuple(look.label for look in looks)


def _summary(text: str | None) -> str | None:
    if text is not None and text not in SUMMARIES:
        raise unknown(f"--summary '{text}'", text, SUMMARIES)
    return text
