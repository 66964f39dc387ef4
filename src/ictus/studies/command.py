"""Commands of studies: one declaration of the options that say where and how to measure, for all of them."""

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

import typer

from ictus.render.campaign_command import check_only
from ictus.studies.options import parse_study_options

_SHOWING = ("folder", "out", "json", "csv")
"""Parameters that a study takes which was kept before, in every command."""

Command = Callable[..., None]


def study_command(
    *, shown: Collection[str] = (), without: Collection[str] = (), instead: Mapping[str, Any] | None = None
) -> Callable[[Command], Command]:
    """Give a command the options of `parse_study_options` in the place of its parameter `common`.

    `shown` are parameters of its own that a kept study takes too: any other one beside a FOLDER is a UsageError.
    `without` are parameters of `parse_study_options` that it does not have, `instead` what others are declared as here.
    """

    def made(command: Command) -> Command:
        own = inspect.signature(command)
        shared = [
            one.replace(annotation=(instead or {}).get(one.name, one.annotation))
            for one in inspect.signature(parse_study_options).parameters.values()
            if one.name not in without
        ]
        parameters = [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
        for one in own.parameters.values():
            parameters += shared if one.name == "common" else [one]
        parameters.sort(key=lambda one: one.kind)  # stable: what is positional comes first

        @functools.wraps(command)
        def run(context: typer.Context, **given: Any) -> None:
            if given["folder"] is not None:
                check_only(context, {*_SHOWING, *shown})
            chosen = parse_study_options(**{one.name: given.pop(one.name) for one in shared})
            command(**given, common=replace(chosen, output=given["out"]))

        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined] # what typer reads
        return run

    return made
