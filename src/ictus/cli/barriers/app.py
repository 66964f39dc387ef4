"""The commands of `ictus barriers`, listed in plain sight."""

import typer

from ictus.cli.barriers.skew import skew

barriers = typer.Typer(
    help="Study barriers and other starts: exit skew.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@barriers.callback()
def _group() -> None:
    """Study barriers and other starts: exit skew."""


barriers.command("skew")(skew)
