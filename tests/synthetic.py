"""Campaign folders made of arithmetic, in the format of docs/file-format.md: what a third party could write.

No random numbers: the noise is the normal quantile of a golden-ratio sequence, so that every machine and every
version of
NumPy writes the same folder and the golden tables hold.
"""

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from ictus.launch.launchers.simulated_files import write_launch as write_core_files
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.store.checksums import checksums_of

SAMPLE = np.dtype(
    [("case_id", "<u4"), ("repetition", "<u4"), ("flags", "<u2")]
    + [
        (name, "<f8")
        for name in ("start", "makespan", "local_max", "local_mean", "local_min", "root", "start_skew", "clock_bound")
    ]
)
VERSIONS = {"mpich": "5.0.2", "openmpi": "5.0.11"}


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
    """What the folder is to hold; everything has a small default."""

    libraries: tuple[str, ...] = ("mpich", "openmpi")
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
    noise: float = 0.05
    clock_bound_s: float = 20e-9
    """Proven error of the global clock; NaN: synchronised, but nothing was proved."""
    late_share: float = 0.01
    contended_slots: tuple[int, ...] = ()
    """Slots whose first try was contended; the accepted try follows."""
    lost_cases: tuple[int, ...] = ()
    """Cases of which no sample is valid."""
    latency: Callable[[str, str, int], float] = latency
    procsync_factor: Mapping[str, float] = field(default_factory=dict)
    trace: Callable[[int, str, int], NDArray[np.float64]] | None = None
    """(slot, operation, repetitions) to a factor for each repetition: what happens in the course of a launch."""


def write_folder(folder: Path, scenario: Scenario = Scenario()) -> Path:
    """Write the whole campaign folder, Parquet files excepted: the store writes those on arrival."""
    cases = _cases(scenario)
    slots = _slots(scenario, cases)
    (folder / "launches").mkdir(parents=True)
    _write_json(folder / "campaign.json", _campaign(scenario, cases))
    _write_json(folder / "schedule.json", {"format": 1, "seed": scenario.seed, "slots": slots})
    journal: list[dict[str, Any]] = [{"event": "start"}]
    for slot in slots:
        tries = ["contended", "accepted"] if slot["slot"] in scenario.contended_slots else ["accepted"]
        for number, event in enumerate(tries, start=1):
            name = f"{slot['slot']:04d}-{slot['mpi']}" + ("" if event == "accepted" else f".try{number}")
            write_launch(folder / "launches" / name, scenario, slot, cases, contended=event == "contended")
            journal.append({"event": "launch", "slot": slot["slot"], "try": number, "command": ["mpiexec"]})
            share = {"share": 0.31, "accepted": False} if event == "contended" else {"elapsed_s": 2.0, "accepted": True}
            files = {"folder": f"launches/{name}", "checksums": checksums_of(folder / "launches" / name)}
            journal.append({"event": event, "slot": slot["slot"], **files, **share})
    journal.append({"event": "done"})
    lines = (
        json.dumps({"time": f"2025-11-21T10:00:{index % 60:02d}+00:00", **line}) for index, line in enumerate(journal)
    )
    (folder / "journal.jsonl").write_text("".join(line + "\n" for line in lines))
    return folder


def write_launch(
    folder: Path, scenario: Scenario, slot: dict[str, Any], cases: list[dict[str, Any]], contended: bool
) -> None:
    """One launch folder as `ictus-bench` leaves it: launch.json, its arrays and the runner's command.json."""
    folder.mkdir(parents=True)
    by_id = {case["case_id"]: case for case in cases}
    factor = float(np.exp(scenario.launch_spread * noise(1, "launch", slot["slot"], scenario.seed)[0])) * (
        1.25 if contended else 1.0
    )
    parts, measured, started = [], [], 0.0
    for case_id in slot["cases"]:
        part = _samples(scenario, slot, by_id[case_id], factor, started)
        started = float(part["start"][-1]) + 1e-3
        parts.append(part)
        measured.append(_measured(scenario, by_id[case_id], part, slot["n"]))
    write_core_files(folder, _launch(scenario, slot, measured, contended), parts)
    _write_json(
        folder / "command.json",
        {"command": ["mpiexec", "-n", str(slot["n"])], "environment": {}, "exit_code": 0, "elapsed_s": 2.0},
    )
    (folder / "arguments.txt").write_text("# written by the synthetic campaign\n")
    (folder / "stdout.txt").write_text("")
    (folder / "stderr.txt").write_text("")


def noise(n: int, *key: object) -> NDArray[np.float64]:
    """N values that look standard normal and depend on nothing but the key."""
    digest = hashlib.sha256(repr(key).encode()).digest()
    offset = int.from_bytes(digest[:6], "big") / 2**48
    uniform = (np.arange(1, n + 1) * 0.6180339887498949 + offset) % 1.0
    return np.asarray(ndtri(np.clip(uniform, 1e-6, 1 - 1e-6)), dtype=np.float64)


