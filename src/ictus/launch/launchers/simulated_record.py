"""The files of a simulated launch, with every key of file-format.md: launch.json and its arrays, as the core writes
them.
"""

import functools
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ictus.model.call import BASIC, WORLD
from ictus.model.heap import KEPT, RETURNED
from ictus.model.launch_arrays import LAUNCH_FORMAT
from ictus.model.launch_lists import split_launch
from ictus.model.random import SplitMix64
from ictus.model.registries import Member
from ictus.model.sample import LATE, LONG, RAW, REJECTED
from ictus.model.spec import Number, parse_spec
from ictus.model.volume import Volume

HOST = "simulated"
FREQUENCY_HZ = 1e9
"""Ticks of the simulated clocks are nanoseconds."""


@dataclass(frozen=True)
class SimulatedCase:
    """One case as it was measured."""

    words: Mapping[str, str]
    """Its line of arguments.txt."""
    operation: Member
    volume: Volume
    element_bytes: int
    samples: NDArray[np.void]
    headline: str
    validated: bool
    started_s: float
    set_up_s: Mapping[str, float] = field(default_factory=dict)

    @property
    def elapsed_s(self) -> float:
        """Each repetition takes its makespan and as long again until the next start."""
        return float(np.sum(2 * self.samples["local_max"]))


def launch_document(
    launch: Mapping[str, str],
    cases: Sequence[SimulatedCase],
    n_ranks: int,
    elapsed_s: float,
    *,
    started: str,
    contended: bool,
) -> dict[str, Any]:
    """The launch for the `launch` line of arguments.txt and what was measured."""
    synchronised = bool(cases) and cases[0].headline == "makespan"
    return {
        "ictus": "simulated",
        "n_ranks": n_ranks,
        "seed": int(launch["seed"]),
        "started": started,
        "elapsed_s": elapsed_s,
        "mpi": {
            "library_version": "Simulated MPI 1.0",
            "standard": "4.1",
            "thread_level": "MPI_THREAD_SINGLE",
            "wtime_is_global": False,
        },
        "core": {"compiler": "none", "flags": "", "build_type": "simulated", "source_hash": "unknown"},
        "clock": {
            "spec": launch["clock"],
            "frequency_hz": FREQUENCY_HZ,
            "frequency_source": "simulated",
            "resolution_s": 1e-9,
        },
        "clocksync": {"spec": launch["clocksync"], "synchronised": synchronised},
        "options": {key: value for key, value in launch.items() if key not in ("ranks", "output")},
        "blocks": [_block(n_ranks, float(cases[0].samples["clock_bound"][0]) if synchronised else None)],
        "cases": [_case(case, n_ranks) for case in cases],
        "ranks": [_rank(rank, elapsed_s, launch.get("heap", KEPT)) for rank in range(n_ranks)],
        "hosts": [host_record(n_ranks)],
        "environment": {},
        "contention": {
            "run_queue_share": 0.25 if contended else 0.0,
            "steal_share": 0.0,
            "share": 0.25 if contended else 0.0,
            "oversubscribed": False,
            "contended": contended,
        },
        "warnings": [],
    }


def probe(block: int, line_round_trip_s: float) -> dict[str, Any]:
    """A probe of the machine; all cores are equally far apart and equally fast."""
    values = {"line_round_trip_s": line_round_trip_s, "block_round_trip_s": 5 * line_round_trip_s}
    values |= {"multiplications_hz": 1e9, "copy_alone_bytes_per_s": 1e10, "copy_together_bytes_per_s": 1e10}
    return {
        "block": block,
        "elapsed_s": 1e-3,
        **{name: {"min": number, "max": number} for name, number in values.items()},
    }


