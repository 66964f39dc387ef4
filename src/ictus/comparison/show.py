"""`ictus show`: each library's cases."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ictus.comparison.case_row import CASE_COLUMNS
from ictus.comparison.case_table import case_table
from ictus.comparison.cases import cases as measured_cases
from ictus.comparison.clock_bounds import bound_sentences, error_sentences, reached_bound, reached_error
from ictus.comparison.heap import heap_sentences
from ictus.comparison.hung_launches import hung_launches
from ictus.comparison.load_options import LoadOptions
from ictus.comparison.options import FOLDER
from ictus.comparison.overview import next_words, overview_sentences
from ictus.comparison.rejected_windows import rejected_sentences, rejected_windows
from ictus.comparison.selecting import selecting_sentences
from ictus.comparison.span import span_of, span_row
from ictus.comparison.warnings import unchecked_sentences
from ictus.model.entry_point import EntryPoint
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer, answer_first, command, width, wrapped
from ictus.render.table import records
from ictus.render.terminal import lines as table_lines

_GOAL_OF = EntryPoint("ictus.comparison.goal:goal_of")
_GOAL_SENTENCES = EntryPoint("ictus.comparison.goal:goal_sentences")
_SHOW_LAUNCHES = EntryPoint("ictus.comparison.show_launches:show_launches")
_SHOW_OVER_PROCESSES = EntryPoint("ictus.comparison.show_over_processes:show_over_processes")
"""What only some campaigns and options need, which takes a third of the time of the rest to import."""


@with_option_sets
def show(
    folder: Annotated[Path, FOLDER],
    *,
    loading: LoadOptions,
    launches: Annotated[
        bool, typer.Option("--launches", help="Show the launches, each with the state of the machine, not the cases.")
    ] = False,
    over_processes: Annotated[
        bool,
        typer.Option("--over-processes", help="Show each size over the number of processes that call together."),
    ] = False,
    form: AnswerForm,
) -> None:
    """Show each library's cases.

    The median over launches of each launch's median (--summary names another), its interval over launches, and how many
    samples were valid.
    """
    campaign = loading.load(folder)
    if launches:
        _SHOW_LAUNCHES(campaign, form)
        return
    cases = measured_cases(campaign)
    if over_processes:
        _SHOW_OVER_PROCESSES(campaign, cases, form)
        return
    rows = records(cases.rows, CASE_COLUMNS)
    goal = None if campaign.plan.goal is None else _GOAL_OF(campaign)
    goal_words = () if goal is None else _GOAL_SENTENCES(goal)

    printed = "" if campaign.imported is None else campaign.imported.caption
    caption = " ".join(filter(None, (printed, cases.reduction.caption)))

    selecting, span, rejected = selecting_sentences(campaign), span_of([campaign]), rejected_windows(campaign)

    def lines() -> Iterator[Text]:
        columns, words = width(), next_words(campaign)
        onward = ("report",) if words == ("show",) else words
        facts = (
            *bound_sentences(campaign),
            *error_sentences(campaign),
            *rejected_sentences(rejected),
            *heap_sentences(campaign),
            *unchecked_sentences(campaign),
            *goal_words,
        )
        details = [
            *table_lines(case_table(cases.rows, cases.confidence, caption), columns),
            *(line for sentence in facts for line in (Text(), *wrapped(sentence, "dim", columns))),
        ]
        held = () if span is None else (f"These medians hold for the {span.text}.",)
        sentences = (*overview_sentences(campaign, cases), *held, *selecting)
        yield from answer_first(sentences, details, columns, onward=command(*onward, folder))

    extra_keys: dict[str, object] = {
        **campaign.reduction.as_object(),
        **span_row(span),
        "clock_bound_asked_s": campaign.plan.clock_bound_s,
        "clock_bound_reached_s": reached_bound(campaign),
        "clock_error_asked_s": campaign.plan.clock_error_s,
        "clock_error_reached_s": reached_error(campaign),
        "rejected_windows": None if rejected is None else asdict(rejected),
        "unchecked_launches": campaign.unchecked,
        "hung_launches": [asdict(hung_launch) for hung_launch in hung_launches(campaign)],
        "selecting": list(selecting),
        "goal": None if goal is None else goal.as_object(),
    }
    if campaign.imported is not None:
        extra_keys["imported"] = campaign.imported.declared()
    form.print(CommandAnswer("ictus.show/1", rows, cases.warnings, lines, extra_keys))
