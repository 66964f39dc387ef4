"""`ictus history`: the campaigns of a machine over weeks, and when something changed."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ictus.comparison.case_titles import case_title, first_ones, naming
from ictus.comparison.gate import Gate, gate_of
from ictus.comparison.load_options import LoadOptions
from ictus.comparison.missing import unmeasured
from ictus.comparison.options import (
    AllowMissing,
    parse_share,
)
from ictus.histories.analysis import CaseHistory, History, history_of, without_samples
from ictus.histories.page import history_page
from ictus.histories.study import history_frame
from ictus.histories.tables import answer_lines, change_records, headline, history_records
from ictus.model.errors import UsageError
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer, command, page_command, print_note
from ictus.render.page_file import check_page_file, write_page_file
from ictus.render.typed_options import typed_options
from ictus.store.document import version

_ASKED = (
    *("store", "machine", "false_alarms"),
    *("metric", "summary", "outliers", "include_contended", "leave_out_damaged"),
)
"""Parameters that decide what an answer is made of: a further command repeats those that were typed."""


@with_option_sets
def history(
    context: typer.Context,
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FOLDER...]", help="Campaign folders; with --store they are added.", show_default=False
        ),
    ] = None,
    *,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store",
            metavar="FOLDER",
            help="A folder of Parquet files, one for each campaign; the history is made of all of them.",
            show_default=False,
        ),
    ] = None,
    gate: Annotated[
        str | None,
        typer.Option(
            "--gate",
            metavar="CONDITION",
            help="End with exit code 1 if the last campaign is 'slower > 3 %' than its level before, or 'different'.",
            show_default=False,
        ),
    ] = None,
    machine: Annotated[
        str | None,
        typer.Option(
            "--machine",
            metavar="TEXT",
            help="Only machines with this text in their name, such as the processor or the host. [default: all, each "
            "with series of its own]",
            show_default=False,
        ),
    ] = None,
    false_alarms: Annotated[
        str,
        typer.Option(
            "--false-alarms",
            metavar="SHARE",
            help="Largest number of false alarms in a year, over all cases, campaigns and machines that are shown.",
        ),
    ] = "5 %",
    allow_missing: AllowMissing = False,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write a page with figures.", show_default=False),
    ] = None,
    loading: LoadOptions,
    form: AnswerForm,
) -> None:
    """Show campaigns over time, and where a level changed.

    A campaign gives one number for each case, the median of its launches. A change has its date (UTC), its size, and
    what else changed at that time: library, kernel, hosts, mode of the machine.
    """
    condition = _gate(gate, allow_missing=allow_missing)
    rate = parse_share("--false-alarms", false_alarms)
    if rate > 1:
        raise UsageError(f"--false-alarms '{false_alarms}': expected at most 100 % a year")
    if not folders and store is None:
        raise UsageError("ictus history needs campaign folders, or --store FOLDER")
    if out is not None:
        check_page_file(out, "history.html")
    reduction = loading.reduction.parse()
    campaigns = [loading.load(folder) for folder in folders or ()]
    frame, added = history_frame(campaigns, store, reduction, machine)
    if added:
        print_note(f"added to '{store}': {len(added)} of {len(campaigns)} campaigns; it had the others")
    result = history_of(frame, rate=rate)
    warnings = [
        f"{campaign.folder}: {text}" for campaign in campaigns for text in (*campaign.warnings, *unmeasured(campaign))
    ]
    if lost := without_samples(frame):
        warnings.append(naming("no valid sample in any campaign, and so no history: {}", map(case_title, lost)))
    changes = change_records(result.cases)
    allowed = {"false_alarms": result.false_alarms.as_object()}
    extra_keys = {"headline": headline(result), **reduction.as_object(), **allowed, "changes": changes}
    rows = history_records(result.cases)
    words = typed_options(context, _ASKED)
    onward = None if out is not None else command("history", *folders or (), *words, "-o", "history.html")
    lines = partial(answer_lines, result, onward)
    form.print(CommandAnswer("ictus.history/1", rows, warnings, lines, extra_keys))
    if out is not None:
        _write_page(out, result, warnings, page_command("history", *folders or (), *words, "-o", out.name))
    if condition is not None:
        _judge(condition, result.cases)
        short = sum(case.outcome == "too few" for case in result.cases)
        if short:
            print_note(
                f"gate not hit; {short} of {len(result.cases)} cases have too few campaigns at their level to judge one"
            )


def _judge(gate: Gate, histories: "Sequence[CaseHistory]") -> None:
    """GateHit where a case hits; UsageError where the last campaign has no number of one that it may not pass over."""
    hits, unanswered = gate.count(histories), gate.unanswered(histories)
    lost = f"the last campaign has no number of {len(unanswered)} of {len(histories)} cases" if unanswered else ""
    names = first_ones(case_title(case_history.case) for case_history in unanswered)
    gate.end(f"the last campaign in {hits} of {len(histories)} cases" if hits else "", lost, names)


def _gate(text: str | None, *, allow_missing: bool) -> Gate | None:
    condition = gate_of(text, allow_missing=allow_missing)
    if condition is not None and condition.word == "undecided":
        raise UsageError(f"--gate '{text}': a history knows slower, faster and different")
    return condition


def _write_page(out: Path, result: "History", warnings: list[str], again: str) -> None:

    write_page_file(out, history_page(result, warnings, again, version()))
