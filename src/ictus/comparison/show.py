"""`ictus show`: each library's cases over its launches."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from rich.text import Text

from ictus.comparison.options import FOLDER, Average, IncludeContended, Outliers
from ictus.model.reduction import parse_reduction
from ictus.render.console import width, wrapped
from ictus.render.output import CommandAnswer, Csv, Json, print_answer


def show(
    folder: Annotated[Path, FOLDER],
    *,
    average: Average = "median",
    outliers: Outliers = "1.5",
    include_contended: IncludeContended = False,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Show each library's cases.

    The median of the launch medians, its interval over launches, and how many samples were valid.
    """
    from ictus.comparison import comparison  # noqa: PLC0415 (polars and scipy take most of a second)
    from ictus.comparison.clock_bounds import bound_sentences, reached_bound  # noqa: PLC0415
    from ictus.comparison.goal import goal_of, goal_sentences  # noqa: PLC0415
    from ictus.comparison.tables import case_table  # noqa: PLC0415
    from ictus.render.terminal import lines as table_lines  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415

    campaign = load(folder, contended=include_contended, reduction=parse_reduction(average, outliers))
    cases = comparison.cases(campaign)
    rows = [row.as_row() for row in cases.rows]
    goal = goal_of(campaign)

    def lines() -> Iterator[Text]:
        columns = width()
        yield from table_lines(case_table(cases.rows, cases.confidence), columns)
        for sentence in (*bound_sentences(campaign), *(() if goal is None else goal_sentences(goal))):
            yield Text()
            yield from wrapped(sentence, "dim", columns)

    more = {
        "clock_bound_asked_s": campaign.plan.clock_bound_s,
        "clock_bound_reached_s": reached_bound(campaign),
        "goal": None if goal is None else goal.as_row(),
    }
    print_answer(CommandAnswer("ictus.show/1", rows, cases.warnings, lines, more), json, csv)
