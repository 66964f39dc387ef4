"""All factors of a campaign as groups of names and values: what a reader must know before believing a number.

Values come from campaign.json and from every analysed launch. A value that all launches share is written once; one that
differs is written as a range, or with the number of launches that have it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from ictus.comparison.case_titles import label_of, operation_title
from ictus.comparison.clock_bounds import opening_bounds
from ictus.comparison.shared_values import counted, ranged
from ictus.comparison.variables import variable_groups
from ictus.comparison.warnings import unchecked_text
from ictus.model.quantity import format_duration, format_size
from ictus.render.page import Fact, FactGroup
from ictus.store.launch_record import Host, LaunchRecord, MeasuredCase

Document = Mapping[str, Any]


@dataclass(frozen=True)
class LaunchFacts:
    """The sources of one analysed launch's factors: its label, its record and command.json."""

    mpi: str
    n: int
    record: LaunchRecord
    command: Document
    checked: bool
    """Whether the journal has checksums of its files."""


def factor_groups(campaign: Document, launches: Sequence[LaunchFacts]) -> tuple[FactGroup, ...]:
    """All groups, in the order of the page."""
    records = [launch.record for launch in launches]
    groups = [
        _campaign_group(campaign, launches),
        *(_library_group(library, launches) for library in campaign["libraries"]),
        _measurement_group(campaign, records),
        _clock_group(records),
        *_host_groups(records),
        _pinning_group(launches),
        _contention_group(launches),
        *variable_groups(campaign["libraries"], [(launch.mpi, launch.record) for launch in launches]),
        _control_group(launches),
    ]
    return tuple(group for group in groups if group.rows)


def _campaign_group(campaign: Document, launches: Sequence[LaunchFacts]) -> FactGroup:
    per_library = Counter((launch.mpi, launch.n) for launch in launches)
    measured = ", ".join(f"{count} × {mpi} n={n}" for (mpi, n), count in sorted(per_library.items()))
    unchecked = sum(not launch.checked for launch in launches)
    total = sum(launch.record.head.elapsed_s or 0.0 for launch in launches)
    rows = [
        Fact("created", str(campaign.get("created", "unknown"))),
        Fact("Ictus", str(campaign.get("ictus", "unknown"))),
        Fact("seed", str(campaign.get("seed", "unknown"))),
        Fact("launches analysed", measured or "none"),
        Fact("order", "libraries interleaved in randomised blocks, cases shuffled in each launch"),
        Fact("time measured", format_duration(total)),
        Fact(
            "files",
            unchecked_text(unchecked, len(launches)) if unchecked else "all files that were read match their checksums",
        ),
        *(Fact("note", str(note)) for note in campaign.get("notes", ())),
    ]
    return FactGroup("Campaign", tuple(rows))


def _library_group(library: Document, launches: Sequence[LaunchFacts]) -> FactGroup:
    launches_of_library = [launch for launch in launches if launch.mpi == library["label"]]
    mpi = [launch.record.head.mpi for launch in launches_of_library]
    core = [launch.record.head.core for launch in launches_of_library]
    commands = [" ".join(map(str, launch.command.get("command", ()))) for launch in launches_of_library]
    rows = [
        Fact("library", counted(_first_line(facts.library_version) for facts in mpi)),
        Fact("flavour, version", f"{library.get('flavour')} {library.get('version')}"),
        Fact("MPI standard", counted(mpi_facts.standard for mpi_facts in mpi)),
        Fact("thread level", counted(mpi_facts.thread_level for mpi_facts in mpi)),
        Fact("library built with", str(library.get("compiler") or "unknown")),
        Fact("core built with", counted(build.compiler for build in core)),
        Fact("core's flags", counted(f"{core_build.flags} ({core_build.build_type})" for core_build in core)),
        Fact("core's sources", counted(build.source_hash for build in core)),
        Fact("wrapper", str(library.get("wrapper", "unknown"))),
        Fact("launcher", str(library.get("launcher", "unknown"))),
        *([Fact("first command", commands[0])] if commands and commands[0] else []),
    ]
    return FactGroup(f"Library {library['label']}", tuple(rows))


