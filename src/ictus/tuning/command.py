"""`ictus tune`: find what mends violated guidelines, confirm it, write it down."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ictus.model.errors import MeasurementError, UsageError
from ictus.model.quantity import format_span, parse_long_duration
from ictus.model.spec import split_list
from ictus.render import plan_options as options
from ictus.render.console import width, wrapped
from ictus.render.output import Answer, Csv, Json, print_answer, print_note
from ictus.render.plan_options import Launcher, ScenarioFile
from ictus.render.shell_command import command

if TYPE_CHECKING:
    from rich.text import Text

    from ictus.tuning.rows import Tuning

DOCUMENT, PAGE, EXPLAINED = "tune.json", "tune.html", "explain.html"
_LEAST_LAUNCHES = 6
"""Of fewer no test by ranks could confirm anything at 5 %, one-sided, with a second remedy beside."""


def tune(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A check of guidelines.", show_default=False)],
    *,
    out: Annotated[
        Path | None, options.output_option("The tuning's folder, gone on with where it was interrupted; FOLDER-tune.")
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            metavar="TIME",
            help="Time in launches, as 90s, 10min or 2h. [default: 10min]",
            show_default=False,
        ),
    ] = None,
    guidelines: Annotated[
        str | None,
        typer.Option(
            "--guidelines", metavar="NAME,...", help="Only violations of these. [default: all]", show_default=False
        ),
    ] = None,
    launches: Annotated[
        int | None,
        typer.Option(
            "--launches",
            metavar="COUNT",
            min=_LEAST_LAUNCHES,
            help="Fresh launches that confirm, of each variant. [default: 20]",
            show_default=False,
        ),
    ] = None,
    nrep: Annotated[
        int | None,
        typer.Option(
            "--nrep",
            metavar="COUNT",
            min=1,
            help="Valid repetitions of a case in a launch. [default: 200]",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="COUNT",
            min=2,
            help="Candidates of a call, with the call itself. [default: 24]",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="NUMBER", help="Decides the order of everything.", show_default="drawn"),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Only explain: ping-pongs and expectations, no races.")
    ] = False,
    launcher: Launcher = "mpiexec",
    scenario: ScenarioFile = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Find remedies for violated guidelines.

    For each call that breaks one: the library's own algorithms and settings, mock-ups, splitting and padding race
    launch by launch, losers drop out early; the winner is confirmed in fresh launches, with the files in force that
    are then written, and the check is run again with all of them. What does not come out clean is not recommended. The
    same command goes on with what was interrupted; what it does not say is as it was begun.
    """
    from ictus.guidelines.check.explain_rows import explanation_row  # noqa: PLC0415 (polars and scipy take most of a second)
    from ictus.tuning.page import tune_page  # noqa: PLC0415
    from ictus.tuning.rows import tuned_row  # noqa: PLC0415

    budget_s = None if budget is None else _budget(budget)
    out = out or folder.with_name(f"{folder.name}-tune")
    names = list(dict.fromkeys(split_list(guidelines))) if guidelines else None
    _check_guidelines(folder, names or ())
    given = {"launches": launches, "nrep": nrep, "limit": limit, "guidelines": names, "seed": seed}
    record = _begun(folder, out, {name: value for name, value in given.items() if value is not None}, budget_s)
    budget_s = budget_s or float(record.get("budget_s", _BUDGET_S))
    found = _found(folder, out, record, World(launcher, scenario), None if explain else budget_s)
    again = command("tune", folder, "-o", out)
    path = out / (EXPLAINED if explain else PAGE)  # an explanation leaves what was found and written as it is
    try:
        path.write_text(tune_page(found, again), "utf-8")
    except OSError as error:
        raise MeasurementError(f"{path} cannot be written: {error.strerror}") from error
    print_note(f"page: {path}")
    rows = [explanation_row(one) for one in found.explanations] if explain else [tuned_row(one) for one in found.cells]
    more = {
        "explanations": [] if explain else [explanation_row(one) for one in found.explanations],
        "files": [vars(one) for one in found.files],
        "checked_again": list(found.checked),
        "recheck": list(found.recheck),
        "spent_s": found.spent_s,
        "budget_s": found.budget_s,
    }
    schema = "ictus.explain/1" if explain else "ictus.tune/1"
    print_answer(Answer(schema, rows, found.warnings, lambda: _lines(found, explained=explain), more), json, csv)


def _budget(text: str) -> float:
    try:
        seconds = parse_long_duration(text)
    except UsageError as error:
        raise UsageError(f"--budget '{text}': expected a time such as 90s, 10min or 2h") from error
    if not seconds > 0:
        raise UsageError(f"--budget '{text}': expected a time above 0, such as 90s, 10min or 2h")
    return seconds


def _check_guidelines(folder: Path, names: Sequence[str]) -> None:
    """UsageError for a guideline that the check does not have, before anything is written."""
    from ictus.store.check import read_check  # noqa: PLC0415

    known = tuple(dict.fromkeys(str(rule["name"]) for rule in read_check(folder).rules))
    foreign = next((name for name in names if name not in known), None)
    if foreign is not None:
        raise UsageError(f"--guidelines '{foreign}': the check has {', '.join(known)}")