def _block(n_ranks: int, clock_bound_s: float | None) -> dict[str, Any]:
    """`clock_bound_s` is None where clocks are not synchronised, NaN where no bound is proven."""
    bound = None if clock_bound_s is None or math.isnan(clock_bound_s) else clock_bound_s
    zeros = [0.0] * n_ranks
    opening = {
        "elapsed_s": 0.1,
        "messages": 200 * (n_ranks - 1),
        "slope": zeros,
        "intercept_s": zeros,
        "slope_error": zeros,
        "bound_s": [bound] * n_ranks,
    }
    closing = {
        "elapsed_s": 0.01,
        "messages": 20 * (n_ranks - 1),
        "residual_s": zeros,
        "residual_max_s": 0.0,
        "interpolated_residual_s": zeros,
        "interpolated_residual_max_s": 0.0,
    }
    return {"block": 0, "opening": opening, "closing": None if clock_bound_s is None else closing}


def _case(case: SimulatedCase, n_ranks: int) -> dict[str, Any]:
    flags, words = case.samples["flags"], case.words
    longest = case.samples["local_max"][flags == 0]
    none = [None] * n_ranks
    local = np.outer(rank_shares(n_ranks), longest)
    return {
        "case_id": int(words["id"]),
        "operation": words["op"],
        "mpi_name": case.operation.mpi_name,
        "size_bytes": case.volume.size_bytes,
        "block_bytes": case.volume.block_bytes,
        "moved_bytes": case.volume.moved_bytes,
        "count": case.volume.block_bytes // case.element_bytes,
        "datatype": words["datatype"],
        "operator": words["operator"],
        "root": int(words["root"]) if words["root"].isdigit() else words["root"],
        "comm": words.get("comm", str(WORLD)),
        "in_place": words.get("in-place") == "on",
        "counts": words["counts"] if case.operation.varied else None,
        "layout": words.get("layout", str(BASIC)),
        **{key: words[key] for key in ("procsync", "scheme", "repetition", "cache")},
        "calls": _calls(words["scheme"]),
        "warmup": int(words["warmup"]),
        "set_up_s": dict(case.set_up_s),
        "validated": case.validated,
        "block": 0,
        "headline": case.headline,
        "attempted": int(flags.size),
        "valid": int(np.count_nonzero(flags == 0)),
        "late": int(np.count_nonzero(flags & LATE)),
        "long": int(np.count_nonzero(flags & LONG)),
        "rejected": int(np.count_nonzero(flags & REJECTED)),
        "window_s": 3 * float(case.samples["local_max"].max()) if words["procsync"].startswith("window") else None,
        "started_s": case.started_s,
        "elapsed_s": case.elapsed_s,
        "per_rank": {
            "n": [int(longest.size)] * n_ranks,
            "mean_s": local.mean(axis=1).tolist() if longest.size else none,
            "min_s": local.min(axis=1).tolist() if longest.size else none,
            "max_s": local.max(axis=1).tolist() if longest.size else none,
            "median_s": np.median(local, axis=1).tolist() if longest.size else none,
        },
    }


@functools.lru_cache(maxsize=64)
def rank_shares(n_ranks: int) -> NDArray[np.float64]:
    """The share of the latency that each rank spends in the call: rank 0, the root, 80 %, the last one all of it."""
    shares = np.linspace(0.8, 1.0, n_ranks) if n_ranks > 1 else np.ones(1)
    shares.setflags(write=False)
    return shares


@functools.lru_cache(maxsize=256)  # few kinds of cases, in each launch again
def flags_of(nrep: int, late_share: float, long_share: float) -> NDArray[np.uint16]:
    """Flags of `nrep` valid repetitions with the flagged ones evenly between them."""
    late, long = (round(nrep * share / (1 - share)) if share < 1 else nrep for share in (late_share, long_share))
    valid = 0 if max(late_share, long_share) >= 1 else nrep
    flags = np.concatenate((np.full(late, LATE), np.full(long, LONG), np.zeros(valid)))
    position = np.concatenate([(np.arange(count) + 0.5) / max(count, 1) for count in (late, long, valid)])
    ordered = np.asarray(flags[np.argsort(position, kind="stable")], np.uint16)
    ordered.setflags(write=False)
    return ordered


