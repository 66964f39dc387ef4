"""The complete commands that decide what two campaigns apart cannot: in turn, through a control, with more of them."""

from collections.abc import Sequence
from pathlib import Path

from ictus.comparison.case_titles import LIBRARY
from ictus.comparison.comparison import Comparison
from ictus.comparison.rows import compared
from ictus.model.errors import UsageError
from ictus.model.library import NO_CONTROL, check_label
from ictus.model.registries import Registries
from ictus.render.output import command
from ictus.stats.planning import launches_to_decide
from ictus.store.campaign import Campaign
from ictus.store.manifest import CAMPAIGN, starting_words

CONTROLLED = 3
"""Campaigns a side through a control: two would do, and decide little."""
OVER = "1h"
"""The time that they are measured over: campaigns one directly after the other are one state of the machine."""
_UNKNOWN = "unknown"
_SECOND = {"openmpi": "mpich"}
"""By the flavour of a library, one that usually can stand beside it; else Open MPI."""


def deciding_commands(
    current: Campaign, baseline: Campaign | None, comparison: Comparison, gate: str
) -> tuple[str, ...]:
    """One line a way, each with what it needs; the gate's condition is that of `found`."""
    if current.imported is not None or baseline is None or baseline.imported is not None:
        measured = (
            baseline if current.imported is not None and baseline is not None and baseline.imported is None else current
        )
        return _imported(measured, gate)
    control = () if comparison.evidence.control is not None else (_with_control(current, baseline, gate),)
    return (*_in_turn(current, baseline, comparison, gate), *control, _several(current, baseline, comparison, gate))


def _in_turn(current: Campaign, baseline: Campaign, comparison: Comparison, gate: str) -> tuple[str, ...]:
    """Both libraries in one campaign, where they are two."""
    a, b = comparison.pairs[0]
    labels = [name.rpartition(":")[2] for name in (a, b)]
    libraries = [
        next((library for library in campaign.libraries if library.label == label), None)
        for campaign, label in zip((current, baseline), labels, strict=True)
    ]
    later, two = libraries
    if comparison.by != LIBRARY or later is None or two is None or _UNKNOWN in (later.wrapper, two.wrapper):
        return ()
    names = _labels(current.folder, baseline.folder) if labels[0] == labels[1] else (labels[0], labels[1])
    paths = [later.wrapper, two.wrapper]
    note = ""
    if later.wrapper == two.wrapper:
        if later == two:
            return ()  # nothing about the library changed: there is only one to measure
        paths[1] = "/path/of/the/earlier/mpicc"
        note = f" ({later.wrapper} is the later one now: install the earlier beside it)"
    words = [word for name, path in zip(names, paths, strict=True) for word in ("-m", f"{name}={path}")]
    words += [] if current.plan.control is None else ["--control", NO_CONTROL]
    measure = command("run", current.folder / CAMPAIGN, *words, *starting_words(current), "-o", "in-turn")
    judge = command("compare", "in-turn", names[0], "--reference", names[1], "--gate", gate)
    return (f"in turn{note}: `{measure} && {judge}`",)


def _with_control(current: Campaign, baseline: Campaign, gate: str) -> str:
    """A second library beside the first, in campaigns before the change and behind it."""
    library = current.libraries[0]
    second = next(
        (more_library.label for more_library in current.libraries[1:]), _SECOND.get(library.flavour, "openmpi")
    )
    words = ["-m", f"{library.label}={library.wrapper}", "-m", second, "--control", second]
    (before, bases), (behind, ours) = (
        _campaigns(campaign, CONTROLLED, f"{campaign.folder.resolve().name}-control", words)
        for campaign in (baseline, current)
    )
    judge = command("compare", *ours, "--against", *bases, "--gate", gate)
    return f"through a control: before the change `{before}`, behind it `{behind} && {judge}`"


def _several(current: Campaign, baseline: Campaign, comparison: Comparison, gate: str) -> str:
    """As many campaigns a side as the cases need, of which one is there."""
    control = comparison.evidence.control
    needed = launches_to_decide(len(comparison.compared), level=comparison.level, adjust=comparison.adjust)
    needed = needed if control is None else CONTROLLED
    (before, bases), (behind, ours) = (
        _campaigns(campaign, needed - 1, f"{campaign.folder.resolve().name}-more") for campaign in (baseline, current)
    )
    judge = command("compare", current.folder, *ours, "--against", baseline.folder, *bases, "--gate", gate)
    through = "" if control is None else f" through {control}"
    return (
        f"several campaigns a side{through}, {needed} for {compared(comparison.compared)}: before the change "
        f"`{before}`, "
        f"behind it `{behind} && {judge}`"
    )


def _campaigns(campaign: Campaign, n_campaigns: int, name: str, words: Sequence[str] = ()) -> tuple[str, list[str]]:
    """The command that measures so many more of a campaign at random times, and their folders."""
    several = ("--campaigns", n_campaigns, "--over", OVER, "-o", name)
    measure = command("run", campaign.folder / CAMPAIGN, *words, *starting_words(campaign), *several)
    return measure, [f"{name}-{number}" for number in range(1, n_campaigns + 1)]


def _labels(current: Path, baseline: Path) -> tuple[str, str]:
    """Names of the folders where they can be labels of libraries, else `current` and `before`."""
    names = (current.resolve().name, baseline.resolve().name)
    try:
        return (check_label(names[0]), check_label(names[1])) if names[0] != names[1] else ("now", "before")
    except UsageError:
        return "now", "before"


def _imported(campaign: Campaign, gate: str) -> tuple[str, ...]:
    """Nobody can measure in another suite's name: Ictus measures the same calls, its libraries in turn."""
    ours = {member.name for member in Registries.load().family("operation").members}
    named = (str(name).partition("(")[0] for name in campaign.cases["operation"].to_list())
    operations = dict.fromkeys(name for name in named if name in ours)
    if not operations:  # a round trip of another suite is no operation of ours
        return ()
    sizes = sorted({int(size) for size in campaign.cases["size_bytes"].to_list()})
    n = sorted({int(number) for number in campaign.cases["n"].to_list()})
    libraries = [word for label in campaign.labels for word in ("-m", label)] if len(campaign.labels) > 1 else []
    measure = command(
        "run", *libraries, "--op", _listed(operations), "--sizes", _listed(sizes), "-n", _listed(n), "-o", "in-turn"
    )
    again = "if these logs were in turn: import them again with --interleaved"
    return (
        f"in turn: `{measure} && {command('compare', 'in-turn', '--reference', campaign.labels[0], '--gate', gate)}`",
        *((again,) if campaign.imported is not None and len(campaign.labels) > 1 else ()),
    )


def _listed(values: Sequence[object] | dict[str, None]) -> str:
    return ",".join(str(value) for value in values)
