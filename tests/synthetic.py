"""Campaign folders of a world with known latencies: the real runner, journal and store over the simulated launcher."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tests.made_once import made_once

from ictus.engine.runner import run_campaign
from ictus.launch.launchers.scenario import Scenario as World
from ictus.launch.launchers.simulated import Simulated
from ictus.model.design import make_design
from ictus.model.library import Installation
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.spec import Spec

VERSIONS = {"mpich": "MPICH Version: 5.0.2", "openmpi": "Open MPI v5.0.11"}
MACHINE = {"host": "node01", "cpu_model": "A processor of arithmetic", "governor": "performance", "kernel": "6.1.0"}
CREATED = "2025-11-21T10:00:00+00:00"
"""In place of the time of the test: pages and tables say it."""

Trace = Callable[[int, str, int], NDArray[np.float64]]


def latency(label: str, operation: str, size: int) -> float:
    """True latency in seconds of a case: a start-up cost and a bandwidth, other ones for every library and
    operation.
    """
    startup = {"bcast": 0.45e-6, "allreduce": 0.9e-6, "alltoall": 0.8e-6, "barrier": 0.35e-6}[operation]
    factor, bandwidth = {"mpich": (1.0, 6e9), "openmpi": (0.85 if operation == "bcast" else 1.3, 8e9)}.get(
        label, (1.0, 6e9)
    )
    return startup * factor + size / bandwidth


@dataclass(frozen=True)
class Scenario:
    """A plan and the world in which it is measured; everything has a small default."""

    libraries: tuple[str, ...] = ("mpich", "openmpi")
    control: str | None = None
    """The label of the control that the plan marks."""
    operations: tuple[str, ...] = ("bcast", "allreduce")
    sizes: tuple[int, ...] = (8, 64, 512, 4096)
    processes: tuple[int, ...] = (2,)
    procsyncs: tuple[str, ...] = ("window",)
    clocksync: str = "hca3"
    launches: int = 10
    nrep: int = 100
    seed: int = 1
    launch_spread: float = 0.02
    """Standard deviation of the logarithm of the factor that all cases of one launch share."""
    case_spread: float = 0.004
    """The same of the factor that each case of a launch has for itself."""
    campaign: int = 0
    """The number of the campaign, which decides its state of the machine."""
    campaign_spread: float = 0.0
    """The same of the factor that a state has for a case of all libraries alike."""
    interaction_spread: float = 0.0
    """And of the one that it has for one library alone."""
    noise: float = 0.05
    clock_bound_s: float = 20e-9
    """Proven error of the global clock; NaN: synchronised, but nothing was proved."""
    late_share: float = 0.01
    contended_slots: tuple[int, ...] = ()
    """Slots whose first try is contended; the accepted try follows."""
    lost: tuple[str, ...] = ()
    """Cases of which no sample is valid, by the beginning of `OPERATION:SIZE:PROCSYNC`."""
    latency: Callable[[str, str, int], float] = latency
    procsync_factor: Mapping[str, float] = field(default_factory=dict)
    created: str = CREATED
    machine: Mapping[str, object] = field(default_factory=lambda: MACHINE)
    trace: Trace | None = None
    """(slot, operation, repetitions) to a factor for each repetition: what happens in the course of a launch."""


@dataclass(frozen=True)
class _World(World):
    """Latencies of any form."""

    truth: Callable[[str, str, int], float] = latency

    def call(self, label: str, operation: Spec, size_bytes: int, moved_bytes: int) -> float:  # noqa: ARG002
        return self.truth(label, operation.name, size_bytes)


def write_folder(folder: Path, scenario: Scenario = Scenario()) -> Path:
    """The whole campaign of a scenario."""
    return made_once(folder, scenario, lambda: _run(folder, scenario))


def _run(folder: Path, scenario: Scenario) -> None:
    plan = {
        "mpi": ",".join(f"{label}={label}" for label in scenario.libraries),
        "control": scenario.control,
        "op": list(scenario.operations),
        "sizes": list(scenario.sizes),
        "n": list(scenario.processes),
        "launches": scenario.launches,
        "nrep": scenario.nrep,
        "clocksync": scenario.clocksync,
        "procsync": list(scenario.procsyncs),
        "seed": scenario.seed,
    }
    libraries = [_library(label) for label in scenario.libraries]
    world = _World(
        truth=scenario.latency,
        procsync_factors=scenario.procsync_factor,
        launch_spread=scenario.launch_spread,
        campaign=scenario.campaign,
        campaign_spread=scenario.campaign_spread,
        interaction_spread=scenario.interaction_spread,
        case_spreads=dict.fromkeys(scenario.operations, scenario.case_spread),
        noise=scenario.noise,
        late_share=scenario.late_share,
        late_shares=dict.fromkeys(scenario.lost, 1.0),
        start_skew_s=60e-9,
        clock_bound_s=scenario.clock_bound_s,
        faults=dict.fromkeys(scenario.contended_slots, ("contended",)),
        trace=_with_outliers(scenario.trace),
    )
    design = make_design(Plan.from_values(plan), Registries.load(), libraries, machine=scenario.machine)
    run_campaign(folder, design, Simulated(world))
    campaign = folder / "campaign.json"
    document = {**json.loads(campaign.read_text("utf-8")), "created": scenario.created}
    document.pop("checksum")  # of the file, which is not the same any more
    campaign.write_text(json.dumps(document, ensure_ascii=False), "utf-8")


def _with_outliers(trace: Trace | None) -> Trace:
    """Each fiftieth repetition takes four times as long."""

    def factors(slot: int, operation: str, n: int) -> NDArray[np.float64]:
        known = np.ones(n) if trace is None else trace(slot, operation, n)
        known[n // 3 :: 50] *= 4.0
        return known

    return factors


def _library(label: str) -> Installation:
    says = VERSIONS["openmpi" if "open" in label else "mpich"]
    return replace(Simulated.installation(label), library_version=says, version=says.split()[-1].removeprefix("v"))
