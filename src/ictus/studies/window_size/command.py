"""`ictus procsync window`: how long a window has to be."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ictus.model.errors import MeasurementError
from ictus.model.quantity import format_duration
from ictus.render import plan_options as options
from ictus.render.campaign_command import begun, check_only, measured, write_page
from ictus.render.console import width, wrapped
from ictus.render.option_values import brief_times
from ictus.render.output import Answer, Csv, Json, print_answer, print_note
from ictus.render.plan_options import Launcher, ScenarioFile
from ictus.render.shell_command import command

if TYPE_CHECKING:
    from rich.text import Text

    from ictus.studies.window_size.rows import WindowSweep

OPERATIONS, SIZES, NREP, LAUNCHES = "alltoall,scan", "8Ki", 1000, 10
"""What the papers' figures show."""
LIMIT = 0.01
PAGE = "windows.html"
_PILOT = {"launches": 1, "nrep": 50, "repetition": None, "procsync": ["window"]}
"""A short launch with windows of size auto: it tells how long the calls take."""
_AUTO_FACTOR = 3.0
"""A window of size auto is so many latencies long (native/src/procsync/window.cpp)."""


def window(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="A campaign to look at, in which the page is put; left out: one is measured.",
            show_default=False,
        ),
    ] = None,
    *,
    windows: Annotated[
        str | None,
        typer.Option(
            "--windows",
            metavar="TIME,...",
            help="Window sizes, at most 1s each. [default: 0.7 to 10 times the latencies, found by a short launch]",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        float,
        typer.Option("--limit", metavar="SHARE", min=0, max=1, help="Share of invalid samples that is put up with."),
    ] = LIMIT,
    mpi: options.Libraries = None,
    op: Annotated[
        str | None,
        typer.Option("--op", metavar="NAME,...", help=f"Operations. [default: {OPERATIONS}]", show_default=False),
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option("--sizes", metavar="SIZES", help=f"Sizes. [default: {SIZES}]", show_default=False),
    ] = None,
    n: options.Processes = None,
    launches: options.Launches = None,
    nrep: options.Nrep = None,
    clock: options.Clock = None,
    clocksync: options.Clocksync = None,
    seed: options.Seed = None,
    platform: options.Platform = None,
    timeout: options.Timeout = None,
    env: options.Environment = None,
    no_pin: options.NoPin = None,
    launcher: Launcher = "mpiexec",
    scenario: ScenarioFile = None,
    out: Annotated[Path | None, options.output_option("The campaign folder; window-DATE.")] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Sweep window sizes: the share of invalid samples, the latency of the valid ones, and the size to take.

    All sizes are measured in the same launches, in shuffled order. On a FOLDER with windows of fixed size nothing is
    measured.
    """
    from ictus.comparison.warnings import campaign_warnings  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415 (polars and scipy take most of a second)
    from ictus.studies.window_size.page import window_page  # noqa: PLC0415
    from ictus.studies.window_size.rows import window_sweeps  # noqa: PLC0415

    if folder is not None:
        check_only(context, ("folder", "limit", "json", "csv"))
    else:
        given = {
            "mpi": mpi or None,
            "op": op,
            "sizes": sizes,
            "n": n,
            "launches": launches,
            "clock": clock,
            "clocksync": clocksync,
            "seed": seed,
            "platform": platform,
            "timeout": timeout,
            "pin": False if no_pin else None,
            "env": options.environment(env),
        }
        usual: dict[str, Any] = {"op": OPERATIONS, "sizes": SIZES, "launches": LAUNCHES, "repetition": _attempts(NREP)}
        if windows:
            given["procsync"] = [_spelt(size) for size in brief_times("--windows", windows)]
        elif not begun(out):
            found = _sizes({**usual, **{key: one for key, one in given.items() if one is not None}}, launcher, scenario)
            usual["procsync"] = [_spelt(size) for size in found]
        # A sample is an attempt here: invalid ones are what is looked for, and are not made good.
        given["repetition"] = _attempts(nrep) if nrep else None
        folder = measured(out, given, launcher, scenario, "procsync window", usual=usual)
    campaign = load(folder)
    sweeps = window_sweeps(campaign, limit)
    warnings = campaign_warnings(campaign)
    again = command("procsync", "window", folder.resolve().name, "--limit", f"{limit:g}")
    write_page(campaign, PAGE, window_page(campaign, sweeps, limit, warnings, again))
    rows = [row for sweep in sweeps for row in sweep.flat()]
    more = {"limit": limit, "recommended_s": [one.advice.window_s for one in sweeps]}
    print_answer(Answer("ictus.procsync.window/1", rows, warnings, lambda: _lines(sweeps, limit), more), json, csv)


def _attempts(count: int) -> str:
    """Exactly so many samples, valid or not."""
    return f"fixed(nrep={count},max_attempts={count})"


def _spelt(window_s: float) -> str:
    from ictus.studies.window_size.tables import size_text  # noqa: PLC0415

    return f"window(size={size_text(window_s)})"


def _sizes(given: Mapping[str, Any], launcher: str, scenario: Path | None) -> tuple[float, ...]:
    """Sizes around the latencies that a short launch with each library finds."""
    from ictus.store.campaign import load  # noqa: PLC0415
    from ictus.studies.window_size.analysis import sizes_around  # noqa: PLC0415
    from ictus.studies.window_size.rows import auto_windows  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="ictus-window-") as name:
        words = {**given, **_PILOT}
        pilot = measured(Path(name) / "pilot", words, launcher, scenario, "procsync window", kept=False)
        found = auto_windows([launch.record for launch in load(pilot).launches])
    if not found:
        raise MeasurementError("the short launch has found no window; name some: --windows 10us,20us,50us")
    sizes = sizes_around(min(found) / _AUTO_FACTOR, max(found) / _AUTO_FACTOR)
    print_note(f"windows: {', '.join(map(format_duration, sizes))}")
    return sizes


def _lines(sweeps: "Sequence[WindowSweep]", limit: float) -> Iterator["Text"]:
    from rich.text import Text  # noqa: PLC0415

    from ictus.studies.window_size.tables import advice_sentences, window_tables  # noqa: PLC0415

    columns = width()
    yield from window_tables(sweeps, columns)
    for sentence in advice_sentences(sweeps, limit):
        yield Text()
        yield from wrapped(sentence, "bold", columns)