def _measurement_group(campaign: Document, records: Sequence[LaunchRecord]) -> FactGroup:
    cases = [case for record in records for case in record.cases]
    options = [record.head.options for record in records]

    windows = [case.window_s for case in cases]
    attempted, valid, late, long = (
        sum(getattr(case, key) for case in cases) for key in ("attempted", "valid", "late", "long")
    )
    samples = f"{attempted:,} attempted, {valid:,} valid ({valid / attempted:.1%})" if attempted else "none"
    invalid = f", {late:,} late, {long:,} overrun" if late or long else ""
    keys = sorted({key for option in options for key in option})
    operations = dict.fromkeys(case.operation for case in cases)
    rows = [
        Fact("operations", ", ".join(operation_title({"operation": operation}) for operation in operations)),
        Fact("sizes", ranged((case.size_bytes for case in cases), lambda size: format_size(int(size)))),
        Fact("processes", ", ".join(dict.fromkeys(str(record.n_ranks) for record in records))),
        *(
            Fact(key, every(cases, key))
            for key in (
                "datatype",
                "operator",
                "comm",
                "root",
                "counts",
                "layout",
                "scheme",
                "repetition",
                "warmup",
            )
        ),
        Fact("in place", ", ".join(dict.fromkeys("yes" if case.in_place else "no" for case in cases))),
        Fact("cache", _caches(cases)),
        Fact("start of all (procsync)", every(cases, "procsync")),
        *([Fact("window", ranged(windows, format_duration))] if any(w is not None for w in windows) else []),
        Fact("latency of auto", every(cases, "headline")),
        Fact("payload validated", counted("yes" if case.validated else "no" for case in cases)),
        Fact("samples", samples + invalid),
        *(Fact(key, counted(operation.get(key) for operation in options)) for key in keys),
    ]
    plan = campaign.get("plan", {})
    judged = [Fact(key, str(plan[key])) for key in ("level", "adjust") if plan.get(key) is not None]
    return FactGroup("Measurement", tuple(rows + judged))


def _caches(cases: Sequence[MeasuredCase]) -> str:
    """The modes, those that empty a cache with its size."""
    texts = dict.fromkeys(label_of("cache", case.cache, case.cache_bytes) for case in cases)
    return ", ".join(texts) or "unknown"


def _clock_group(records: Sequence[LaunchRecord]) -> FactGroup:
    clocks = [record.head.clock for record in records]
    slopes = np.abs(np.concatenate([np.empty(0), *(record.clocks["slope"].ravel() for record in records)]))
    drifts = slopes[np.isfinite(slopes)]
    bounds = opening_bounds(records)
    bounds_asked, errors_asked = (
        [record.head.options.get(goal, "auto") for record in records] for goal in ("clock-bound", "clock-error")
    )
    rows = [
        Fact("clock", counted(clock.spec for clock in clocks)),
        Fact("frequency", ranged((facts.frequency_hz for facts in clocks), _frequency)),
        Fact("frequency from", counted(clock_facts.frequency_source for clock_facts in clocks)),
        Fact("resolution", ranged((clock_facts.resolution_s for clock_facts in clocks), format_duration)),
        Fact("synchronised by", counted(record.head.clocksync.spec for record in records)),
        Fact("blocks, each synchronised", str(sum(len(record.blocks) for record in records))),
        Fact("time to synchronise", ranged(_of_blocks(records, "opening_elapsed_s"), format_duration)),
        Fact("messages", ranged(_of_blocks(records, "opening_messages"), lambda count: f"{count:.0f}")),
        Fact("largest drift found", f"{drifts.max() * 1e6:.3g} ppm" if drifts.size else "unknown"),
        *([Fact("proven bound as blocks began", ranged(bounds, format_duration))] if bounds else []),
        *([Fact("bound asked for", counted(bounds_asked))] if set(bounds_asked) - {"auto"} else []),
        *([Fact("standard error asked for", counted(errors_asked))] if set(errors_asked) - {"auto"} else []),
        *(Fact(f"residual at the end, {model}", _residuals(records, key)) for model, key in _RESIDUALS.items()),
    ]
    return FactGroup("Clocks", tuple(rows))


_RESIDUALS = {"as learnt": "residual_max_s", "as stamps are mapped": "interpolated_residual_max_s"}
"""The models that the closing measurement judges, and where blocks.npy has the largest residual of all ranks."""


def _of_blocks(records: Sequence[LaunchRecord], column: str) -> list[float]:
    """The known values of a column of all blocks."""
    values = [value for record in records for value in record.blocks[column].tolist()]
    return [value for value in values if value >= 0]  # neither NaN nor -1


def _residuals(records: Sequence[LaunchRecord], key: str) -> str:
    residuals = _of_blocks(records, key)
    if not residuals:
        return "not measured"
    return f"median {format_duration(median(residuals))}, largest {format_duration(max(residuals))}"


def _host_groups(records: Sequence[LaunchRecord]) -> list[FactGroup]:
    by_name: dict[str, list[Host]] = {}
    for record in records:
        for host in record.hosts:
            by_name.setdefault(host.name, []).append(host)
    return [FactGroup(f"Host {name}", _host_rows(hosts)) for name, hosts in by_name.items()]


