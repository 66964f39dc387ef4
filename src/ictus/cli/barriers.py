"""The commands of `ictus barriers`, listed in plain sight."""

import typer

from ictus.studies.barrier_impact.command import impact
from ictus.studies.exit_skew.command import skew

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
