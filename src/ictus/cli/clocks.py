"""The commands of `ictus clocks`, listed in plain sight."""

import typer

from ictus.studies.clock_accuracy.command import accuracy
from ictus.studies.clock_drift.command import drift
from ictus.studies.clock_pareto.command import pareto
from ictus.studies.frequency.command import frequency

clocks = typer.Typer(
    help="Study clocks: accuracy, its cost, drift, frequency.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

clocks.command("accuracy")(accuracy)
clocks.command("pareto")(pareto)
clocks.command("drift")(drift)
clocks.command("frequency")(frequency)