def raw_records(samples: NDArray[np.void], n_ranks: int) -> NDArray[np.void]:
    """The records of raw.npy that belong to the samples of one case."""
    parts = []
    for rank, share in enumerate(rank_shares(n_ranks)):
        part = np.zeros(samples.size, RAW)
        for name in ("case_id", "repetition", "flags"):
            part[name] = samples[name]
        part["rank"] = rank
        part["start"] = np.round(samples["start"] * FREQUENCY_HZ)
        part["end"] = part["start"] + np.round(share * samples["local_max"] * FREQUENCY_HZ).astype(np.int64)
        parts.append(part)
    return np.concatenate(parts)


def _calls(scheme: str) -> int:
    """Calls in one sample: 1 unless the scheme is a loop."""
    calls = parse_spec(scheme).argument("calls")
    return int(calls.text) if isinstance(calls, Number) else 1


def _rank(rank: int, elapsed_s: float, heap: str) -> dict[str, Any]:
    return {
        "rank": rank,
        "host": HOST,
        "pid": 1000 + rank,
        "epoch_ticks": 0,
        "cpu": rank,
        "cpus_allowed": str(rank),
        "cpu_time_s": elapsed_s,
        "run_queue_delay_s": 0.0,
        "elapsed_s": elapsed_s,
        "max_rss_bytes": 20_000_000,
        "voluntary_switches": 10,
        "involuntary_switches": 0,
        "page_faults": 0,
        "keeps_freed_memory": True if heap == KEPT else False if heap == RETURNED else None,
    }


def host_record(n_ranks: int, name: str = HOST) -> dict[str, Any]:
    """A host, as format 1 has it."""
    return {
        "host": name,
        "n_ranks": n_ranks,
        "cpu_model": "simulated",
        "n_cpus": n_ranks,
        "governor": "unknown",
        "frequency_min_hz": None,
        "frequency_max_hz": None,
        "turbo": "unknown",
        "kernel": "unknown",
        "clocksource": "unknown",
        "load_average": [0.0, 0.0, 0.0],
        "steal_s": 0.0,
        "busy_s": 0.0,
        "smt": "unknown",
    }


def normal(n: int, seed: int) -> NDArray[np.float64]:
    """Standard normal numbers, shape (n,), equal in all versions: SplitMix64 and the Box-Muller transform."""
    generator = SplitMix64(seed)
    first = np.uint64(generator.next_u64())
    with np.errstate(over="ignore"):
        state = first + np.arange(1, 2 * n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    uniform = (((state ^ (state >> np.uint64(31))) >> np.uint64(11)) + np.uint64(1)).astype(np.float64) * 2.0**-53
    values: NDArray[np.float64] = np.sqrt(-2 * np.log(uniform[:n])) * np.cos(2 * np.pi * uniform[n:])
    return values


def write_launch(
    folder: Path, document: Mapping[str, Any], samples: Sequence[NDArray[Any]], raw: Sequence[NDArray[Any]] = ()
) -> None:
    """Write a launch whose parts are `document`, and the samples (and stamps) of each case; launch.json last."""
    split = split_launch({**document, "format": LAUNCH_FORMAT})
    listed = {"samples": np.concatenate(samples), **({"raw": np.concatenate(raw)} if raw else {})}
    arrays = {**listed, **split.arrays}
    for name, array in arrays.items():
        _save(folder / f"{name}.npy", array)
    files = {name: {"file": f"{name}.npy", "shape": list(array.shape)} for name, array in arrays.items()}
    (folder / "launch.json").write_text(json.dumps({**split.head, "arrays": files}))


def _save(path: Path, array: NDArray[Any]) -> None:
    """As `np.save`, whose error on a full disk does not say that it is full."""
    with path.open("wb") as file:
        file.write(_header(array.dtype, array.shape))
        file.write(np.ascontiguousarray(array).data)


@functools.lru_cache(maxsize=256)  # the launches of a campaign have the same ones
def _header(dtype: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    file = io.BytesIO()
    descr = np.lib.format.dtype_to_descr(dtype)
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue()
