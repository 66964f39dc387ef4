"""Differences between two campaigns that are no factor of a case, in sentences.

A baseline is often measured elsewhere or earlier. What changed since then is named, because it may explain a difference
as well as the change under test.
"""

from collections.abc import Iterable, Iterator, Mapping

from ictus.comparison.conditions import conditions
from ictus.model.library import Library
from ictus.store.campaign import Campaign

_MACHINE = (
    "host", "architecture", "system", "kernel", "cpu_model", "n_cores", "n_cpus", "smt", "n_numa_nodes", "clocksource",
    "governor", "turbo", "frequency_max_hz", "memory_bytes", "virtual",
)  # fmt: skip
"""Facts of a machine that stay as they are from one minute to the next."""
_LIBRARY = ("flavour", "version", "library_version", "compiler")
_CORE = ("compiler", "flags", "build_type", "source_hash")
_SETTINGS = ("OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_", "MPIR_CVAR_", "MPICH_", "I_MPI_", "UCX_", "FI_", "HYDRA_", "OMP_")
"""Prefixes of variables that are settings; other variables identify a process in its launch, and differ between any
two.
"""
_PRELOAD = "LD_PRELOAD"
_UNKNOWN = "unknown"
_UNSET = "unset"
_LONGEST = 60

Facts = Mapping[str, str]


def differences(now: Campaign, baseline: Campaign) -> tuple[str, ...]:
    """One sentence for each kind of thing in which the campaigns differ, values of `now` first; what either does not
    know never differs.
    """
    there = {library.label: library for library in baseline.libraries}
    shared = [library for library in now.libraries if library.label in there]
    return (
        *_changes("the machine differs", _machine(now), _machine(baseline)),
        *_changes("the hosts of the launches differ", _hosts(now), _hosts(baseline)),
        *(line for one in shared for line in _changes(f"library {one.label} differs", _of(one), _of(there[one.label]))),
        *_changes("the launches differ", conditions(now), conditions(baseline)),
        *_changes("the measuring core differs", _core(now), _core(baseline)),
        *(line for one in shared for line in _environments(one.label, now, baseline)),
        *_changes("Ictus differs", {"version": now.ictus}, {"version": baseline.ictus}),
    )  # fmt: skip


def _changes(what: str, here: Facts, there: Facts, absent: str = _UNKNOWN) -> Iterator[str]:
    """`what: name value against value, ...` for all names in which they differ; nothing where there is none."""
    both = {name: (here.get(name, absent), there.get(name, absent)) for name in dict.fromkeys((*here, *there))}
    parts = [
        f"{_words(name)} {_short(one)} against {_short(other)}"
        for name, (one, other) in both.items()
        if one != other and _UNKNOWN not in (one, other)
    ]
    if parts:
        yield f"{what}: {', '.join(parts)}"


def _words(name: str) -> str:
    """`cpu model` for `cpu_model`; the name of a variable stays as it is."""
    return name if name.startswith((*_SETTINGS, _PRELOAD)) else name.replace("_", " ")


def _machine(campaign: Campaign) -> Facts:
    known = {name: campaign.machine.get(name) for name in _MACHINE}
    return {name: str(value) for name, value in known.items() if value not in (None, "")}


def _hosts(campaign: Campaign) -> Facts:
    return {"hosts": _all(host.name for launch in campaign.launches for host in launch.record.hosts)}


def _of(library: Library) -> Facts:
    return {name: getattr(library, name) or _UNKNOWN for name in _LIBRARY}


def _core(campaign: Campaign) -> Facts:
    cores = [launch.record.head.core for launch in campaign.launches]
    return {name: _all(getattr(core, name) or _UNKNOWN for core in cores) for name in _CORE}


def _environments(label: str, now: Campaign, baseline: Campaign) -> Iterator[str]:
    here, there = _settings(now, label), _settings(baseline, label)
    yield from _changes(f"the environment of {label} differs", here, there, absent=_UNSET)


def _settings(campaign: Campaign, label: str) -> Facts:
    """Variables that are the same in all launches of a library; paths, which say where and not how, are left out."""
    records = [launch.record.head.environment for launch in campaign.launches if launch.mpi == label]
    names = sorted({name for record in records for name in record if name.startswith((*_SETTINGS, _PRELOAD))})
    values = {name: {record.get(name, _UNSET) for record in records} for name in names}
    steady = {name: found.pop() for name, found in values.items() if len(found) == 1}
    return {name: value for name, value in steady.items() if "/" not in value or name == _PRELOAD}


def _all(texts: Iterable[str]) -> str:
    """The value that all launches have; where they differ among themselves, all values."""
    return " or ".join(sorted(set(texts)))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
