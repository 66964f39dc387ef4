"""The commands of `ictus redirect`, listed in plain sight."""

import typer

from ictus.programs.redirect.compare import compare
from ictus.programs.redirect.convert import convert

redirect = typer.Typer(
    help="Calls rerouted to faster mock-ups: gains, profiles.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

redirect.command("compare", context_settings={"allow_interspersed_args": False})(compare)
redirect.command("convert")(convert)
