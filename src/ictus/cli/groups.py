"""Groups of commands: the studies, which their registry lists, `ictus redirect` and `ictus profile`."""

import typer

from ictus.cli.words import CommandGroup
from ictus.programs.profile.command import ProgramFirst, run, show
from ictus.programs.redirect.command import compare, convert
from ictus.studies.registry import STUDIES

_GROUPS = {
    "clocks": "Study clocks: accuracy, its cost, drift, frequency.",
    "barriers": "Study barriers and other starts: exit skew, impact.",
    "procsync": "Study window sizes, local against global times.",
}


def add_studies(app: typer.Typer) -> None:
    """Give `app` the command of every study, in its group where it has one."""
    groups = {
        name: CommandGroup(help=text, no_args_is_help=True, rich_markup_mode=None) for name, text in _GROUPS.items()
    }
    for name, group in groups.items():
        app.add_typer(group, name=name)
    for study in STUDIES:
        group_name, _, word = study.command.rpartition(" ")
        (groups[group_name] if group_name else app).command(word)(study.function)


redirect = CommandGroup(
    help="Calls rerouted to faster mock-ups: gains, profiles.", no_args_is_help=True, rich_markup_mode=None
)
redirect.command("compare", context_settings={"allow_interspersed_args": False})(compare)
redirect.command("convert")(convert)

profile = CommandGroup(
    cls=ProgramFirst, help="Count the MPI calls of a program.", no_args_is_help=True, rich_markup_mode=None
)
profile.command("run", context_settings={"allow_interspersed_args": False})(run)
profile.command("show")(show)
