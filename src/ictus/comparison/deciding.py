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

_UNKNOWN = "unknown"
_SECOND = {"openmpi": "mpich"}
"""By the flavour of a library, one that usually can stand beside it; else Open MPI."""


def deciding_commands(now: Campaign, baseline: Campaign | None, found: Comparison, gate: str) -> tuple[str, ...]:
    """One line a way, each with what it needs; the gate's condition is that of `found`."""
    if now.imported is not None or baseline is None or baseline.imported is not None:
        measured = baseline if now.imported is not None and baseline is not None and baseline.imported is None else now
        return _imported(measured, gate)
    return (*_in_turn(now, baseline, found, gate), _with_control(now, baseline, gate), _several(now, baseline, found))


def _in_turn(now: Campaign, baseline: Campaign, found: Comparison, gate: str) -> tuple[str, ...]:
    """Both libraries in one campaign, where they are two."""
    a, b = found.pairs[0]
    labels = [name.rpartition(":")[2] for name in (a, b)]
    libraries = [
        next((one for one in campaign.libraries if one.label == label), None)
        for campaign, label in zip((now, baseline), labels, strict=True)
    ]
    one, two = libraries
    if found.by != LIBRARY or one is None or two is None or _UNKNOWN in (one.wrapper, two.wrapper):
        return ()
    names = _labels(now.folder, baseline.folder) if labels[0] == labels[1] else (labels[0], labels[1])
    paths = [one.wrapper, two.wrapper]
    note = ""
    if one.wrapper == two.wrapper:
        if one == two:
            return ()  # nothing about the library changed: there is only one to measure
        paths[1] = "/path/of/the/earlier/mpicc"
        note = f" ({one.wrapper} is the later one now: install the earlier beside it)"
    words = [word for name, path in zip(names, paths, strict=True) for word in ("-m", f"{name}={path}")]
    words += [] if now.plan.control is None else ["--control", NO_CONTROL]
    measure = command("run", now.folder / CAMPAIGN, *words, *starting_words(now), "-o", "in-turn")
    judge = command("compare", "in-turn", names[0], "--reference", names[1], "--gate", gate)
    return (f"in turn{note}: `{measure} && {judge}`",)


def _with_control(now: Campaign, baseline: Campaign, gate: str) -> str:
    """A second library beside the first, in this campaign and in those that follow."""
    library = now.libraries[0]
    second = next((one.label for one in now.libraries[1:]), _SECOND.get(library.flavour, "openmpi"))
    words = ["-m", f"{library.label}={library.wrapper}", "-m", second, "--control", second]
    folders = [Path(f"{one.folder.resolve().name}-control") for one in (baseline, now)]
    measures = [command("run", one.folder / CAMPAIGN, *words, *starting_words(one), "-o", folder)
                for one, folder in zip((baseline, now), folders, strict=True)]  # fmt: skip
    judge = command("compare", folders[1], "--baseline", folders[0], "--gate", gate)
    return f"through a control: before the change `{measures[0]}`, behind it `{measures[1]} && {judge}`"


def _several(now: Campaign, baseline: Campaign, found: Comparison) -> str:
    """As many campaigns a side as the cases need."""
    needed = launches_to_decide(len(found.compared), level=found.level, adjust=found.adjust)
    folders = [[f"{one.folder.resolve().name}-{number}" for number in range(2, needed + 1)] for one in (now, baseline)]
    numbers = " ".join(str(number) for number in range(2, needed + 1))
    name = now.folder.resolve().name
    again = command("run", now.folder / CAMPAIGN, *starting_words(now), "-o", name)
    measure = f"for i in {numbers}; do {again}-$i; done"
    judge = command("compare", now.folder, *folders[0], "--against", baseline.folder, *folders[1])
    return (
        f"several campaigns a side, {needed} for {compared(found.compared)}: "
        f"`{measure}`, as many of {baseline.folder.resolve().name} before the change, then `{judge}`"
    )


def _labels(now: Path, baseline: Path) -> tuple[str, str]:
    """Names of the folders where they can be labels of libraries, else `now` and `before`."""
    names = (now.resolve().name, baseline.resolve().name)
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
