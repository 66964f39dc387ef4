"""The cost of accuracy: for each number of processes a launch with all settings of a grid that the budget allows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ictus.engine.event import Note
from ictus.engine.study import StudyLaunch, run_study
from ictus.model.errors import OptionError, UsageError
from ictus.model.quantity import format_duration
from ictus.model.registries import Registries
from ictus.render.page import Legend, Section, paragraphs
from ictus.studies.clock_pareto.analysis import (
    GRID_KEYS,
    GridSetting,
    Point,
    grid_of,
    pilots,
    points,
    settings,
    within_budget,
)
from ictus.studies.clock_pareto.figures import pareto_panels
from ictus.studies.clock_pareto.tables import (
    barriers_of,
    budget_note,
    pareto_sentences,
    pareto_table,
    rows,
    setting_number,
    variant,
)
from ictus.studies.clocks.errors import SINGLE, summarise
from ictus.studies.clocks.material import clocks_material, error_facts
from ictus.studies.clocks.options import ALGORITHMS, CHECKS, REPEATS, checking, every_algorithm
from ictus.studies.clocks.record import NAME, ClocksStudy
from ictus.studies.clocks.setting import remarks, warnings_of
from ictus.studies.core_launches import PlannedLaunches, StudySetup
from ictus.studies.core_material import check_several
from ictus.studies.material import StudyAnswer
from ictus.studies.study import Study, own_option

PROGRAM = ("clocks", "accuracy")

LeftOut = Sequence[tuple[GridSetting, float]]
"""Settings over the budget, each with the time that it would take, seconds."""

COST = paragraphs("""
    What accuracy costs. The line joins the settings that no other one beats in both time and error; a setting above it
    is never the right choice. MPI_Barrier is the baseline: clocks that err by more than a barrier takes start processes
    no better than a barrier does.
