"""`ictus study`: findings of the papers, measured here and judged."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ictus.engine.backend import World
from ictus.engine.event import Note
from ictus.findings.measuring import StudiedFinding, judge, study_finding
from ictus.findings.page import study_page
from ictus.findings.registry import FINDINGS, find
from ictus.findings.tables import answers_table, gathered_warnings, list_table
from ictus.model.errors import UsageError
from ictus.model.narrower_options import NREP
from ictus.render import plan_options as options
from ictus.render.output import (
    CommandAnswer,
    Csv,
    Json,
    answer_first,
    command,
    page_command,
    print_answer,
    width,
    wrapped,
)
from ictus.render.page_file import write_page
from ictus.render.progress import resumable
from ictus.render.terminal import lines as table_lines
from ictus.render.terminal import stacked
from ictus.render.typed_options import check_only

LIST, ALL = "list", "all"
PAGE = "study.html"
_JUDGING = ("name", "folder", "quick", "json", "csv")
"""Parameters that have a meaning where nothing is measured."""


@options.plan_command("mpi", "n", "launches", NREP, "sizes", "platform", "seed", "timeout")
def study(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A study, `all` of them, or `list`.", show_default=False)],
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]",
            help="The folder of an earlier study: judge it again, measure nothing.",
            show_default=False,
        ),
    ] = None,
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer launches.")] = False,
    given: options.Given,
    launcher: options.Launcher = "mpiexec",
    scenario: options.ScenarioFile = None,
    out: Annotated[
        Path | None,
        options.output_option(
            "The folder; with `all`, the folder that holds those of all studies. [default: NAME-DATE]"
        ),
    ] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Repeat a paper's experiment: does its finding hold here?

    Each study is an experiment, the paper's figure of its data, and a test: the finding holds, does not hold, or
    cannot be seen here, with the reason. A finding that is false is called true in at most 5 % of studies.
    """
    if name == LIST:
        _print_list(json=json, csv=csv)
        return
    chosen = FINDINGS if name == ALL else (find(name),)
    if folder is not None:
        if name == ALL:
            raise UsageError(f"'{folder}': name the study that it was measured for")
        check_only(context, _JUDGING)
        found = [judge(chosen[0], folder)]
    else:
        values = {key: value for key, value in given.items() if value is not None}
        found = []
        for each in chosen:
            place = out / each.name if out is not None and name == ALL else out
            with resumable("study", each.name) as display:
                own = values
                if name == ALL:
                    display(Note(f"{each.name}: {each.claim}"))
                    own = {key: value for key, value in values.items() if each.material.takes(key)}
                found.append(study_finding(each, own, place, World(launcher, scenario), display, quick=quick))
    for one in found:
        _write(one)
    warnings = gathered_warnings(found)
    rows = [one.as_row() for one in found]
    data = {one.finding.name: list(one.result.rows) for one in found}
    print_answer(CommandAnswer("ictus.study/1", rows, warnings, lambda: _lines(found), {"data": data}), json, csv)


def _write(answer: "StudiedFinding") -> None:

    if answer.provenance is not None:
        again = page_command("study", answer.finding.name, answer.provenance.folder.resolve().name)
        write_page(answer.provenance.folder / PAGE, study_page(answer, answer.provenance, again))


def _lines(found: "Sequence[StudiedFinding]") -> Iterator[Text]:
    """One study with its tables; of several the sentences."""
    columns = width()
    if len(found) == 1:
        one = found[0]
        about = [f"{one.finding.source}. Judged by: {one.finding.rule}."]
        notes = [line for text in about for line in wrapped(text, "dim", columns)]
        onward = (
            None
            if one.provenance is None or not one.provenance.is_campaign
            else command("report", one.provenance.folder)
        )
        yield from answer_first(
            [one.sentence], [*notes, Text(), *stacked(one.result.tables, columns)], columns, onward=onward
        )
        return
    counts = {kind: sum(one.seen == kind for one in found) for kind in dict.fromkeys(one.seen for one in found)}
    said = f"Of {len(found)} findings {', '.join(f'{number}: {kind}' for kind, number in counts.items())}."
    sentences = [line for one in found for line in (Text(), *wrapped(one.sentence, "", columns))]
    yield from answer_first([said], [*table_lines(answers_table(found), columns), *sentences], columns)


def _print_list(*, json: bool, csv: bool) -> None:

    rows = [{"name": one.name, "claim": one.claim, "source": one.source, "rule": one.rule} for one in FINDINGS]
    print_answer(
        CommandAnswer("ictus.studies/1", rows, (), lambda: table_lines(list_table(FINDINGS), width())), json, csv
    )
