"""`ictus show --launches`: the launches, each with the state of the machine."""

from collections.abc import Iterator

from rich.text import Text

from ictus.comparison.launch_table import launch_rows, launch_table
from ictus.comparison.modes import machine_modes
from ictus.comparison.warnings import campaign_warnings
from ictus.comparison.words import mode_sentence
from ictus.render.output import AnswerForm, CommandAnswer, width, wrapped
from ictus.render.table import records
from ictus.render.terminal import lines as table_lines
from ictus.store.campaign import Campaign


def show_launches(campaign: Campaign, form: AnswerForm) -> None:
    """Print them."""
    table_rows, modes = launch_rows(campaign), machine_modes(campaign)

    def lines() -> Iterator[Text]:
        columns = width()
        yield from table_lines(launch_table(table_rows), columns)
        for sentence in mode_sentence(modes):
            yield Text()
            yield from wrapped(sentence, "", columns)

    rows, extra_keys = records(table_rows), {"modes": records(modes.modes)}
    form.print(CommandAnswer("ictus.show-launches/1", rows, campaign_warnings(campaign), lines, extra_keys))
