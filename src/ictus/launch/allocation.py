"""The allocation that this process runs in, as the batch system says it in the environment."""

import functools
import os
import re
import subprocess
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

END = "ICTUS_ALLOCATION_END"
"""The variable by which a job script says when its allocation ends, in seconds since 1970; sites may set it too."""

# flux-environment(7): a batch script has FLUX_URI; Flux unsets FLUX_JOB_ID and the variables of Slurm there.
_JOB = {
    "slurm": ("SLURM_JOB_ID", "SLURM_JOBID"),
    "flux": ("FLUX_URI",),
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
    cores: tuple[int, ...] = ()
    """Of each node that ranks may use; empty where they are not known."""
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
            if scheduler == "flux":
                return _flux(shell)
            slots = slots_of(shell)
            nodes = _slurm_nodes(shell) or tuple(slots)
            return JobAllocation(scheduler, job, nodes, _slurm_cpus(shell) or tuple(slots.values()), _end(shell))
    return None


def _flux(shell: Mapping[str, str]) -> JobAllocation:
    """An instance of Flux, which tells its batch script in no variable what it has."""
    nodes, cores = _flux_resources(tuple(sorted(shell.items())))
    return JobAllocation("flux", shell.get("FLUX_ENCLOSING_ID") or "instance", nodes, cores, _end(shell))


@functools.cache
def _flux_resources(variables: tuple[tuple[str, str], ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The nodes of the instance that these variables lead to, and the cores of each; it keeps them to its end."""
    try:
        nodes = expand_nodes(_output(("flux", "getattr", "hostlist"), dict(variables)).strip())
        listed = _output(("flux", "resource", "list", "-n", "-o", "{ncores}"), dict(variables))
        n_cores = sum(int(line) for line in listed.split())  # a line for each state, such as free and allocated
    except ValueError:
        return (), ()
    return nodes, (n_cores // len(nodes),) * len(nodes) if nodes and n_cores else ()


def expand_nodes(text: str) -> tuple[str, ...]:
    """`n[1-3,07],login` as names. Source: the hostlist expressions of Slurm; ValueError for what is none."""
    hosts: list[str] = []
    for part in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text):
        names = [""]
        for plain, inside in re.findall(r"([^\[\]]+)|\[([^\]]*)\]", part):
            ends = [plain] if plain else list(_range(inside))
            names = [name + end for name in names for end in ends]
        hosts += names
    return tuple(hosts)


def _range(text: str) -> tuple[str, ...]:
    hosts: list[str] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        hosts += [f"{number:0{len(first)}d}" for number in range(int(first), int(last if dash else first) + 1)]
    return tuple(hosts)


def _slurm_nodes(shell: Mapping[str, str]) -> tuple[str, ...]:
    for name in _NODE_LISTS:
        if shell.get(name):
            with suppress(ValueError):
                return expand_nodes(shell[name])
    return ()


def _slurm_cpus(shell: Mapping[str, str]) -> tuple[int, ...]:
    """`4(x2),8` as 4, 4, 8."""
    counts = re.findall(r"(\d+)(?:\(x(\d+)\))?", shell.get("SLURM_JOB_CPUS_PER_NODE", ""))
    return tuple(int(cpus) for cpus, times in counts for _ in range(int(times or 1)))


def slots_of(shell: Mapping[str, str]) -> dict[str, int]:
    """The nodes of a file that has a line for each slot of a node, with their slots. PBS has a line for each process
    that was asked for, and says the CPUs of a node in NCPUS.
    """
    for name in _NODE_FILES:
        with suppress(OSError):
            lines = Path(shell.get(name, "")).read_text().splitlines() if shell.get(name) else []
            slots = Counter(line.split()[0] for line in lines if line.split())
            if slots:
                least = int(shell["NCPUS"]) if shell.get("NCPUS", "").isdigit() else 0
                return {node: max(slots[node], least) for node in slots}
    return {}


def _end(shell: Mapping[str, str]) -> float | None:
    for name in (END, "SLURM_JOB_END_TIME"):
        with suppress(ValueError):
            return float(shell.get(name, ""))
    job = shell.get("SLURM_JOB_ID", "")
    if not job:
        return None
    with suppress(ValueError):  # Slurm before 23.02 does not set it
        return _now() + seconds_of(_output(("squeue", "--noheader", "--job", job, "--format=%L"), shell).strip())
    return None


def _output(words: tuple[str, ...], shell: Mapping[str, str]) -> str:
    """What a command of the batch system says; empty where it cannot be run."""
    with suppress(OSError, subprocess.TimeoutExpired):
        ended = subprocess.run(words, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False, env=dict(shell))
        return ended.stdout
    return ""


def _now() -> float:
    return time.time()


def seconds_of(text: str) -> float:
    """`1-02:03:04`, `02:03:04`, `03:04` of Slurm, in seconds; ValueError for `UNLIMITED` and what is none."""
    days, dash, clock_text = text.rpartition("-")
    parts = [int(number) for number in clock_text.split(":")]
    if not 2 <= len(parts) <= 3 and not dash:
        raise ValueError(text)
    total = 0
    for number in [*([0] * (3 - len(parts))), *parts]:
        total = 60 * total + number
    return 86400.0 * (int(days) if dash else 0) + total
