"""`ictus study`: what papers claim, measured here and judged; every study by its name."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

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
    print_lines,
    print_note,
    width,
    wrapped,
)
from ictus.render.page_file import write_page
from ictus.render.progress import resumable
from ictus.render.table import records
from ictus.render.terminal import lines as table_lines, stacked
from ictus.render.typed_options import check_only
from ictus.studies.claim_page import claim_page
from ictus.studies.claim_tables import gathered_warnings, list_table, verdict_table
from ictus.studies.judging import ClaimVerdict, check_accepted, judge_named, measure_named, preview_named
from ictus.studies.material import StudyRequest
from ictus.studies.registry import STUDIES, every_claim, named
from ictus.studies.runner import print_study
from ictus.studies.study import values_of

LIST = "list"
PAGE = "study.html"
_JUDGING = ("name", "folder", "json", "csv")
"""Parameters that have a meaning where nothing is measured."""


_OF_CLAIM = dict.fromkeys(("n", "launches", "nrep", "sizes"), "the claim's")


@options.plan_command(
    "mpi", "n", "launches", NREP, "sizes", "platform", "seed", "timeout",
    defaults={**_OF_CLAIM, "platform": "none: this machine"},
)  # fmt: skip
def study(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A study, a claim of one, `all` of them, or `list`.", show_default=False)],
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
    plan_values: options.PlanValues,
    launcher: options.Launcher = "mpiexec",
    scenario: options.ScenarioFile = None,
    out: Annotated[
        Path | None,
        options.output_option(
            "The folder; of several claims, the folder that holds those of each. [default: NAME-DATE]"
        ),
    ] = None,
    dry_run: options.DryRun = False,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Repeat a paper's experiment: does its claim hold here?

    Each claim is an experiment, the paper's figure of its data, and a test: the claim holds, does not hold, or cannot
    be seen here, with the reason. A claim that is false is called true in at most 5 % of studies.
    """
    if name == LIST:
        _print_list(json=json, csv=csv)
        return
    chosen, claims = named(name)
    if folder is not None:
        check_only(context, _JUDGING)
    taken = {key: value for key, value in plan_values.items() if value is not None}
    taken |= {"launcher": launcher, "scenario": scenario}
    if chosen is not None and not claims:  # no paper claims anything: its own answer
        check_accepted(chosen.study, name, taken)
        request = StudyRequest(taken, values_of(chosen.study, taken, python=True), out)
        if dry_run:
            print_lines(chosen.study.material.preview(request))
            return
        print_study(chosen.study, request, folder, (), json=json, csv=csv)
        return
    if dry_run:
        print_lines(preview_named(name, taken, out, quick=quick))
        return
    if folder is not None:
        verdicts = judge_named(name, folder)
    else:
        verdicts = measure_named(name, taken, out, partial(resumable, "study"), quick=quick)
    for verdict in verdicts:
        _write(verdict)
    if out is not None and all(verdict.provenance is None for verdict in verdicts):
        print_note(f"{out}: nothing was measured, so there is no folder")
    answers = {} if chosen is None else {judged.claim.name: list(judged.answer()) for judged in verdicts}
    extra_keys: dict[str, Any] = {"data": {judged.claim.name: records(judged.result.rows) for judged in verdicts}}
    extra_keys |= {} if chosen is None else {"answers": answers}
    rows = [claim_verdict.as_row() for claim_verdict in verdicts]
    warnings = gathered_warnings(verdicts)
    print_answer(
        CommandAnswer("ictus.study/1", rows, warnings, lambda: _lines(verdicts, answers), extra_keys), json, csv
    )


def _write(verdict: ClaimVerdict) -> None:
    if verdict.provenance is not None:
        again = page_command("study", verdict.claim.name, verdict.provenance.folder.resolve().name)
        write_page(verdict.provenance.folder / PAGE, claim_page(verdict, verdict.provenance, again))


def _lines(verdicts: Sequence[ClaimVerdict], answers: dict[str, list[str]]) -> Iterator[Text]:
    """One claim with its tables; of several the sentences. Each behind what its study says."""
    columns = width()
    if len(verdicts) == 1:
        (verdict,) = verdicts
        p_value = verdict.result.ruling.decisive_p
        p_part = "" if p_value is None else f"; p = {p_value:.2g}"
        notes = list(wrapped(f"{verdict.claim.source}. Judged by: {verdict.claim.rule}{p_part}.", "dim", columns))
        about = verdict.provenance
        onward = None if about is None or not about.is_campaign else command("report", about.folder)
        details = [*notes, Text(), *stacked(verdict.result.tables, columns)]
        sentences = [*answers.get(verdict.claim.name, ()), verdict.sentence]
        yield from answer_first(sentences, details, columns, onward=onward)
        return
    counts = {
        kind: sum(claim_verdict.seen == kind for claim_verdict in verdicts)
        for kind in dict.fromkeys(verdict.seen for verdict in verdicts)
    }
    counts_text = f"Of {len(verdicts)} claims {', '.join(f'{number}: {kind}' for kind, number in counts.items())}."
    texts = [[*answers.get(verdict.claim.name, ()), verdict.sentence] for verdict in verdicts]
    sentences = [line for each in texts for line in (Text(), *wrapped(" ".join(each), "", columns))]
    yield from answer_first([counts_text], [*table_lines(verdict_table(verdicts), columns), *sentences], columns)


def _print_list(*, json: bool, csv: bool) -> None:
    rows = [
        {
            "name": claim.name,
            "claim": claim.sentence,
            "source": claim.source,
            "rule": claim.rule,
            "study": entry.name,
            "least_percent": claim.least_percent,
            "planted": claim.planted or None,
        }
        for entry, claim in every_claim()
    ]
    studies = [
        {"name": study_entry.name, "command": f"ictus {study_entry.command}", "question": study_entry.question}
        for study_entry in STUDIES
    ]
    print_answer(
        CommandAnswer("ictus.studies/1", rows, (), lambda: table_lines(list_table(), width()), {"studies": studies}),
        json,
        csv,
    )
