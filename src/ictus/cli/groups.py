"""The groups of commands, each listed in plain sight.

The commands of `ictus barriers`, listed in plain sight.

The commands of `ictus clocks`, listed in plain sight.

The commands of `ictus procsync`, listed in plain sight.

The commands of `ictus redirect`, listed in plain sight.
"""

import typer

from ictus.programs.redirect.compare import compare
from ictus.programs.redirect.convert import convert
from ictus.studies.barrier_impact.command import impact
from ictus.studies.clock_accuracy.command import accuracy
from ictus.studies.clock_drift.command import drift
from ictus.studies.clock_pareto.command import pareto
from ictus.studies.exit_skew.command import skew
from ictus.studies.frequency.command import frequency
from ictus.studies.local_and_global.command import times
from ictus.studies.window_size.command import window

barriers = typer.Typer(
    help="Study barriers and other starts: exit skew, impact.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@barriers.callback()
def _group() -> None:
    """Study barriers and other starts: exit skew, and what they do to latencies."""


barriers.command("skew")(skew)
barriers.command("impact")(impact)


clocks = typer.Typer(
    help="Study clocks: accuracy, its cost, drift, frequency.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

clocks.command("accuracy")(accuracy)
clocks.command("pareto")(pareto)
clocks.command("drift")(drift)
clocks.command("frequency")(frequency)


procsync = typer.Typer(
    help="Study window sizes, local against global times.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

procsync.command("window")(window)
procsync.command("times")(times)


redirect = typer.Typer(
    help="Calls rerouted to faster mock-ups: gains, profiles.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

redirect.command("compare", context_settings={"allow_interspersed_args": False})(compare)
redirect.command("convert")(convert)
