"""`ictus show --over-processes`: each size over the number of processes that call together."""

from ictus.comparison.cases import Cases
from ictus.comparison.over_processes import SCALING_COLUMNS, scaling_groups, scaling_table
from ictus.model.errors import UsageError
from ictus.render.output import AnswerForm, CommandAnswer, width
from ictus.render.table import records
from ictus.render.terminal import lines as table_lines
from ictus.store.campaign import Campaign


def show_over_processes(campaign: Campaign, cases: Cases, form: AnswerForm) -> None:
    """Print them; UsageError where the number of processes does not vary."""
    groups = scaling_groups(cases.rows, blocks=campaign.plan.size_is == "block")
    if not groups:
        raise UsageError(
            f"--over-processes: every case of '{campaign.folder}' has one number of processes; measure with -n 2,4,8, "
            f"or with --comm 'first(2),first(4),world' in launches of 8"
        )
    rows = records((row for group in groups for row in group.rows), SCALING_COLUMNS)
    table = scaling_table(groups, cases.reduction.caption)
    extra_keys = campaign.reduction.as_object()
    answer = CommandAnswer(
        "ictus.show-processes/1", rows, cases.warnings, lambda: iter(table_lines(table, width())), extra_keys
    )
    form.print(answer)
