"""`ictus tune`: finds remedies for violated guidelines, confirms them, and writes them as files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ictus.engine.backend import LauncherChoice
from ictus.guidelines.check.explaining import explanation_row, explanation_sentences
from ictus.launch.launchers import with_hosts
from ictus.model.errors import UsageError
from ictus.model.narrower_options import NREP
from ictus.model.quantity import format_span, parse_long_duration
from ictus.model.spec import split_list
from ictus.render import plan_options as options
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer, answer_first, page_command, print_lines, width, wrapped
from ictus.render.page_file import write_page
from ictus.render.progress import resumable
from ictus.render.terminal import lines
from ictus.tuning.budget import LEAST_LAUNCHES
from ictus.tuning.outcome import Tuning, not_tried, summary, tuned_row
from ictus.tuning.page import tune_page
from ictus.tuning.preview import tune_preview
from ictus.tuning.study import TuneOptions, run_tuning
from ictus.tuning.tables import LEGEND, tune_table

PAGE, EXPLAINED = "tune.html", "explain.html"


@dataclass(frozen=True)
class RaceOptions:
    """What races, and for how long."""

    budget: Annotated[
        str | None,
        typer.Option(
            "--time-budget",
            metavar="TIME",
            help="Time in launches, as 90s, 10min or 2h. [default: 10min]",
            show_default=False,
        ),
    ] = None
    guidelines: Annotated[
        str | None,
        typer.Option(
            "--guidelines", metavar="NAME,...", help="Only violations of these. [default: all]", show_default=False
        ),
    ] = None
    launches: Annotated[
        int | None,
        options.plan_option(
            "launches", "20", help="Fresh launches of each variant, which confirm the winner.", least=LEAST_LAUNCHES
        ),
    ] = None
    nrep: Annotated[int | None, options.typer_option(NREP, "200")] = None
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="COUNT",
            min=2,
            help="Largest number of candidates of a call, including the call itself. [default: 24]",
            show_default=False,
        ),
    ] = None
    seed: options.Seed = None
    plugin: Annotated[
        list[str] | None,
        typer.Option(
            "--plugin",
            metavar="FILE",
            help="Also race the operations of this plug-in, beside those of the check. Repeatable.",
            show_default=False,
        ),
    ] = None
    explain: Annotated[bool, typer.Option("--explain", help="Only explain: ping-pongs and expectations, no races.")] = (
        False
    )

    def request(self) -> "TuneOptions":
        """UsageError for a budget that is no time."""
        names = list(dict.fromkeys(split_list(self.guidelines))) if self.guidelines else None
        return TuneOptions(
            None if self.budget is None else parse_budget(self.budget),
            None if names is None else tuple(names),
            self.launches,
            self.nrep,
            self.limit,
            self.seed,
            not self.explain,
            None if self.plugin is None else tuple(self.plugin),
        )


@with_option_sets
def tune(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A check of guidelines.", show_default=False)],
    *,
    out: Annotated[
        Path | None,
        options.output_option("The tuning's folder, continued after an interruption. [default: FOLDER-tune]"),
    ] = None,
    dry_run: options.DryRun = False,
    race: RaceOptions,
    launcher: options.Launcher = "mpiexec",
    hosts: options.HostsFile = None,
    scenario: options.ScenarioFile = None,
    form: AnswerForm,
) -> None:
    """Find remedies for violated guidelines.

    For each call that violates one, the library's own algorithms and settings, mock-ups, splitting and padding race
    launch by launch; losers drop out early. The winner is confirmed in fresh launches, with the files in force that are
    then written, and the check runs again with all of them. A remedy that this check does not confirm is not
    recommended. Launches are of the size of the check's, on as many nodes. The same command continues an interrupted
    tuning; options that it leaves out are as before.
    """
    request, explain = race.request(), race.explain
    out = out or folder.with_name(f"{folder.name}-tune")
    if dry_run:
        print_lines(tune_preview(folder, out, request))
        return
    with resumable("tune", str(folder), folder=out) as display:
        tuning = run_tuning(folder, out, request, LauncherChoice(with_hosts(launcher, hosts), scenario), display)
    words = (folder.resolve().name, "-o", out.resolve().name, *(("--explain",) if explain else ()))
    path = out / (EXPLAINED if explain else PAGE)  # an explanation leaves what was found and written as it is
    write_page(path, tune_page(tuning, page_command("tune", *words)))
    rows = (
        [explanation_row(explanation) for explanation in tuning.explanations]
        if explain
        else [tuned_row(cell) for cell in tuning.cells]
    )
    extra_keys = {
        **tuning.reduction.as_object(),
        "explanations": [] if explain else [explanation_row(explanation) for explanation in tuning.explanations],
        "files": [vars(file) for file in tuning.files],
        "checked_again": list(tuning.checked),
        "recheck": list(tuning.recheck),
        "spent_s": tuning.spent_s,
        "budget_s": tuning.budget_s,
        "evidence": None if tuning.evidence is None else tuning.evidence.as_object(),
    }
    schema = "ictus.explain/1" if explain else "ictus.tune/1"
    form.print(CommandAnswer(schema, rows, tuning.warnings, lambda: _lines(tuning, explained=explain), extra_keys))


def parse_budget(text: str) -> float:
    """Seconds of `--time-budget`. Raises UsageError."""
    try:
        seconds = parse_long_duration(text)
    except UsageError as error:
        raise UsageError(f"--time-budget '{text}': expected a time such as 90s, 10min or 2h") from error
    if not seconds > 0:
        raise UsageError(f"--time-budget '{text}': expected a time above 0, such as 90s, 10min or 2h")
    return seconds


def _lines(tuning: "Tuning", *, explained: bool) -> Iterator["Text"]:

    columns = width()
    for mark in tuning.marks:
        yield from wrapped(mark, "dim", columns)
    if explained:
        for explanation in tuning.explanations:
            for number, sentence in enumerate(explanation_sentences(explanation)):
                yield from wrapped(("  " if number else "") + sentence, "", columns, "  ")
        return
    evidence = () if tuning.evidence is None else (tuning.evidence.sentence,)
    answer = (summary(tuning.cells, tuning.undecided), *evidence, *tuning.checked)
    yield from answer_first(answer, _details(tuning, columns), columns, onward=next(iter(tuning.recheck), None))


def _details(tuning: "Tuning", columns: int) -> Iterator["Text"]:
    """What was tried, the files of remedies with their use, and further commands that check again."""
    rows = lines(tune_table(tuning.cells), columns)
    if rows:
        yield from (*rows, Text(), *wrapped(LEGEND, "dim", columns), Text())
    missing = not_tried(tuning.cells)
    if missing:
        yield from (*wrapped(missing, "", columns), Text())
    spent = f"{format_span(tuning.spent_s)} of a budget of {format_span(tuning.budget_s)} were spent in launches."
    yield from wrapped(spent, "", columns)
    for file in tuning.files:
        yield Text(f"{file.path}: {file.use}", overflow="fold")
    for text in tuning.recheck[1:]:
        yield Text(f"Check again: {text}", overflow="fold")
