"""The commands of `ictus clocks`, listed in plain sight."""

import typer

from ictus.cli.clocks.accuracy import accuracy
from ictus.cli.clocks.drift import drift
from ictus.cli.clocks.frequency import frequency
from ictus.cli.clocks.pareto import pareto

clocks = typer.Typer(
    help="Study clocks: accuracy, its cost, drift, frequency.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

clocks.command("accuracy")(accuracy)
clocks.command("pareto")(pareto)
clocks.command("drift")(drift)
clocks.command("frequency")(frequency)
