"""The allocation that this process runs in, as the batch system says it in the environment."""

import os
import re
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

END = "ICTUS_ALLOCATION_END"
"""The variable by which a job script says when its allocation ends, in seconds since 1970; sites may set it too."""

_JOB = {
    "slurm": ("SLURM_JOB_ID", "SLURM_JOBID"),
    "flux": ("FLUX_JOB_ID",),
    "pbs": ("PBS_JOBID",),
    "lsf": ("LSB_JOBID",),
}
_NODE_FILES = ("PBS_NODEFILE", "LSB_DJOB_HOSTFILE", "PE_HOSTFILE", "COBALT_NODEFILE")
_NODE_LISTS = ("SLURM_JOB_NODELIST", "SLURM_NODELIST")
_TIMEOUT_S = 10.0


@dataclass(frozen=True)
class JobAllocation:
    """Nodes that a batch system gave for a while."""

    scheduler: str
    job: str
    nodes: tuple[str, ...] = ()
    """By name; empty where they are not known."""
    cpus_per_node: int | None = None
    """The fewest of its nodes; None where it is not known."""
    end_s: float | None = None
    """When it ends, in seconds since 1970; None where it is not known."""

    def record(self) -> dict[str, Any]:
        """As launcher.json has it."""
        return {"scheduler": self.scheduler, "job": self.job, "nodes": list(self.nodes)}


def read_allocation(environment: Mapping[str, str] | None = None) -> JobAllocation | None:
    """The allocation; None outside of one."""
    shell = os.environ if environment is None else environment
    for scheduler, names in _JOB.items():
        job = next((shell[name] for name in names if shell.get(name)), None)
        if job is not None:
            return JobAllocation(scheduler, job, _nodes(shell), _cpus(shell), _end(shell))
    return None


def expand_nodes(text: str) -> tuple[str, ...]:
    """`n[1-3,07],login` as names. Source: the hostlist expressions of Slurm; ValueError for what is none."""
    found: list[str] = []
    for part in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text):
        names = [""]
        for plain, inside in re.findall(r"([^\[\]]+)|\[([^\]]*)\]", part):
            ends = [plain] if plain else list(_range(inside))
            names = [name + end for name in names for end in ends]
        found += names
    return tuple(found)


def _range(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for one in text.split(","):
        first, dash, last = one.partition("-")
        found += [f"{number:0{len(first)}d}" for number in range(int(first), int(last if dash else first) + 1)]
    return tuple(found)


def _nodes(shell: Mapping[str, str]) -> tuple[str, ...]:
    for name in _NODE_LISTS:
        if shell.get(name):
            with suppress(ValueError):
                return expand_nodes(shell[name])
    for name in _NODE_FILES:
        with suppress(OSError):
            lines = Path(shell.get(name, "")).read_text().splitlines() if shell.get(name) else []
            found = tuple(dict.fromkeys(line.split()[0] for line in lines if line.split()))
            if found:
                return found
    return ()


def _cpus(shell: Mapping[str, str]) -> int | None:
    """The least of `4(x2),8`."""
    numbers = [int(one) for one in re.findall(r"(\d+)(?:\(x\d+\))?", shell.get("SLURM_JOB_CPUS_PER_NODE", ""))]
    return min(numbers, default=None)


def _end(shell: Mapping[str, str]) -> float | None:
    for name in (END, "SLURM_JOB_END_TIME"):
        with suppress(ValueError):
            return float(shell.get(name, ""))
    job = shell.get("SLURM_JOB_ID", "")
    if not job:
        return None
    with suppress(OSError, subprocess.TimeoutExpired, ValueError):  # Slurm before 23.02 does not set it
        words = ("squeue", "--noheader", "--job", job, "--format=%L")
        asked = subprocess.run(words, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False, env=dict(shell))
        return _now() + seconds_of(asked.stdout.strip())
    return None


def _now() -> float:
    return time.time()


def seconds_of(text: str) -> float:
    """`1-02:03:04`, `02:03:04`, `03:04` of Slurm, in seconds; ValueError for `UNLIMITED` and what is none."""
    days, dash, rest = text.rpartition("-")
    parts = [int(one) for one in rest.split(":")]
    if not 2 <= len(parts) <= 3 and not dash:
        raise ValueError(text)
    total = 0
    for one in [*([0] * (3 - len(parts))), *parts]:
        total = 60 * total + one
    return 86400.0 * (int(days) if dash else 0) + total