_USUAL = {"launches": 20, "nrep": 200, "limit": 24, "guidelines": list[str]()}
_BUDGET_S = 600.0


def _begun(folder: Path, out: Path, given: Mapping[str, Any], budget_s: float | None) -> dict[str, Any]:
    """The tuning as it is on the disk; written where it begins now. UsageError where the folder holds another."""
    from ictus.store.check import read_check  # noqa: PLC0415
    from ictus.store.document import read_document, version, write_document  # noqa: PLC0415

    created = read_check(folder).created
    if (out / DOCUMENT).is_file():
        begun = read_document(out / DOCUMENT)
        asked = {**given, "check": created}
        key = next((key for key in asked if begun.get(key) != asked[key]), None)
        if key is not None:
            what = "another check" if key == "check" else f"{key} {begun.get(key)!r}, not {asked[key]!r}"
            raise UsageError(f"-o '{out}' holds a tuning of {what}: give another -o")
        if budget_s is not None and begun.get("budget_s") != budget_s:
            begun["budget_s"] = budget_s
            write_document(out / DOCUMENT, begun)
        return begun
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"-o '{out}' is no tuning and not empty: give another")
    record = {
        "format": 1,
        "ictus": version(),
        "created": datetime.now().astimezone().isoformat(timespec="seconds"),
        "check": created,
        "seed": random.SystemRandom().randrange(10**9),
        **_USUAL,
        **given,
        "budget_s": budget_s or _BUDGET_S,
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_document(out / DOCUMENT, record)
    except OSError as error:
        raise UsageError(f"-o '{out}' cannot be written: {error.strerror}") from error
    return record


@dataclass(frozen=True)
class World:
    """What launches are made in."""

    launcher: str
    scenario: Path | None


def _found(folder: Path, out: Path, record: Mapping[str, Any], world: World, budget_s: float | None) -> "Tuning":
    """The tuning; without a budget nothing races."""
    from ictus.engine.backend import prepare_backend  # noqa: PLC0415
    from ictus.engine.campaign import requested_libraries  # noqa: PLC0415
    from ictus.mpi.machine import read_machine  # noqa: PLC0415
    from ictus.render.progress import resumable  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415
    from ictus.tuning.offers import Libraries  # noqa: PLC0415
    from ictus.tuning.session import Workshop  # noqa: PLC0415
    from ictus.tuning.tuning import Asked, bases_of, tuned  # noqa: PLC0415

    campaign = load(folder)
    asked = Asked(
        budget_s=budget_s or 0.0,
        launches=int(record["launches"]),
        limit=int(record["limit"]),
        guidelines=tuple(record["guidelines"]),
        race=budget_s is not None,
        created=str(record["created"]),
    )
    with resumable("tune", str(folder), folder=out) as display:
        backend = prepare_backend(requested_libraries(campaign.plan), world.launcher, world.scenario, display)
        bases = bases_of(backend, campaign)
        workshop = Workshop(
            folder=out,
            check=folder,
            plan=campaign.plan,
            backend=backend,
            nrep=int(record["nrep"]),
            seed=int(record["seed"]),
            machine=read_machine().record() if backend.real else {"host": "simulated"},
            bases=bases,
            observer=display,
        )
        return tuned(workshop, Libraries(backend, campaign, bases, display), asked)


def _lines(found: "Tuning", *, explained: bool) -> Iterator["Text"]:
    from rich.text import Text  # noqa: PLC0415

    from ictus.guidelines.check.explain_rows import explanation_sentences  # noqa: PLC0415
    from ictus.tuning.rows import not_tried, summary  # noqa: PLC0415
    from ictus.tuning.tables import LEGEND, tune_table  # noqa: PLC0415

    columns = width()
    for mark in found.marks:
        yield from wrapped(mark, "dim", columns)
    if explained:
        for one in found.explanations:
            for number, sentence in enumerate(explanation_sentences(one)):
                yield from wrapped(("  " if number else "") + sentence, "", columns, "  ")
        return
    rows = tune_table(found.cells, columns)
    if rows:
        yield from rows
        yield Text()
        yield from wrapped(LEGEND, "dim", columns)
        yield Text()
    missing = not_tried(found.cells)
    if missing:
        yield from wrapped(missing, "", columns)
        yield Text()
    yield from wrapped(summary(found.cells, found.undecided), "bold", columns)
    for text in found.checked:
        yield from wrapped(text, "", columns)
    yield from wrapped(
        f"{format_span(found.spent_s)} of a budget of {format_span(found.budget_s)} were spent in launches.",
        "",
        columns,
    )
    for file in found.files:
        yield Text(f"{file.path}: {file.use}", overflow="fold")
    for text in found.recheck:
        yield Text(f"Check again: {text}", overflow="fold")
