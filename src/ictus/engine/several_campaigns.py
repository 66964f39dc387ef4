"""Several campaigns of one plan at random times over a span: one side of a comparison whose unit is the campaign.

`NAME-1`, `NAME-2`, ... are complete campaigns, each with its own seed; the first has the seed of the plan, from which
the others' seeds and their times follow. So what is there says how it goes on after an interruption. They never
overlap: one that is late begins after the one before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ictus.engine.allocation_time import AllocationTime
from ictus.engine.backend import Backend
from ictus.engine.block_times import first_start, random_begin_s, time_after
from ictus.engine.campaign import MeasurementRequest, PreparedCampaign, new_folder, parse_request, run_prepared
from ictus.engine.event import CampaignAwaited, Note, Observer, WarningNote, log
from ictus.engine.measurement import Family, PlanLike, between_libraries, plan_words, prepare_measurement
from ictus.engine.pause import Pause, RealPause
from ictus.engine.series import is_complete
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.launchers.simulated import Simulated
from ictus.launch.launchers.simulated_time import SimulatedTime
from ictus.model.errors import OptionError, SeveralStopped, StoppedByUser
from ictus.model.plan import Plan
from ictus.model.quantity import format_span
from ictus.model.random import SplitMix64
from ictus.stats.planning import launches_to_decide
from ictus.store.campaign import JOURNAL, Campaign, load
from ictus.store.journal import read_journal
from ictus.store.manifest import CAMPAIGN, read_manifest

_MOST = 1000


@dataclass(frozen=True)
class SeveralRequest:
    """Campaigns to measure: the request for the first, how many there are, over which span."""

    first: MeasurementRequest
    """Its folder is NAME-1; its plan has a seed, and is spread over nothing."""
    name: Path
    n_campaigns: int
    over_s: float

    @property
    def folders(self) -> tuple[Path, ...]:
        """NAME-1, NAME-2, ..."""
        return tuple(_numbered(self.name, number) for number in range(1, self.n_campaigns + 1))

    def begin_s(self, index: int) -> float:
        """When a campaign begins, seconds after the first."""
        return random_begin_s(self._seed, self.over_s / self.n_campaigns, index)

    def request(self, index: int) -> MeasurementRequest:
        """The request for one campaign."""
        if index == 0:
            return self.first
        plan = self.first.plan.model_copy(update={"seed": _seed(self._seed, index)})
        return replace(self.first, folder=self.folders[index], plan=plan)

    @property
    def _seed(self) -> int:
        assert self.first.plan.seed is not None
        return self.first.plan.seed


def _numbered(name: Path, number: int) -> Path:
    return name.with_name(f"{name.name}-{number}")


def _seed(seed: int, index: int) -> int:
    """Of the campaign with this index, from that of the first: 53 bits, whole in every reader of JSON."""
    generator = SplitMix64(seed)
    generator.skip(index)
    return generator.next_u64() >> 11


def parse_several(
    target: Path | None,
    output: Path | None,
    option_values: Mapping[str, Any],
    *,
    campaigns: int,
    launcher: str,
    scenario: Path | None,
) -> SeveralRequest:
    """Parse `ictus run [PLAN.toml] --campaigns COUNT --over TIME [-o NAME] [options]`. Without a plan the campaigns
    that are there are continued by the plan of the first. Raises UsageError.
    """
    if not 2 <= campaigns <= _MOST:
        raise OptionError(("campaigns", campaigns, f"expected 2 to {_MOST}; one campaign needs no number"))
    if target is not None and target.is_dir():
        raise OptionError(
            ("campaigns", campaigns, f"'{target}' is one campaign; name a plan, or -o for NAME-1, NAME-2")
        )
    name = output or new_folder(target, "ictus")
    if (name / CAMPAIGN).is_file():
        raise OptionError(("campaigns", campaigns, f"-o '{name}' is one campaign; give another name"))
    first = parse_request(
        target, _numbered(name, 1), option_values, launcher=launcher, scenario=scenario, prefix="ictus"
    )
    over_s = first.plan.over_s
    if over_s is None:
        why = "one directly after the other they are one state of the machine; give --over too, as in --over 2h"
        raise OptionError(("campaigns", campaigns, why))
    seed = read_manifest(first.folder).seed if (first.folder / CAMPAIGN).is_file() else None
    plan = first.plan if first.plan.seed is not None else first.plan.model_copy(update={"seed": seed})
    return SeveralRequest(replace(first, plan=_each(plan.seeded())), name, campaigns, over_s)


def _each(plan: Plan) -> Plan:
    """The plan of each campaign: the span is that of all."""
    return plan.model_copy(update={"over_s": None})


def measure_several(request: SeveralRequest, observer: Observer, family: Family | None = None) -> None:
    """Measure the campaigns that are not complete, each at its time; `family` as in `measure_with_defaults`. Raises as
    `run`; SeveralStopped where the user ends it, or an allocation ends before the next one.
    """
    span = format_span(request.over_s)
    observer(Note(f"{request.n_campaigns} campaigns over {span}, {request.folders[0]} to {request.folders[-1]}"))
    pause: Pause = SimulatedTime() if request.first.launcher == Simulated.name else RealPause()
    backend: Backend | None = None
    for index, folder in enumerate(request.folders):
        if is_complete(folder):
            continue
        try:
            _wait(request, index, pause, observer)
            prepared = prepare_measurement(replace(request.request(index), backend=backend), observer, family)
            if index == 0 and not (folder / CAMPAIGN).is_file():
                _check_number(request, prepared, observer)
            backend, pause = prepared.backend, prepared.backend.pause
            run_prepared(prepared, observer, page_faults=True)
        except (KeyboardInterrupt, StoppedByUser) as error:
            raise _stopped(request, "stopped") from error


def _wait(request: SeveralRequest, index: int, pause: Pause, observer: Observer) -> None:
    """Return when the campaign may begin: the first at once."""
    began = first_start(read_journal(request.first.folder / JOURNAL).entries)
    if index == 0 or began is None:
        return
    wait_s, begins = request.begin_s(index) - pause.passed_s(began), time_after(began, request.begin_s(index))
    if wait_s <= 0:
        return
    left_s = AllocationTime.now(()).left_s
    if left_s is not None and wait_s > left_s:
        raise _stopped(request, f"the allocation ends before the next campaign, at {begins:%Y-%m-%d %H:%M:%S}")
    observer(CampaignAwaited(request.folders[index], begins, wait_s))
    pause.wait(wait_s)


def _stopped(request: SeveralRequest, why: str) -> SeveralStopped:
    return SeveralStopped(request.name, sum(map(is_complete, request.folders)), request.n_campaigns, why)


def _check_number(request: SeveralRequest, prepared: PreparedCampaign, observer: Observer) -> None:
    """Say, before it is measured, that as many campaigns a side can decide no case."""
    design = prepared.design
    n_tests = len(design.cases) * sum(len(design.of(library.label)) for library in design.libraries)
    needed = launches_to_decide(n_tests, level=design.plan.level, test="rank-sum", adjust=design.plan.adjust)
    if request.n_campaigns < needed:
        which = "the only case" if n_tests == 1 else f"any of {n_tests} cases"
        observer(
            WarningNote(
                f"{request.n_campaigns} campaigns a side cannot decide {which} (rank-sum, {design.plan.adjust}): at "
                f"least {needed} can; give --campaigns {needed}, or fewer cases"
            )
        )


def run_campaigns(
    plan: PlanLike,
    name: Path | str,
    campaigns: int,
    *,
    launcher: str = Mpiexec.name,
    scenario: Path | str | None = None,
    observer: Observer = log,
) -> tuple[Campaign, ...]:
    """Measure several campaigns of one plan at random times over its `over`, as `ictus run --campaigns` does, or
    continue them: one side of a comparison whose unit is the campaign.

    Args:
        plan: what is measured; its `over` is the span of all campaigns.
        name: they are kept in the folders `NAME-1`, `NAME-2`, ...
        campaigns: how many there are.
        launcher: how ranks are started: a name of `ictus list launcher`, or `simulated`.
        scenario: for the launcher `simulated`: the file of the world to measure, JSON.
        observer: receives each event; by default it goes to the logger `ictus`.

    Raises:
        UsageError: the plan is wrong, has no `over`, or a folder holds something else.
        MeasurementError: a library, a launch or the disk failed; what is complete is kept.
        SeveralStopped: Ctrl-C; the same call continues.
    """
    target, values = plan_words(plan)
    scenario_path = None if scenario is None else Path(scenario)
    request = parse_several(target, Path(name), values, campaigns=campaigns, launcher=launcher, scenario=scenario_path)
    measure_several(request, observer, between_libraries)
    return tuple(load(folder) for folder in request.folders)
