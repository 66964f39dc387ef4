"""What a measurement would be, before anything is built, launched or written: names, launches, time, disk."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import mean

from ictus.engine.backend import all_on_platform, look_up
from ictus.engine.block_times import planned_times
from ictus.engine.campaign import MeasurementRequest, refuse_platform, requested_libraries
from ictus.engine.measurement import check_prediction
from ictus.engine.variables import check_variables
from ictus.launch.launchers.simulated import Simulated
from ictus.model.case import Case, expand, shared_in_launch
from ictus.model.design import check_control
from ictus.model.errors import UsageError
from ictus.model.launch_factor import settings_of
from ictus.model.library import Installation
from ictus.model.plan import Plan
from ictus.model.plan_parts import auto_rule
from ictus.model.quantity import format_span, size_text
from ictus.model.registries import Registries
from ictus.model.sample import SAMPLE
from ictus.model.spec import Number, Spec
from ictus.store.campaign import JOURNAL
from ictus.store.journal import campaign_state, read_journal
from ictus.store.manifest import CAMPAIGN, read_manifest

LAUNCH_S, REPETITION_S, BYTE_S = 1.0, 50e-6, 1e-9
"""Assumed of a launch without its repetitions, of a repetition, and of each byte of its message: nothing is measured
yet. Real launches of two processes on one host took 0.4 s to 1.2 s, and repetitions 10 µs to 60 µs.
"""
ASSUMED = (
    f"if a launch takes {LAUNCH_S:g} s, and a repetition {1e6 * REPETITION_S:g} µs and {1e9 * BYTE_S:g} ns per byte"
)
"""What an estimated time rests on."""


@dataclass(frozen=True)
class CampaignPreview:
    """A campaign that was asked for, by its plan and the libraries that are here."""

    request: MeasurementRequest
    cases: tuple[Case, ...]
    libraries: tuple[Installation, ...]

    @property
    def plan(self) -> Plan:
        """What is measured."""
        return self.request.plan

    @property
    def launches(self) -> int:
        """Of each library; with a precision goal at least so many."""
        return self.plan.launches * len(set(map(shared_in_launch, self.cases))) * len(settings_of(self.plan))

    @property
    def counts(self) -> tuple["Repetitions", ...]:
        """Of each case in a launch."""
        return tuple(_repetitions(self.plan, case) for case in self.cases)

    @property
    def is_known(self) -> bool:
        """Whether every case has a largest number of repetitions."""
        return all(count.count is not None for count in self.counts)

    @property
    def samples(self) -> int:
        """In all launches."""
        return sum(count.count or 0 for count in self.counts) * self._times

    @property
    def assumed_s(self) -> float:
        """Seconds of all launches, as far as they can be assumed."""
        repetitions_s = sum(
            (repetitions.count or 0)
            * (_argument(case.scheme, "calls") or 1)
            * (REPETITION_S + BYTE_S * case.size_bytes)
            for repetitions, case in zip(self.counts, self.cases, strict=True)
        )
        return len(self.libraries) * self.launches * LAUNCH_S + self._times * repetitions_s

    @property
    def _times(self) -> int:
        """How many launches measure each case."""
        return self.plan.launches * len(settings_of(self.plan)) * len(self.libraries)


@dataclass(frozen=True)
class Repetitions:
    """How many samples a case has in a launch; None where a rule decides without a bound."""

    count: int | None
    is_most: bool = False
    """Whether a rule may end with fewer."""


def preview_of(request: MeasurementRequest) -> CampaignPreview:
    """Look at a request; nothing is built. Raises UsageError for what no campaign can be."""
    plan = request.plan
    refuse_plugins([str(plugin) for plugin in plan.plugins if not plugin.is_described])
    check_prediction(plan)
    if isinstance(plan.nrep, Spec):
        auto_rule(plan.nrep, Registries.load())
    predicted = isinstance(plan.nrep, Spec | str)  # not yet: any number gives the same cases
    cases = expand(plan.repeated(1) if predicted else plan, Registries.load()).cases
    installations = look_up(requested_libraries(plan), request.launcher, request.scenario)
    if request.launcher != Simulated.name:
        if not all_on_platform(installations):
            refuse_platform(plan, installations)
        check_variables(plan.environment, plan.algorithms, installations)
    check_control(plan, [installation.label for installation in installations])
    return CampaignPreview(request, cases, installations)


def refuse_plugins(undescribed: Sequence[str]) -> None:
    """UsageError for a plug-in whose operations only running its code could tell."""
    for path in undescribed:
        raise UsageError(f"--plugin '{path}': --dry-run loads nothing, which has its operations; omit one")


def preview_lines(preview: CampaignPreview) -> Iterator[str]:
    """The cases, libraries, launches, time and disk of a campaign."""
    plan = preview.plan
    yield f"{preview.request.folder}: {counted(preview.cases)} on these libraries: {_labels(preview)}"
    yield from _operations(preview.cases)
    crossed = " of each algorithm" if plan.algorithms else ""
    bound = "at least " if plan.goal is not None else ""
    all_launches = preview.launches * len(preview.libraries)
    yield f"Launches: {bound}{preview.launches} of each library{crossed}, {all_launches} in all"
    if isinstance(plan.nrep, Spec):
        before = auto_rule(plan.nrep, Registries.load())[1]
        yield f"Before them {before} launches of each library and number of processes predict the repetitions"
    yield _time(preview, all_launches)
    if plan.over_s is not None:
        yield _blocks(plan)
    if preview.is_known:
        megabytes = float(f"{preview.samples * SAMPLE.itemsize / 1e6:.2g}")
        yield f"Disk: {_about(preview)} {megabytes:,g} MB of samples"
    else:
        yield f"Disk: {SAMPLE.itemsize} bytes per sample; how many there are is known after the first launch"


def counted(cases: Sequence[object]) -> str:
    """`1 case`, `8 cases`."""
    return "1 case" if len(cases) == 1 else f"{len(cases)} cases"


def spans(seconds: Iterable[float]) -> str:
    """Times in a row."""
    return ", ".join(map(format_span, seconds))


def _labels(preview: CampaignPreview) -> str:
    control = preview.plan.control
    return ", ".join(
        f"{library.label} {library.version}{' (the control)' if library.label == control else ''}"
        for library in preview.libraries
    )


def _operations(cases: Sequence[Case]) -> Iterator[str]:
    for operation in dict.fromkeys(case.operation for case in cases):
        of_operation = [case for case in cases if case.operation == operation]
        sizes = ", ".join(map(size_text, sorted({case.size_bytes for case in of_operation})))
        processes = ", ".join(map(str, sorted({case.n for case in of_operation})))
        nodes = ", ".join(map(str, sorted({case.nodes for case in of_operation if case.nodes})))
        where = f" on {nodes} nodes" if nodes else ""
        yield f"  {operation}: {counted(of_operation)}; sizes {sizes}; {processes} processes{where}"


def _repetitions(plan: Plan, case: Case) -> Repetitions:
    """Of the rule that ends a case, or that of its prediction."""
    if isinstance(plan.nrep, str):  # a folder has the counts
        return Repetitions(None)
    rule = auto_rule(plan.nrep, Registries.load())[0] if isinstance(plan.nrep, Spec) else case.repetition
    fixed = _argument(rule, "nrep")
    if fixed is not None:
        return Repetitions(fixed)
    return Repetitions(None if rule.name == "time" else _argument(rule, "max"), is_most=True)


def _argument(rule: Spec, name: str) -> int | None:
    value = rule.argument(name)
    return int(value.text) if isinstance(value, Number) else None


def _about(preview: CampaignPreview) -> str:
    """In front of an amount that follows from launches and repetitions."""
    if preview.plan.goal is not None:
        return "at least"
    return "at most" if any(count.is_most for count in preview.counts) else "about"


def _time(preview: CampaignPreview, all_launches: int) -> str:
    """Seen in the launches of the folder, else assumed."""
    folder = preview.request.folder
    if (folder / CAMPAIGN).is_file():
        entries = read_journal(folder / JOURNAL).entries
        times = [entry.elapsed_s for entry in entries if entry.event == "accepted" and entry.elapsed_s is not None]
        n_accepted = len(campaign_state(entries).accepted.keys() & {slot.slot for slot in read_manifest(folder).slots})
        if times:
            left, each_s = max(all_launches - n_accepted, 0), mean(times)
            bound = "at least " if preview.plan.goal is not None else "about "
            launches = "1 launch that is" if left == 1 else f"{left} launches that are"
            return f"Time: {bound}{format_span(left * each_s)} for {launches} missing, at {each_s:.2g} s each as so far"
    if not preview.is_known:
        starts = format_span(all_launches * LAUNCH_S)
        return f"Time: about {starts} for starts, if one takes {LAUNCH_S:g} s; the repetitions come on top"
    return f"Time: {_about(preview)} {format_span(preview.assumed_s)}, {ASSUMED}; the first launch shows it"


def _blocks(plan: Plan) -> str:
    """When blocks begin, as far as that is known without a seed."""
    assert plan.over_s is not None
    each = (
        f"{plan.launches} blocks of launches, one at a random time of each {format_span(plan.over_s / plan.launches)}"
    )
    times = None if plan.seed is None else planned_times(plan)
    if times is None:
        return f"{each}; --seed decides the times"
    return f"{each}; with seed {plan.seed} they begin after {spans(map(times.begin_s, range(plan.launches)))}"
