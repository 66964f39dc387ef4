"""`ictus show`: each library's cases."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ictus.comparison import comparison
from ictus.comparison.clock_bounds import bound_sentences, reached_bound
from ictus.comparison.comparison import Cases
from ictus.comparison.goal import goal_of, goal_sentences
from ictus.comparison.heap import heap_sentences
from ictus.comparison.launch_table import launch_rows, launch_table
from ictus.comparison.modes import machine_modes
from ictus.comparison.option_sets import LoadOptions
from ictus.comparison.options import FOLDER
from ictus.comparison.over_processes import SCALING_COLUMNS, scaling_groups, scaling_table
from ictus.comparison.overview import next_words, overview_sentences
from ictus.comparison.rows import CASE_COLUMNS
from ictus.comparison.span import span_of, span_row
from ictus.comparison.tables import case_table
from ictus.comparison.variables import selecting_sentences
from ictus.comparison.warnings import campaign_warnings, unchecked_sentences
from ictus.comparison.words import mode_sentence
from ictus.model.errors import UsageError
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer, answer_first, command, width, wrapped
from ictus.render.table import records
from ictus.render.terminal import lines as table_lines
from ictus.store.campaign import Campaign


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
        _show_launches(campaign, form)
        return
    cases = comparison.cases(campaign)
    if over_processes:
        _show_over_processes(campaign, cases, form)
        return
    rows = records(cases.rows, CASE_COLUMNS)
    goal = goal_of(campaign)
    goal_words = () if goal is None else goal_sentences(goal)

    printed = "" if campaign.imported is None else campaign.imported.caption
    caption = " ".join(filter(None, (printed, cases.reduction.caption)))

    selecting, span = selecting_sentences(campaign), span_of([campaign])

    def lines() -> Iterator[Text]:
        columns, words = width(), next_words(campaign)
        onward = ("report",) if words == ("show",) else words
        facts = (*bound_sentences(campaign), *heap_sentences(campaign), *unchecked_sentences(campaign), *goal_words)
        details = [
            *table_lines(case_table(cases.rows, cases.confidence, caption), columns),
            *(line for sentence in facts for line in (Text(), *wrapped(sentence, "dim", columns))),
        ]
        held = () if span is None else (f"These medians hold for the {span.text}.",)
        said = (*overview_sentences(campaign, cases), *held, *selecting)
        yield from answer_first(said, details, columns, onward=command(*onward, folder))

    more: dict[str, object] = {
        **campaign.reduction.as_object(),
        **span_row(span),
        "clock_bound_asked_s": campaign.plan.clock_bound_s,
        "clock_bound_reached_s": reached_bound(campaign),
        "unchecked_launches": campaign.unchecked,
        "selecting": list(selecting),
        "goal": None if goal is None else goal.as_object(),
    }
    if campaign.imported is not None:
        more["imported"] = campaign.imported.declared()
    form.print(CommandAnswer("ictus.show/1", rows, cases.warnings, lines, more))


def _show_over_processes(campaign: "Campaign", cases: "Cases", form: AnswerForm) -> None:

    groups = scaling_groups(cases.rows, blocks=campaign.plan.size_is == "block")
    if not groups:
        raise UsageError(
            f"--over-processes: every case of '{campaign.folder}' has one number of processes; measure with -n 2,4,8, "
            f"or with --comm 'first(2),first(4),world' in launches of 8"
        )
    rows = records((row for group in groups for row in group.rows), SCALING_COLUMNS)
    table = scaling_table(groups, cases.reduction.caption)
    more = campaign.reduction.as_object()
    answer = CommandAnswer(
        "ictus.show-processes/1", rows, cases.warnings, lambda: iter(table_lines(table, width())), more
    )
    form.print(answer)


def _show_launches(campaign: "Campaign", form: AnswerForm) -> None:

    found, modes = launch_rows(campaign), machine_modes(campaign)

    def lines() -> Iterator[Text]:
        columns = width()
        yield from table_lines(launch_table(found), columns)
        for sentence in mode_sentence(modes):
            yield Text()
            yield from wrapped(sentence, "", columns)

    rows, more = records(found), {"modes": records(modes.modes)}
    form.print(CommandAnswer("ictus.show-launches/1", rows, campaign_warnings(campaign), lines, more))
