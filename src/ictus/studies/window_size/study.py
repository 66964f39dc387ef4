"""How long a window must be: windows of several sizes in the same launches, around the latencies of a short one."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ictus.comparison.warnings import campaign_warnings
from ictus.engine.event import Note
from ictus.engine.measurement import measure_with_defaults, plan_words
from ictus.model.errors import MeasurementError, StoppedByUser
from ictus.model.launch_factor import CLOCKS_AND_SETTINGS
from ictus.model.narrower_options import NREP, ONE_CLOCK, ONE_CLOCKSYNC, ONE_SETTING
from ictus.model.quantity import format_duration, typed_duration
from ictus.render.page import Fact, Legend, Section, paragraphs
from ictus.render.table import records
from ictus.store.campaign import Campaign, load
from ictus.store.manifest import CAMPAIGN
from ictus.studies.campaign_material import CampaignMaterial, CampaignSetup
from ictus.studies.material import StudyAnswer
from ictus.studies.study import Study, own_option
from ictus.studies.window_size.analysis import LIMIT, WindowSweep, auto_windows, sizes_around, window_sweeps
from ictus.studies.window_size.claims import CLAIMS
from ictus.studies.window_size.figures import label_of, window_panels
from ictus.studies.window_size.tables import COLUMNS, advice_sentences, percent, window_rows, window_table

_PILOT = {"launches": 1, "nrep": 50, "repetition": None, "procsync": ["window"]}
"""A short launch with windows of size auto, which shows how long the calls take."""
_AUTO_FACTOR = 3.0
"""A window of size auto has this number of latencies (native/src/procsync/window.cpp)."""

_WINDOWS = paragraphs("""
    A window that is too short is missed by ranks that are still in the call before: the sample is invalid, marked as
    late or as an overrun. A window that is too long wastes time in which clocks drift and others disturb. Lines are
    medians over launches, bands their 95 % interval.
""")


def fixed_attempts(count: int) -> str:
    """A repetition of exactly this number of samples, valid or not."""
    return f"fixed(nrep={count},max_attempts={count})"


def plan(setup: CampaignSetup, *, windows_s: Sequence[float] | None, **_: object) -> CampaignSetup:
    """A campaign with windows of these sizes, seconds (None: around the latencies)."""
    target, values = plan_words(setup.plan)
    nrep = values.pop("nrep", None)
    if nrep:  # A sample is an attempt here: invalid ones are what is looked for, and are not made good.
        values["repetition"] = fixed_attempts(nrep)
    defaults = dict(setup.defaults)
    finds, still_open = values.get("procsync") is None, ""
    exists = target or (setup.folder is not None and (setup.folder / CAMPAIGN).is_file())
    if windows_s is not None:
        values["procsync"] = list(map(_spelt, windows_s))
    elif not exists and finds and setup.dry:
        still_open = "A short launch with each library finds the windows before; each window repeats all this."
    elif not exists and finds:
        plan_values = {key: value for key, value in values.items() if value is not None}
        defaults["procsync"] = list(map(_spelt, _sizes({**defaults, **plan_values}, setup)))
    return replace(setup, plan=target or values, defaults=defaults, open=still_open)


def _spelt(window_s: float) -> str:
    return f"window(size={typed_duration(window_s)})"


def _sizes(plan_values: Mapping[str, Any], setup: CampaignSetup) -> tuple[float, ...]:
    """Sizes around the latencies that a short launch with each library finds."""
    with tempfile.TemporaryDirectory(prefix="ictus-window-") as name:
        try:
            pilot = measure_with_defaults(
                {**plan_values, **_PILOT}, Path(name) / "pilot", {}, setup.launcher_choice, setup.observer
            )
        except StoppedByUser as error:
            raise MeasurementError("stopped; nothing is kept of the short launch") from error
        windows_s = auto_windows([launch.record for launch in load(pilot).launches])
    if not windows_s:
        raise MeasurementError("the short launch has found no window; name some: --windows 10us,20us,50us")
    sizes = sizes_around(min(windows_s) / _AUTO_FACTOR, max(windows_s) / _AUTO_FACTOR)
    setup.observer(Note(f"windows: {', '.join(map(format_duration, sizes))}"))
    return sizes


def answer(campaign: Campaign, sweeps: Sequence[WindowSweep], *, limit: float) -> StudyAnswer:
    """The recommended window of each case."""

    def sections() -> list[Section]:
        legend = Legend(tuple(dict.fromkeys(map(label_of, sweeps))))
        panels = window_panels(sweeps, legend)
        return [Section("windows", "Windows", _WINDOWS, legend=legend.entries(), panels=panels, tables=tables)]

    tables = (window_table(sweeps),)
    return StudyAnswer(
        sentences=advice_sentences(sweeps, limit),
        rows=[row for sweep in sweeps for row in records(window_rows(sweep), COLUMNS)],
        tables=tables,
        sections=sections,
        warnings=campaign_warnings(campaign),
        facts=(Fact("invalid samples accepted", percent(limit)),),
        extra_keys={"limit": limit, "recommended_s": [window_sweep.advice.window_s for window_sweep in sweeps]},
    )


STUDY = Study(
    name="window_size",
    about="""
    The share of invalid samples and the latency of the valid ones at each size. All sizes are measured in the same
    launches, in shuffled order. On a FOLDER with windows of fixed size nothing is measured.
    """,
    title="How long a window has to be",
    schema="ictus.procsync.window/1",
    material=CampaignMaterial(
        takes=(
            "mpi",
            "op",
            "sizes",
            "n",
            "launches",
            NREP,
            ONE_CLOCK,
            ONE_CLOCKSYNC,
            "seed",
            "platform",
            "timeout",
            ONE_SETTING,
            "pin",
        ),
        defaults={"op": "alltoall,scan", "sizes": "8Ki", "launches": 10, "repetition": fixed_attempts(1000)},
        single=CLOCKS_AND_SETTINGS,
        prefix="window",
        page="windows.html",
        plan=plan,
    ),
    options=(
        own_option(
            "windows",
            "brief-times",
            "TIME,...",
            "Window sizes, at most 1s each.",
            default="0.7 to 10 times the latencies, found by a short launch",
        ),
        own_option(
            "limit",
            "share",
            "SHARE",
            "Largest accepted share of invalid samples.",
            default_text=f"{LIMIT:g}",
            least=0,
            most=1,
            of_showing=True,
        ),
    ),
    claims=CLAIMS,
    analyse=window_sweeps,
    answer=answer,
)