def _host_rows(hosts: Sequence[Host]) -> tuple[Fact, ...]:
    lows, highs = ([host.kind.get(f"frequency_{end}_hz") for host in hosts] for end in ("min", "max"))
    plain = ("cpu_model", "n_cpus", "smt", "governor", "turbo", "kernel", "clocksource")
    names = {
        "cpu_model": "processor",
        "n_cpus": "processors",
        "smt": "hyper-threading",
        "clocksource": "kernel's clock",
    }
    return (
        *(Fact(names.get(key, key), counted(host.kind.get(key) for host in hosts)) for key in plain),
        Fact(
            "frequency range",
            f"{ranged(lows, _frequency)} to {ranged(highs, _frequency)}" if _known(lows) else "unknown",
        ),
        Fact("network", counted(", ".join(host.kind.get("network") or ["unknown"]) for host in hosts)),
        Fact("load at start", ranged((host.load_average_1 for host in hosts), lambda load: f"{load:.2f}")),
        Fact("time stolen", ranged((host.steal_s for host in hosts), format_duration)),
    )


def _pinning_group(launches: Sequence[LaunchFacts]) -> FactGroup:
    """Per library and number of processes: each rank with the cores it was really allowed."""
    rows = []
    for mpi, n in sorted({(launch.mpi, launch.n) for launch in launches}):
        records = [launch.record for launch in launches if (launch.mpi, launch.n) == (mpi, n)]
        lines = []
        for rank in range(min(n, 16)):
            where = counted(_cpus(record, rank) for record in records if rank < len(record.ranks))
            lines.append(f"rank {rank}: {where}")
        unlisted = [f"and {n - 16} more ranks"] if n > 16 else []
        rows.append(Fact(f"{mpi}, n={n}", "\n".join(lines + unlisted)))
    return FactGroup("Pinning in force", tuple(rows))


def _cpus(record: LaunchRecord, rank: int) -> str:
    """The host of a rank, and the CPUs that it was allowed."""
    host = int(record.ranks["host"][rank])
    name = record.hosts[host].name if host >= 0 else "unknown"
    return f"{name}, CPU {record.ranks['cpus_allowed'][rank].decode()}"


def _control_group(launches: Sequence[LaunchFacts]) -> FactGroup:
    """Per library: control variables (MPI_T) with another value than in a launch with nothing set. Variables that only
    one of both has, because other components were loaded, are counted.
    """
    rows = []
    for mpi in dict.fromkeys(launch.mpi for launch in launches):
        documents = [launch.command.get("differing_cvars") for launch in launches if launch.mpi == mpi]
        known_documents = [document for document in documents if isinstance(document, dict)]
        rows.append(Fact(mpi, _differences(known_documents) if known_documents else "unknown"))
    return FactGroup("Control variables that differ", tuple(rows))


def _differences(documents: Sequence[Document]) -> str:
    both = sorted({name for document in documents for name, values in document.items() if None not in values.values()})
    names = {name for document in documents for name in document}
    unlike = {"found": "as usual"}
    lines = [f"{name} = {counted(document.get(name, unlike)['found'] for document in documents)}" for name in both]
    n_unshared = len(names) - len(both)
    if n_unshared:
        lines.append(f"{n_unshared} more belong to components that only one of both loads")
    return "\n".join(lines) or "none"


def _contention_group(launches: Sequence[LaunchFacts]) -> FactGroup:
    rows = []
    for mpi in dict.fromkeys(launch.mpi for launch in launches):
        contentions = [launch.record.head.contention for launch in launches if launch.mpi == mpi]
        shares = sorted(facts.share for facts in contentions if facts.share is not None)
        marked = sum(bool(facts.contended) for facts in contentions)
        crowded = sum(bool(facts.oversubscribed) for facts in contentions)
        text = f"median {median(shares):.2%}, largest {shares[-1]:.2%}" if shares else "unknown"
        text += f"\n{marked} of {len(contentions)} launches contended" + (
            f", {crowded} oversubscribed" if crowded else ""
        )
        rows.append(Fact(mpi, text))
    return FactGroup("CPU time taken by others", tuple(rows))


def _known(values: Sequence[object]) -> bool:
    return any(isinstance(value, (int, float)) for value in values)


def _frequency(hertz: float) -> str:
    return f"{hertz / 1e9:.4g} GHz" if hertz >= 1e9 else f"{hertz / 1e6:.4g} MHz"


def _first_line(text: object) -> str | None:
    return None if text is None else str(text).splitlines()[0].strip() if str(text) else "unknown"


def every(cases: Sequence[MeasuredCase], key: str) -> str:
    """All values of a field, each once; `none` where it has no meaning for any case."""
    values = (getattr(case, key) for case in cases)
    return (
        ", ".join(dict.fromkeys("unknown" if value == -1 else str(value) for value in values if value is not None))
        or "none"
    )