def full(family: str, text: str) -> str:
    """A member of a family with every parameter given, as the files have it."""
    return str(Registries.load().check(family, text))


def _cases(scenario: Scenario) -> list[dict[str, Any]]:
    cases = []
    for n in scenario.processes:
        for operation in scenario.operations:
            for size in (0,) if operation == "barrier" else scenario.sizes:
                for procsync in scenario.procsyncs:
                    blocks = operation == "alltoall"
                    cases.append(
                        {
                            "case_id": len(cases),
                            "operation": operation,
                            "size_bytes": size,
                            "block_bytes": size // n if blocks else size,
                            "moved_bytes": size,
                            "n": n,
                            "datatype": "double",
                            "operator": "sum",
                            "root": 0,
                            "procsync": full("procsync", procsync),
                            "scheme": "per-call",
                            "repetition": full("repetition", f"fixed({scenario.nrep})"),
                            "cache": "warm",
                            "clock": "tsc",
                            "clocksync": full("clocksync", scenario.clocksync),
                            "warmup": 20,
                        }
                    )
    return cases


def _slots(scenario: Scenario, cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    slots: list[dict[str, Any]] = []
    for block in range(scenario.launches):
        entries = [(label, n) for n in scenario.processes for label in scenario.libraries]
        for label, n in entries[:: -1 if block % 2 else 1]:
            ids = [case["case_id"] for case in cases if case["n"] == n]
            slots.append(
                {"slot": len(slots), "block": block, "mpi": label, "n": n, "seed": 1000 + len(slots), "cases": ids}
            )
    return slots


def _samples(
    scenario: Scenario, slot: dict[str, Any], case: dict[str, Any], factor: float, started: float
) -> NDArray[np.void]:
    nrep, key = scenario.nrep, (slot["slot"], case["case_id"], scenario.seed)
    true = scenario.latency(slot["mpi"], case["operation"], case["size_bytes"]) * factor
    true *= next(
        (factor for name, factor in scenario.procsync_factor.items() if case["procsync"].startswith(name)), 1.0
    )
    part = np.zeros(nrep, dtype=SAMPLE)
    part["case_id"], part["repetition"] = case["case_id"], np.arange(nrep)
    own = noise(1, "case", *key)[0] * scenario.case_spread
    makespan = true * np.exp(own + scenario.noise * noise(nrep, "sample", *key))
    if scenario.trace is not None:
        makespan *= scenario.trace(slot["slot"], case["operation"], nrep)
    makespan[nrep // 3 :: 50] *= 4.0
    synchronised = scenario.clocksync != "none"
    part["start"] = started + np.arange(nrep) * 50e-6
    part["local_max"], part["local_mean"], part["local_min"] = 0.97 * makespan, 0.93 * makespan, 0.9 * makespan
    part["root"] = 0.95 * makespan
    part["makespan"] = makespan if synchronised else np.nan
    part["start_skew"] = 60e-9 * np.exp(0.4 * noise(nrep, "skew", *key)) if synchronised else np.nan
    part["clock_bound"] = scenario.clock_bound_s if synchronised else np.nan
    n_late = nrep if case["case_id"] in scenario.lost_cases else round(scenario.late_share * nrep)
    part["flags"][nrep - n_late :] = 1
    return part


def _measured(scenario: Scenario, case: dict[str, Any], part: NDArray[np.void], n: int) -> dict[str, Any]:
    late = int(np.count_nonzero(part["flags"] & 1))
    per_rank = {name: [float(np.mean(part["local_mean"]))] * n for name in ("mean_s", "min_s", "max_s", "median_s")}
    return {
        **{key: value for key, value in case.items() if key not in ("n", "clock", "clocksync")},
        "mpi_name": Registries.load().operation(case["operation"]).mpi_name,
        "count": case["block_bytes"] // 8,
        "validated": True,
        "block": 0,
        "headline": "makespan" if scenario.clocksync != "none" else "local_max",
        "attempted": len(part),
        "valid": len(part) - late,
        "late": late,
        "long": 0,
        "window_s": 50e-6 if case["procsync"].startswith("window") else None,
        "started_s": float(part["start"][0]),
        "elapsed_s": len(part) * 50e-6,
        "per_rank": {"n": [len(part) - late] * n, **per_rank},
    }


def _campaign(scenario: Scenario, cases: list[dict[str, Any]]) -> dict[str, Any]:
    plan = Plan.from_values(
        {
            "mpi": list(scenario.libraries),
            "op": list(scenario.operations),
            "sizes": list(scenario.sizes),
            "n": list(scenario.processes),
            "launches": scenario.launches,
            "nrep": scenario.nrep,
            "clocksync": scenario.clocksync,
            "procsync": list(scenario.procsyncs),
            "seed": scenario.seed,
        }
    )
    machine = {
        "host": "node01",
        "cpu_model": "A processor of arithmetic",
        "n_cpus": 4,
        "governor": "performance",
        "kernel": "6.1.0",
    }
    return {
        "format": 1,
        "ictus": "0.1.0",
        "created": "2025-11-21T10:00:00+00:00",
        "plan": plan.checked(Registries.load()).values(),
        "seed": scenario.seed,
        "libraries": [_library(label) for label in scenario.libraries],
        "cases": cases,
        "notes": [],
        "machine": machine,
    }


def _library(label: str) -> dict[str, Any]:
    flavour = "openmpi" if "open" in label else "mpich"
    name = {"mpich": "MPICH Version: ", "openmpi": "Open MPI v"}[flavour]
    prefix = f"/opt/{label}/bin"
    return {
        "label": label,
        "flavour": flavour,
        "version": VERSIONS[flavour],
        "wrapper": f"{prefix}/mpicxx",
        "launcher": f"{prefix}/mpiexec",
        "library_version": name + VERSIONS[flavour],
        "compiler": "g++ 12.2.0",
    }


def _launch(
    scenario: Scenario, slot: dict[str, Any], measured: list[dict[str, Any]], contended: bool
) -> dict[str, Any]:
    n, synchronised = slot["n"], scenario.clocksync != "none"
    bound = None if not synchronised or math.isnan(scenario.clock_bound_s) else scenario.clock_bound_s
    residual = [0.0] + [float(15e-9 * value) for value in noise(n - 1, "residual", slot["slot"])]
    opening = {
        "elapsed_s": 0.11,
        "messages": 2000,
        "slope": [0.0] * n,
        "intercept_s": [0.0] * n,
        "slope_error": [1e-9] * n,
        "bound_s": [bound] * n,
    }
    largest = max(map(abs, residual))
    closing = {
        "elapsed_s": 0.01,
        "messages": 200,
        "residual_s": residual,
        "residual_max_s": largest,
        "interpolated_residual_s": [value / 5 for value in residual],
        "interpolated_residual_max_s": largest / 5,
    }
    ranks = [
        {
            "rank": rank,
            "host": "node01",
            "pid": 4000 + rank,
            "epoch_ticks": 0,
            "cpu": rank,
            "cpus_allowed": str(rank),
            "cpu_time_s": 1.9,
            "run_queue_delay_s": 0.6 if contended else 0.002,
            "elapsed_s": 2.0,
            "max_rss_bytes": 24_000_000,
            "voluntary_switches": 40,
            "involuntary_switches": 3,
            "page_faults": 0,
            "keeps_freed_memory": True,
        }
        for rank in range(n)
    ]
    host = {
        "host": "node01",
        "n_ranks": n,
        "cpu_model": "A processor of arithmetic",
        "n_cpus": 4,
        "governor": "performance",
        "frequency_min_hz": 8e8,
        "frequency_max_hz": 3e9,
        "turbo": "off",
        "kernel": "6.1.0",
        "clocksource": "tsc",
        "load_average": [0.1, 0.2, 0.2],
        "steal_s": 0.0,
        "busy_s": 0.01,
        "smt": "off",
    }
    share = 0.31 if contended else 0.001
    return {
        "ictus": "0.1.0",
        "n_ranks": n,
        "seed": slot["seed"],
        "started": f"2025-11-21T10:{slot['slot'] // 60:02d}:{slot['slot'] % 60:02d}+00:00",
        "elapsed_s": 2.0,
        "mpi": {
            "library_version": _library(slot["mpi"])["library_version"],
            "standard": "4.1",
            "thread_level": "single",
            "wtime_is_global": False,
        },
        "core": {"compiler": "g++ 12.2.0", "flags": "-O2", "build_type": "Release", "source_hash": "0123456789abcdef"},
        "clock": {"spec": "tsc", "frequency_hz": 2.5e9, "frequency_source": "nominal", "resolution_s": 4e-10},
        "clocksync": {"spec": scenario.clocksync, "synchronised": synchronised},
        "options": {"validate": "on", "raw": "off", "block-time": "5s"},
        "blocks": [{"block": 0, "opening": opening, "closing": closing if synchronised else None}],
        "cases": measured,
        "ranks": ranks,
        "hosts": [host],
        "environment": {"OMPI_MCA_btl": "self,sm"} if "open" in slot["mpi"] else {},
        "contention": {
            "run_queue_share": share,
            "steal_share": 0.0,
            "share": share,
            "oversubscribed": n > 4,
            "contended": contended,
        },
        "warnings": [],
    }


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n")
