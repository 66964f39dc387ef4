"""When a campaign's cases are held against the host: only where launches are known to stay on it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ictus.engine.backend import Backend
from ictus.engine.campaign import _check_attainable
from ictus.model.design import make_design
from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.model.plan import Plan
from ictus.model.registries import Registries

REGISTRIES = Registries.load()
LIBRARY = Installation("lib", "mpich", "5.0", Path("mpicxx"), Path("mpiexec"))
READY = Backend(
    (), {}, execute=None, offers=dict, availability=dict, dims=lambda _: {}, variants=lambda _: {}, real=True
)  # type: ignore[arg-type]


def check(launcher: str = "mpiexec", found: Backend = READY, memory: int = 2**40, **given: Any) -> None:
    plan = Plan.from_values({"op": "bcast", "sizes": "1Ki", "n": "2", **given}, "option")
    design = make_design(plan, REGISTRIES, (LIBRARY,), machine={"memory_bytes": memory})
    _check_attainable(design, found, launcher, REGISTRIES)


def test_several_hosts_are_refused_only_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere (srun, namespaces, a batch system's nodes, a file of hosts, simulated ranks) the launch finds out."""
    for name in ("SLURM_JOB_NUM_NODES", "SLURM_NNODES", "HYDRA_HOST_FILE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="2 hosts were requested"):
        check(comm="hosts(2)")
    check(comm="hosts(2)", launcher="srun")
    check(comm="hosts(2)", launcher="namespaces")
    check(comm="hosts(2)", found=replace(READY, real=False))
    monkeypatch.setenv("HYDRA_HOST_FILE", "two")
    check(comm="hosts(2)")
    monkeypatch.delenv("HYDRA_HOST_FILE")
    monkeypatch.setenv("SLURM_JOB_NUM_NODES", "2")
    check(comm="hosts(2)")


def test_memory_is_that_of_the_machine() -> None:
    """Two processes with 1 KiB each."""
    check(memory=2048)
    with pytest.raises(UsageError, match="this host has 2047 B of memory"):
        check(memory=2047)
