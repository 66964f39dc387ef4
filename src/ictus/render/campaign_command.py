"""Studies that are campaigns: measured with the ordinary machinery, or read from a folder that was measured before."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ictus.model.errors import MeasurementError, StoppedByUser, UsageError
from ictus.render.output import print_note
from ictus.store.durable import write_atomically

if TYPE_CHECKING:
    from ictus.store.campaign import Campaign


def check_only(context: typer.Context, known: Collection[str]) -> None:
    """UsageError for an option that says how to measure, beside a folder of which nothing is measured."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name not in known and source is not None and source.name == "COMMANDLINE":
            raise UsageError(
                f"{max(parameter.opts, key=len)} with '{context.params['folder']}': a campaign that was measured is "
                f"shown as it is; leave out the option or the folder"
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
    kept: bool = True,
) -> Path:
    """Measure the campaign of the command `name`, or go on with it; its folder. `usual` is what the command measures
    where nothing was given, which says nothing of a campaign that was begun; `kept` is False for a folder that goes
    with the command.

    Raises UsageError, MeasurementError, which where the user stopped it names the command that goes on.
    """
    from ictus.engine.campaign import parse_request, prepare_campaign, run_prepared  # noqa: PLC0415 (polars is slow)
    from ictus.render.progress import resumable  # noqa: PLC0415

    asked = {key: value for key, value in given.items() if value is not None}
    asked = asked if begun(out) else {**(usual or {}), **asked}
    words = name.split()
    request = parse_request(None, out, asked, launcher=launcher, scenario=scenario, prefix=words[-1])
    with resumable(*words) as display:
        prepared = prepare_campaign(request, display)
        try:
            run_prepared(prepared, display)
        except StoppedByUser as error:
            if kept:
                raise
            raise MeasurementError("stopped; nothing is kept of the short launch") from error
    return prepared.folder


def write_page(campaign: "Campaign", name: str, text: str) -> None:
    """The page of a study in the campaign's folder; says where. Raises MeasurementError where that is refused."""
    path = campaign.folder / name
    try:
        write_atomically(path, text.encode())  # in the place of a link that may be there
    except OSError as error:
        raise MeasurementError(f"{path} cannot be written: {error.strerror}") from error
    print_note(f"page: {path}")
