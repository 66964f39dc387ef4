"""What algorithms and settings are called in tables and figures of clock studies."""

from collections.abc import Sequence

from ictus.model.errors import UsageError
from ictus.model.quantity import format_duration
from ictus.model.registries import Registries
from ictus.model.spec import Argument, parse_spec
from ictus.render.figures.axes import tick_text
from ictus.studies.clock_pareto.analysis import BACK_TO_BACK, GRID_KEYS, Point
from ictus.studies.clocks.label import number_in, reset, short_label, without
from ictus.studies.clocks.record import Study, StudySetting
from ictus.studies.frequency.analysis import FrequencySummary

OVER_BUDGET = "‡"
"""Behind the time of a setting that took longer than the budget."""


def budget_note(points: Sequence[Point], budget_s: float | None) -> tuple[str, ...]:
    """What the mark means, where one has it."""
    over = sum(point.over_budget for point in points)
    if budget_s is None or not over:
        return ()
    many = f"{over} of {len(points)} settings"
    return (f"{OVER_BUDGET} {many} took longer than foretold, and than the budget of {format_duration(budget_s)}.",)


def label(algorithm: str) -> str:
    """The shortest spec that means the same."""
    return short_label(Registries.load(), algorithm)


def clock_label(clock: str) -> str:
    """The clock's spec without what only repeats a default."""
    try:
        return str(Registries.load().brief("clock", clock))
    except UsageError:
        return clock


def variant(algorithm: str) -> str:
    """What the settings of a grid have in common: the short label without the grid's own parameters."""
    name = label(reset(Registries.load(), algorithm, GRID_KEYS))
    spec = parse_spec(name)
    tight = {Argument(key, value) for key, value in BACK_TO_BACK.items()}
    return f"{without(name, BACK_TO_BACK)}, back to back" if tight <= set(spec.arguments) else name


def setting_number(algorithm: str, key: str) -> str:
    """The number of fit points or exchanges of an algorithm in full form, empty where it has none."""
    found = number_in(algorithm, key)
    return "" if found is None else str(found)


def seconds(wait_s: float) -> str:
    """`5 s`, `0.5 s`: a wait as it is typed."""
    return f"{wait_s:g} s"


def processes(n_ranks: int) -> str:
    """`1 process`, `4 processes`."""
    return f"{n_ranks} process{'' if n_ranks == 1 else 'es'}"


def setting_text(settings: Sequence[StudySetting]) -> str:
    """`4 processes on 2 hosts, clock skewed, mpich`: all launches of a study in one line."""
    numbers = sorted({setting.n_ranks for setting in settings})
    hosts = max(setting.n_hosts for setting in settings)
    where = "simulated hosts" if any(setting.simulated for setting in settings) else "hosts"
    where = where[:-1] if hosts == 1 else where
    clocks = ", ".join(dict.fromkeys(clock_label(setting.clock) for setting in settings))
    labels = ", ".join(dict.fromkeys(setting.label for setting in settings if setting.label))
    ranks = f"{', '.join(map(str, numbers))} process{'' if numbers == [1] else 'es'}"
    return f"{ranks} on {hosts} {where}, clock {clocks}{f', {labels}' if labels else ''}"


def warnings_of(study: Study) -> tuple[str, ...]:
    """What the core found disturbing, what others disturbed, and checks that came too late, each once."""
    said = [text for one in study.settings for text in one.warnings]
    shares = [one.disturbed_share for one in study.settings if one.disturbed_share is not None]
    if shares:
        said.append(
            f"others were on the ranks' cores, for {100 * max(shares):.3g} % of the time of a launch: its errors and "
            f"times may be theirs"
        )
    steps = [step for run in study.runs for step in run.steps]
    late = [step for step in steps if step.late]
    if late:
        worst = max(late, key=lambda step: step.waited_s - step.wait_s)
        said.append(
            f"{len(late)} of {len(steps)} checks came late, for what came before them took longer: the one of "
            f"{seconds(worst.wait_s)} tells of {worst.waited_s:.3g} s"
        )
    return tuple(dict.fromkeys(said))


def remarks(settings: Sequence[StudySetting], truths: Sequence[str]) -> tuple[str, ...]:
    """What must be known to read the errors: who judged them, and whether the clocks could differ at all."""
    found = []
    if "ping-pong" in truths:
        found.append(
            "Errors are what a ping-pong says: like any ping-pong it does not see half the difference between the way "
            "there and the way back."
        )
    bare = [setting for setting in settings if setting.n_hosts == 1 and not setting.clock.startswith("skewed")]
    if bare and not any(setting.simulated for setting in settings):
        found.append(
            "All ranks of one host read one counter, which cannot drift: this is what an algorithm adds. "
            "--clock 'skewed(drift=20ppm)' gives each rank a clock of its own with a known truth."
        )
    return tuple(found)


def source_name(one: FrequencySummary) -> str:
    """`calibrated, 100 ms`, or the name alone of a stated frequency."""
    return one.source if one.duration_s is None else f"{one.source}, {tick_text(one.duration_s)}"
