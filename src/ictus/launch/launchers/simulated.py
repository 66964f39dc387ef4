"""A launch without processes: it writes the documented files with known numbers.

It replaces the core, its ranks and their launcher, so that schedule, journal, store, statistics and reports are tested
end to end with exact figures and without MPI. A case takes `factor * (startup_s + moved_bytes / bandwidth)` seconds,
times a factor of its launch and one of each repetition; with both spreads at zero every sample is exact.
"""

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ictus.launch.launchers.scenario import VARIABLE, Scenario
from ictus.launch.launchers.simulated_faults import complain, ended_by
from ictus.launch.launchers.simulated_record import (
    HOST,
    SimulatedCase,
    flags_of,
    host_record,
    launch_document,
    normal,
    probe,
    rank_shares,
    raw_records,
    write_launch,
)
from ictus.launch.launchers.simulated_redirect import redirect_document, reroutes_of
from ictus.launch.launchers.simulated_time import SimulatedTime
from ictus.model import redirect_variables
from ictus.model.algorithm import Algorithm, Setting, Variant
from ictus.model.arguments import Arguments, parse_arguments
from ictus.model.call import BASIC, WORLD, elements_of, n_together
from ictus.model.checksum import checksum
from ictus.model.design import Slot
from ictus.model.heap import KEPT
from ictus.model.job import Job, Outcome
from ictus.model.job_size import JobSize
from ictus.model.launch_factor import MAP_BY
from ictus.model.library import Installation
from ictus.model.registries import Registries
from ictus.model.sample import SAMPLE
from ictus.model.spec import Number, parse_spec
from ictus.model.volume import volume_at

OFFER = {
    "allreduce": (Algorithm("ring", 1), Algorithm("recursive_doubling", 2)),
    "barrier": (Algorithm("tree", 1), Algorithm("linear", 2)),
    "bcast": (Algorithm("binomial", 1), Algorithm("chain", 2)),
}
"""The algorithms that simulated libraries have."""


def force_algorithms(forced: Mapping[str, Algorithm]) -> Setting:
    """The setting that makes a simulated library use them: a variable for each operation, and one to observe it."""
    names = {f"{VARIABLE}{operation.upper()}": algorithm.name for operation, algorithm in forced.items()}
    return Setting(environment=names, expected=names)


class Simulated:
    """Launches in a scenario. Tries of a slot are counted, so that faults come in the order listed."""

    name = "simulated"
    summary = "no processes: known numbers in the documented files, for tests"

    def __init__(
        self,
        scenario: Scenario | None = None,
        variants: Mapping[str, tuple[Variant, ...]] | None = None,
        environment: Mapping[str, str] | None = None,
        time: SimulatedTime | None = None,
        map_by: str = Job.map_by,
    ) -> None:
        self._time, self._map_by = time or SimulatedTime(), map_by
        self._scenario, self._variants, self._environment = scenario or Scenario(), variants or {}, environment or {}
        self._tries: dict[int, int] = {}

    @staticmethod
    def installation(label: str) -> Installation:
        """A library that is nowhere."""
        return Installation(
            label=label,
            flavour="simulated",
            version="1.0",
            wrapper=Path("/simulated/mpicxx"),
            launcher=Path("/simulated/mpiexec"),
            library_version="Simulated MPI 1.0",
            origin="simulated",
            checksum=checksum(f"simulated {label}".encode()),
        )

    def __call__(self, slot: Slot, folder: Path) -> Outcome:
        """Execute a slot of a campaign: this is all that stands between the runner and the numbers."""
        program = ("ictus-bench", "--plan", "arguments.txt", "--heap", slot.heap)
        variants = self._variants.get(slot.mpi, ())
        variant = next(
            (candidate for candidate in variants if candidate.name == slot.algorithm), Variant(slot.algorithm)
        )
        job = Job(slot.n, program, folder, timeout_s=600.0, environment=dict(self._environment), variant=variant)
        return self.run(replace(job, nodes=slot.nodes, ppn=slot.ppn, map_by=variant.factors.get(MAP_BY, self._map_by)))

    def run(self, job: Job) -> Outcome:
        """Write what `job`, an ictus-bench with `--plan FILE`, would have written; takes no time."""
        plan = job.folder / job.program[job.program.index("--plan") + 1]
        arguments = parse_arguments(plan.read_text("utf-8"))
        slot, label = _slot_and_label(job.folder)
        if arguments.launch.get("page-faults"):
            return self._counted(job, arguments, label)
        tries = self._scenario.faults.get(slot, ())
        number = self._tries.get(slot, 0)
        self._tries[slot] = number + 1
        fault = tries[number] if number < len(tries) else ""
        elapsed_s = _Launch(self._scenario, arguments, job, fault, self._time.now).write()
        outcome = Outcome(
            command=("simulated", "-n", str(job.n_ranks), *job.program),
            environment={**job.environment, **job.variant.setting.environment, **job.variant.environment},
            exit_code=0,
            elapsed_s=elapsed_s + self._scenario.launch_s,
        )
        return ended_by(fault, outcome, job.timeout_s)

    def _counted(self, job: Job, arguments: Arguments, label: str) -> Outcome:
        """Write the page faults of calls, as the core does."""
        state = arguments.launch["heap"]
        cases = [
            {"case_id": int(words["id"]), "page_faults": self._scenario.faults_of(label, state, words["op"])}
            for words in arguments.cases
        ]
        calls, block = int(arguments.launch["page-faults"]), self._scenario.faults_of(label, state, "malloc")
        counted = {"format": 1, "calls": calls, "block_faults": block, "cases": cases}
        (job.folder / "page_faults.json").write_text(json.dumps(counted))
        command = ("simulated", "-n", str(job.n_ranks), *job.program)
        return Outcome(command, dict(job.environment), 0, self._scenario.launch_s)


