"""The cost of accuracy: for each number of processes a launch with all settings of a grid that the budget allows."""

from collections.abc import Iterator, Sequence

from ictus.engine.event import Note, Observer
from ictus.engine.folder import check_free
from ictus.engine.study import StudyBackend, StudyLaunch, prepare_study, run_study
from ictus.engine.study_options import StudyOptions
from ictus.model.errors import OptionError
from ictus.model.quantity import format_duration
from ictus.model.registries import Registries
from ictus.studies.clock_pareto.analysis import GRID_KEYS, GridSetting, grid_of, pilots, settings, within_budget
from ictus.studies.clock_pareto.tables import setting_number, variant
from ictus.studies.clocks.document import NAME
from ictus.studies.clocks.options import check, check_several, every_algorithm
from ictus.studies.clocks.reading import assembled, parse_study
from ictus.studies.clocks.record import Study
from ictus.studies.core_defaults import ACCURACY

PROGRAM = ("clocks", "accuracy")

LeftOut = Sequence[tuple[GridSetting, float]]
"""Settings over the budget, each with the time that it would take, seconds."""


def measure(
    common: StudyOptions,
    observer: Observer,
    *,
    algorithms: Sequence[str] | None = None,
    grid: str = "small",
    wait_s: float = 5.0,
    budget_s: float | None = None,
    repeats: int = 3,
    truth: str = ACCURACY.text("truth"),
    rounds: int = ACCURACY.count("rounds"),
    sample: float = ACCURACY.number("sample"),
) -> Study:
    """A new study of these algorithms (None: all that synchronise) with the settings of the grid `small` or `paper`:
    their errors `wait_s` after synchronising. `budget_s` is the longest that a setting may synchronise.

    Raises UsageError, MeasurementError.
    """
    check_several(common.processes)
    given = check(truth, repeats, rounds, sample)
    names = every_algorithm() if algorithms is None else tuple(algorithms)
    every = settings(Registries.load(), names, grid_of(grid))
    check_free(common.output, NAME)
    backend = prepare_study(common, observer)
    launches, left_out = [], []
    for n_ranks in common.processes:
        chosen: Sequence[GridSetting] = every
        if budget_s is not None:
            chosen, too_long = _affordable(backend, n_ranks, every, budget_s, observer)
            left_out += [{"n": n_ranks, "algorithm": one.algorithm, "predicted_s": time} for one, time in too_long]
        if not chosen:
            raise OptionError(("budget", f"{budget_s:g}s", f"it leaves no setting on {n_ranks} ranks"))
        words = {**given, "clocksync": ",".join(one.algorithm for one in chosen), "waits": f"{wait_s:g}s"}
        about = f"pareto: {len(chosen)} settings, {given['repeats']} times each"
        options = {"seed": str(common.seed), **backend.clocks, **words}
        launches.append(StudyLaunch(backend, PROGRAM, n_ranks, options, about))
    more = {"on": common.platform, "budget_s": budget_s, "left_out": left_out}
    return assembled("pareto", run_study(launches, observer), more)


def _affordable(
    backend: StudyBackend, n_ranks: int, grid: Sequence[GridSetting], budget_s: float, observer: Observer
) -> tuple[Sequence[GridSetting], LeftOut]:
    """Measure the smallest settings of each algorithm, predict the others, and report the left-out ones."""
    first = pilots(grid)
    words = {"clocksync": ",".join(one.algorithm for one in first), "waits": "0s", "repeats": "1", "barriers": "0"}
    options = {**backend.clocks, **words, "rounds": "1", "exchanges": "1"}
    about = f"time spent: {len(first)} settings, to predict the others"
    (measured,) = run_study([StudyLaunch(backend, PROGRAM, n_ranks, options, about)], observer)
    by_name = {one.algorithm: one for one in first}
    taken = {by_name[run.name]: [run.elapsed_s] for run in parse_study(measured, NAME).runs}
    found = within_budget(grid, taken, budget_s)
    for line in _left_out_lines(found.left_out, budget_s):
        observer(Note(line))
    return found.kept, found.left_out


def _left_out_lines(left_out: LeftOut, budget_s: float) -> Iterator[str]:
    """The settings over the budget: one line for each algorithm, its settings as fit points x exchanges."""
    for name in dict.fromkeys(variant(one.algorithm) for one, _ in left_out):
        own = [(one.algorithm, time) for one, time in left_out if variant(one.algorithm) == name]
        numbers = ((" x ".join(filter(None, (setting_number(one, key) for key in GRID_KEYS))), t) for one, t in own)
        each = ", ".join(f"{number} ({format_duration(time)})".strip() for number, time in numbers)
        yield f"over the budget of {format_duration(budget_s)} and left out: {name}: {each}"
