"""Studies that are campaigns: measured with the ordinary machinery, or read from a folder that was measured before."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ictus.model.errors import MeasurementError, UsageError
from ictus.render.output import print_note
from ictus.store.durable import write_atomically

if TYPE_CHECKING:
    from ictus.store.campaign import Campaign


def check_only(context: typer.Context, known: Collection[str]) -> None:
    """UsageError for an option that says how to measure, beside a folder of which nothing is measured."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name not in known and source is not None and source.name == "COMMANDLINE":
            option = max(parameter.opts, key=len)
            raise UsageError(
                f"{option} with '{context.params['folder']}': what was measured is shown as it is; leave out the "
                f"option or the folder"
            )


def begun(out: Path | None) -> bool:
    """Whether a campaign is in the folder already, so that the command goes on with it."""
    from ictus.store.charter import CAMPAIGN  # noqa: PLC0415 (numpy takes a while)

    return out is not None and (out / CAMPAIGN).is_file()


def measured(
    out: Path | None,
    given: Mapping[str, Any],
    launcher: str,
    scenario: Path | None,
    name: str,
    *,
    usual: Mapping[str, Any] | None = None,
) -> Path:
    """Measure the campaign of the command `name`, or go on with it; its folder. `usual` is what the command measures
    where nothing was given, which says nothing of a campaign that was begun.

    Raises UsageError, MeasurementError, which where the user stopped it names the command that goes on.
    """
    from ictus.engine.backend import World  # noqa: PLC0415 (polars takes most of a second)
    from ictus.engine.measurement import measure_usual  # noqa: PLC0415
    from ictus.render.progress import resumable  # noqa: PLC0415

    words = name.split()
    with resumable(*words) as display:
        return measure_usual(given, out, usual or {}, World(launcher, scenario), display, prefix=words[-1])


def write_page(campaign: "Campaign", name: str, text: str) -> None:
    """The page of a study in the campaign's folder; says where. Raises MeasurementError where that is refused."""
    path = campaign.folder / name
    try:
        write_atomically(path, text.encode())  # in the place of a link that may be there
    except OSError as error:
        raise MeasurementError(f"{path} cannot be written: {error.strerror}") from error
    print_note(f"page: {path}")