class _Launch:
    """One launch: first its samples, then launch.json about them."""

    def __init__(self, scenario: Scenario, arguments: Arguments, job: Job, fault: str, started: str) -> None:
        self._scenario, self._arguments, self._fault, self._started = scenario, arguments, fault, started
        self._slot, self._label = _slot_and_label(job.folder)
        read = {name: value for name, value in job.environment.items() if name.startswith(VARIABLE)}
        self._variant = replace(job.variant, setting=Setting(read).overlaid(job.variant.setting))
        profile = {**job.environment, **job.variant.setting.environment}.get(redirect_variables.PROFILE)
        self._reroutes = reroutes_of(profile)
        self._folder = job.folder / arguments.launch["output"]
        self._n_ranks = 1 if fault == "singletons" else job.n_ranks
        self._asked_ranks = job.n_ranks
        size = JobSize(job.n_ranks, job.nodes, job.ppn)
        misplaced = fault == "misplaced"  # all on the first node
        ranks = range(self._n_ranks if size.placed else 0)
        self._nodes = [0 if misplaced else size.node_of(rank, job.map_by) for rank in ranks]
        self._seed = int(arguments.launch["seed"])
        self._synchronised = parse_spec(arguments.launch["clocksync"]).name != "none"
        spread = scenario.launch_spread * normal(1, self._seed)[0]
        self._mode = scenario.mode(NormalDist().cdf(normal(1, self._seed + 7)[0]))
        self._launch_factor = float(np.exp(spread)) * self._mode.get("factors", {}).get(self._label, 1.0)

    def write(self) -> float:
        """Write the files, as far as the fault lets it come; returns the simulated duration of the measurement."""
        (self._folder / "stdout.txt").write_text("")
        (self._folder / "stderr.txt").write_text("simulated: ended by a fault\n" if self._fault else "")
        complain(self._folder, self._fault)
        if self._fault in ("fail", "usage", "timeout", "interrupt"):
            (self._folder / "samples.npy").write_bytes(b"\x93NUMPY\x01\x00")
            return 0.0
        cases, parts, clock_s = [], [], 0.0
        for words in self._arguments.cases[: -1 if self._fault == "missing" else None]:
            samples, case = self._case(words, clock_s)
            cases.append(case)
            parts.append(samples)
            clock_s += case.elapsed_s
        expected = self._variant.setting.expected
        cvars = {**self._scenario.cvars, **({} if self._scenario.ignores_algorithms else expected)}
        if cvars or expected:
            (self._folder / "cvars.json").write_text(json.dumps({"format": 1, "cvars": cvars}))
        contended, started = self._fault == "contended", self._started
        document = launch_document(
            self._arguments.launch, cases, self._n_ranks, clock_s, started=started, contended=contended
        )
        _place(document, self._nodes)
        document["machine"] = self._machine()
        document["launcher"] = {"algorithm": self._variant.record()}
        raw = self._arguments.launch.get("raw") == "on"
        stamps = [raw_records(part, self._n_ranks) for part in parts] if raw else []
        write_launch(self._folder, document, [np.empty(0, SAMPLE), *parts], stamps)
        if self._fault == "torn":
            path = self._folder / "samples.npy"
            path.write_bytes(path.read_bytes()[:-100])
        if self._reroutes:
            report = redirect_document(self._reroutes, self._n_ranks)
            (self._folder / "redirect.json").write_text(json.dumps(report))
        return clock_s

    def _machine(self) -> dict[str, object] | None:
        """Two probes: as far apart as the mode says but for noise, the second three times as far where it changed."""
        if not self._mode:
            return None
        noise, apart = np.exp(0.03 * normal(2, self._seed + 8)), self._mode["line_round_trip_s"]
        change = 3.0 if self._fault == "mode-change" else 1.0
        return {"probes": [probe(-1, apart * noise[0]), probe(0, apart * noise[1] * change)]}

    def _case(self, words: Mapping[str, str], started_s: float) -> tuple[NDArray[np.void], SimulatedCase]:
        registries = Registries.load()
        operation, datatype = registries.operation(words["op"]), registries.datatype(words["datatype"])
        together = n_together(parse_spec(words.get("comm", str(WORLD))), self._asked_ranks, registries)
        layout = words.get("layout", str(BASIC))
        unit = elements_of(parse_spec(layout))
        volume = volume_at(int(words["size"]), parse_spec(words["op"]), together, datatype, registries, unit=unit)
        scheme = parse_spec(words["scheme"]).name
        line = next(
            (reroute for reroute in self._reroutes if reroute.holds(words["op"], together, volume.moved_bytes)), None
        )
        called = words["op"] if line is None else line.called(volume.moved_bytes)
        call_s = self._scenario.call(self._label, parse_spec(called), volume.size_bytes, volume.moved_bytes)
        latency_s = call_s * (1.0 if scheme == "per-call" else self._scenario.pipelining)
        latency_s *= self._scenario.factor(self._label, called, words["procsync"], self._variant)
        latency_s *= self._scenario.layout_factor(layout)
        latency_s *= self._scenario.state_factor(self._label, called, volume.size_bytes)
        latency_s *= self._scenario.process_factors.get(str(self._n_ranks), 1.0)
        latency_s *= self._scenario.heap_factor(called, self._arguments.launch.get("heap", KEPT), volume.size_bytes)
        latency_s += self._scenario.redirect_s * (called != words["op"])
        samples = self._samples(words, latency_s + self._scenario.barrier_s * (scheme == "loop-barrier"), started_s)
        case = SimulatedCase(
            words=words,
            operation=operation,
            volume=volume,
            element_bytes=datatype.size_bytes,
            samples=samples,
            headline="makespan" if self._synchronised else "local_max",
            validated=self._fault != "unvalidated",
            started_s=started_s,
            set_up_s=self._set_up(words["op"], int(words["id"])),
        )
        return samples, case

    def _set_up(self, operation: str, case_id: int) -> dict[str, float]:
        """What is made before the first call: the scenario's, scattered as repetitions are."""
        time = next((time for name, time in self._scenario.set_ups_s.items() if operation.startswith(name)), None)
        scattered = self._launch_factor * float(
            np.exp(self._scenario.noise * normal(1, self._seed + 1000 + case_id)[0])
        )
        return {} if time is None else {"simulated": time * scattered}

    def _samples(self, words: Mapping[str, str], latency_s: float, started_s: float) -> NDArray[np.void]:
        """Repetitions until nrep valid ones exist; makespan is the latency, and the last rank needs all of it."""
        op, size = words["op"], int(words["size"])
        late_share = self._scenario.late(op, size, words["procsync"])
        flags = flags_of(_nrep(words["repetition"]), late_share, self._scenario.long_share)
        samples = np.zeros(flags.size, SAMPLE)
        case_id = int(words["id"])
        spread = self._scenario.noise * normal(flags.size, self._seed + 1 + case_id)
        deviation = self._scenario.case_spread(op, size) * normal(1, self._seed - 1 - case_id)[0]
        makespan = latency_s * self._launch_factor * np.exp(deviation + spread)
        if self._scenario.trace is not None:
            makespan *= self._scenario.trace(self._slot, op, flags.size)
        samples["case_id"], samples["repetition"], samples["flags"] = case_id, np.arange(flags.size), flags
        samples["start"] = started_s + np.concatenate(([0.0], np.cumsum(2 * makespan)[:-1]))
        samples["makespan"] = makespan if self._synchronised else np.nan
        shares = rank_shares(self._n_ranks)
        makespan *= self._scenario.local_share(words["procsync"])
        mean = self._scenario.mean_shares.get(str(self._n_ranks), float(shares.mean()))
        samples["local_max"], samples["local_min"] = makespan, min(shares[0], mean) * makespan
        samples["local_mean"], samples["root"] = mean * makespan, shares[0] * makespan
        samples["start_skew"] = self._scenario.skew_s(words["procsync"]) if self._synchronised else np.nan
        samples["clock_bound"] = self._scenario.clock_bound_s if self._synchronised else np.nan
        return samples


def _place(document: dict[str, Any], nodes: Sequence[int]) -> None:
    """Put each rank of a launch on the host of that number; nothing where no nodes were asked for."""
    names = [f"{HOST}{node}" for node in nodes]
    for rank, name in zip(document["ranks"], names, strict=bool(names)):
        rank |= {"host": name, "node": name}
    document["hosts"] = [host_record(names.count(name), name) for name in dict.fromkeys(names)] or document["hosts"]


@functools.lru_cache(maxsize=256)  # plug-ins bring operations, and no rules of repetition
def _nrep(repetition: str) -> int:
    """Valid samples; of rules that look at what was measured the most that they may take."""
    spec = Registries.load().check("repetition", repetition)
    most = spec.argument("nrep") or spec.argument("max")
    return int(most.text) if isinstance(most, Number) and spec.name != "time" else 100


def _slot_and_label(output: Path) -> tuple[int, str]:
    """The output folder carries both: `0003-mpich.partial`."""
    slot, _, label = output.name.removesuffix(".partial").partition("-")
    return int(slot), label