""")


def check(*, clocksync: Sequence[str] | None, grid: str, **_: object) -> None:
    """UsageError for algorithms that have no such settings."""
    _settings(clocksync, grid)


def _settings(clocksync: Sequence[str] | None, grid: str) -> Sequence[GridSetting]:
    names = every_algorithm() if clocksync is None else tuple(clocksync)
    return settings(Registries.load(), names, grid_of(grid))


def launches(
    setup: StudySetup,
    *,
    clocksync: Sequence[str] | None,
    grid: str,
    wait_s: float,
    budget_s: float | None,
    repeats: int,
    truth: str,
    rounds: int,
    sample: float,
) -> PlannedLaunches:
    """Launches with these algorithms (None: all that synchronise) and the settings of the grid `small` or `paper`;
    `budget_s` is the longest that a setting may synchronise.
    """
    check_words = checking(truth, repeats, rounds, sample)
    every = _settings(clocksync, grid)
    planned, left_out = [], []
    for n_ranks in setup.common.processes:
        chosen = every
        if budget_s is not None:
            chosen, too_long = _affordable(setup, n_ranks, every, budget_s)
            left_out += [
                {"n": n_ranks, "algorithm": setting.algorithm, "predicted_s": time} for setting, time in too_long
            ]
        if not chosen:
            raise OptionError(("budget", f"{budget_s:g}s", f"it leaves no setting on {n_ranks} ranks"))
        words = {
            **check_words,
            "clocksync": ",".join(grid_setting.algorithm for grid_setting in chosen),
            "waits": f"{wait_s:g}s",
        }
        about = f"pareto: {len(chosen)} settings, {check_words['repeats']} times each"
        options = {"seed": str(setup.common.seed), **setup.backend.clocks, **words}
        planned.append(StudyLaunch(setup.backend, PROGRAM, n_ranks, options, about))
    return PlannedLaunches(planned, {"budget_s": budget_s, "left_out": left_out})


def _affordable(
    setup: StudySetup, n_ranks: int, grid: Sequence[GridSetting], budget_s: float
) -> tuple[Sequence[GridSetting], LeftOut]:
    """Measure the smallest settings of each algorithm, predict the others, and report the left-out ones."""
    first = pilots(grid)
    words = {
        "clocksync": ",".join(grid_setting.algorithm for grid_setting in first),
        "waits": "0s",
        "repeats": "1",
        "barriers": "0",
    }
    options = {**setup.backend.clocks, **words, "rounds": "1", "exchanges": "1"}
    about = f"time spent: {len(first)} settings, to predict the others"
    (measured,) = run_study([StudyLaunch(setup.backend, PROGRAM, n_ranks, options, about)], setup.observer)
    by_name = {setting.algorithm: setting for setting in first}
    taken = {by_name[run.name]: [run.elapsed_s] for run in ClocksStudy.parse(measured, NAME).runs}
    affordable = within_budget(grid, taken, budget_s)
    for line in _left_out_lines(affordable.left_out, budget_s):
        setup.observer(Note(line))
    return affordable.kept, affordable.left_out


def _left_out_lines(left_out: LeftOut, budget_s: float) -> Iterator[str]:
    """The settings over the budget: one line for each algorithm, its settings as fit points x exchanges."""
    for name in dict.fromkeys(variant(setting.algorithm) for setting, _ in left_out):
        of_variant = [
            (grid_setting.algorithm, time) for grid_setting, time in left_out if variant(grid_setting.algorithm) == name
        ]
        numbers = (
            (" x ".join(filter(None, (setting_number(algorithm, key) for key in GRID_KEYS))), t)
            for algorithm, t in of_variant
        )
        each = ", ".join(f"{number} ({format_duration(time)})".strip() for number, time in numbers)
        yield f"over the budget of {format_duration(budget_s)} and left out: {name}: {each}"


def analyse(study: ClocksStudy, *, wait_s: float) -> Sequence[Point]:
    """A row a setting. Raises UsageError where nothing was measured at that time."""
    summaries = summarise(study.runs)
    weighed = points(summaries, wait_s, study.budget_s)
    if not weighed and not any(summary.errors for summary in summaries):
        raise UsageError(f"nothing to weigh: {SINGLE}")
    if not weighed:
        waits_text = ", ".join(
            f"{measured_s:g}s"
            for measured_s in sorted({error.wait_s for each_summary in summaries for error in each_summary.errors})
        )
        raise UsageError(f"--wait '{wait_s:g}s' was not measured there; known are {waits_text}")
    return weighed


def answer(study: ClocksStudy, weighed: Sequence[Point], *, wait_s: float) -> StudyAnswer:
    """The settings that none beats in both time and error."""

    def sections() -> list[Section]:
        legend = Legend(tuple(dict.fromkeys(sorted(variant(point.algorithm) for point in weighed))))
        panels = pareto_panels(weighed, wait_s, barriers, legend, variant)
        return [
            Section("cost", "Frontier", COST, panels=panels),
            Section("settings", "Settings", (), tables=(table,)),
        ]

    barriers, table = barriers_of(study), pareto_table(weighed, wait_s)
    over = budget_note(weighed, study.budget_s)
    return StudyAnswer(
        sentences=list(pareto_sentences(study, weighed)),
        rows=list(rows(weighed, wait_s)),
        tables=(table,),
        sections=sections,
        remarks=(*over, *remarks(study.settings, [launch.truth for launch in study.accuracy])),
        warnings=warnings_of(study),
        facts=error_facts(study),
        extra_keys={
            "barrier_s": barriers,
            "budget_s": study.budget_s,
            "left_out": list(study.left_out),
        },
    )


STUDY = Study(
    name="clock_pareto",
    about="""
    The error of every setting of every algorithm against the time that it takes. The settings that none beats in both
    are the frontier. The mean MPI_Barrier is the baseline.
    """,
    title="What accuracy costs",
    schema="ictus.clocks.pareto/1",
    material=clocks_material("pareto", launches, check=check_several),
    options=(
        ALGORITHMS,
        own_option(
            "grid",
            "text",
            "NAME",
            "Settings: small, or paper (7 fit points by 4 exchanges).",
            default_text="small",
        ),
        own_option("budget", "time", "TIME", "Leave out settings that are predicted to synchronise for longer."),
        own_option(
            "wait",
            "duration",
            "TIME",
            "Time after synchronising at which the error counts.",
            default_text="5s",
            of_showing=True,
        ),
        replace(REPEATS, default_text="3"),
        *CHECKS,
    ),
    check=check,
    analyse=analyse,
    answer=answer,
)
