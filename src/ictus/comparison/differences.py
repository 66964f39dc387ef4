"""Differences between two campaigns that are no factor of a case, in sentences.

A baseline is often measured elsewhere or earlier. What changed since then is named, because it may explain a difference
as well as the change under test.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ictus.comparison.conditions import conditions
from ictus.model.library import Library
from ictus.store.campaign import Campaign

_MACHINE = (
    "host", "architecture", "system", "kernel", "cpu_model", "n_cores", "n_cpus", "smt", "n_numa_nodes", "clocksource",
    "governor", "turbo", "frequency_max_hz", "memory_bytes", "virtual",
)  # fmt: skip
"""Facts of a machine that stay as they are from one minute to the next."""
_LIBRARY = ("flavour", "version", "library_version", "compiler", "checksum")
_CORE = ("compiler", "flags", "build_type", "source_hash")
_SETTINGS = ("OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_", "MPIR_CVAR_", "MPICH_", "I_MPI_", "MV2_", "MVP_",
             "UCX_", "FI_", "HYDRA_", "OMP_")  # fmt: skip
"""Prefixes of variables that are settings; other variables identify a process in its launch, and differ between any
two.
"""
_PRELOAD = "LD_PRELOAD"
_UNKNOWN = "unknown"
_UNSET = "unset"
_LONGEST = 60

Facts = Mapping[str, str]


@dataclass(frozen=True)
class Difference:
    """What two campaigns differ in."""

    sentence: str
    """`the machine differs: kernel 6.2.0 against 6.1.0`."""
    names: tuple[str, ...]
    """In a word or two each: `kernel`, `library mpich`."""


def differences(current: Campaign, baseline: Campaign) -> tuple[Difference, ...]:
    """One for each kind of thing in which the campaigns differ, values of `current` first; what either does not know
    never differs.
    """
    by_label = {library.label: library for library in baseline.libraries}
    shared = [library for library in current.libraries if library.label in by_label]
    return (
        *_changes("the machine differs", _machine(current), _machine(baseline)),
        *_changes("the hosts of the launches differ", _hosts(current), _hosts(baseline), "nodes"),
        *(
            line
            for library in shared
            for line in _changes(
                f"library {library.label} differs", library_facts(library), library_facts(by_label[library.label]),
                f"library {library.label}"
            )
        ),
        *_changes("the launches differ", conditions(current), conditions(baseline)),
        *_changes("the measuring core differs", _core(current), _core(baseline), "measuring core"),
        *(line for library in shared for line in _environments(library.label, current, baseline)),
        *_changes("Ictus differs", {"version": current.ictus}, {"version": baseline.ictus}, "Ictus"),
    )  # fmt: skip


def _changes(
    what: str, here: Facts, baseline_facts: Facts, word: str | None = None, absent: str = _UNKNOWN
) -> Iterator[Difference]:
    """`what: name value against value, ...` for all names in which they differ; nothing where there is none. `word`
    stands for all of them.
    """
    both = {
        name: (here.get(name, absent), baseline_facts.get(name, absent))
        for name in dict.fromkeys((*here, *baseline_facts))
    }
    differing = {name: pair for name, pair in both.items() if pair[0] != pair[1] and _UNKNOWN not in pair}
    parts = [
        f"{_words(name)} {_short(current_text)} against {_short(baseline_text)}"
        for name, (current_text, baseline_text) in differing.items()
    ]
    if parts:
        names = tuple(map(_words, differing)) if word is None else (word,)
        yield Difference(f"{what}: {', '.join(parts)}", names)


def _words(name: str) -> str:
    """`cpu model` for `cpu_model`; the name of a variable stays as it is."""
    return name if name.startswith((*_SETTINGS, _PRELOAD)) else name.replace("_", " ")


def _machine(campaign: Campaign) -> Facts:
    facts = {name: campaign.machine.get(name) for name in _MACHINE}
    return {name: str(value) for name, value in facts.items() if value not in (None, "")}


def _hosts(campaign: Campaign) -> Facts:
    return {"hosts": _all(host.name for launch in campaign.launches for host in launch.record.hosts)}


def library_facts(library: Library) -> Facts:
    """What tells two builds of a library apart."""
    return {name: getattr(library, name) or _UNKNOWN for name in _LIBRARY}


def _core(campaign: Campaign) -> Facts:
    cores = [launch.record.head.core for launch in campaign.launches]
    return {name: _all(getattr(core, name) or _UNKNOWN for core in cores) for name in _CORE}


def _environments(label: str, current: Campaign, baseline: Campaign) -> Iterator[Difference]:
    here, baseline_facts = steady_settings(current, label), steady_settings(baseline, label)
    word = f"environment of {label}"
    yield from _changes(f"the {word} differs", here, baseline_facts, word, absent=_UNSET)


def steady_settings(campaign: Campaign, label: str) -> Facts:
    """Variables that are the same in all launches of a library; paths, which say where and not how, are left out."""
    records = [launch.record.head.environment for launch in campaign.launches if launch.mpi == label]
    names = sorted({name for record in records for name in record if name.startswith((*_SETTINGS, _PRELOAD))})
    values = {name: {record.get(name, _UNSET) for record in records} for name in names}
    steady = {name: settings.pop() for name, settings in values.items() if len(settings) == 1}
    return {name: value for name, value in steady.items() if "/" not in value or name == _PRELOAD}


def _all(texts: Iterable[str]) -> str:
    """The value that all launches have; where they differ among themselves, all values."""
    return " or ".join(sorted(set(texts)))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
