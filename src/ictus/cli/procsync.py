"""The commands of `ictus procsync`, listed in plain sight."""

import typer

from ictus.studies.local_and_global.command import times
from ictus.studies.window_size.command import window

procsync = typer.Typer(
    help="Study window sizes, local against global times.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

procsync.command("window")(window)
procsync.command("times")(times)
