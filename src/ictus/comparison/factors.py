"""All factors of a campaign as groups of names and values: what must be known before a number is believed.

Values come from campaign.json and from every analysed launch.json. A value that all launches share is written once; one
that differs is written as a range, or with the number of launches that have it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from ictus.comparison.case_titles import label_of, operation_title
from ictus.comparison.clock_bounds import opening_bounds
from ictus.model.quantity import format_duration, format_size
from ictus.render.page import Fact, FactGroup

Document = Mapping[str, Any]


@dataclass(frozen=True)
class LaunchFacts:
    """What the factors of one analysed launch come from: its label, launch.json and command.json."""

    mpi: str
    n: int
    document: Document
    command: Document


def factor_groups(campaign: Document, launches: Sequence[LaunchFacts]) -> tuple[FactGroup, ...]:
    """All groups, in the order of the page."""
    documents = [launch.document for launch in launches]
    groups = [
        _campaign_group(campaign, launches),
        *(_library_group(library, launches) for library in campaign["libraries"]),
        _measurement_group(campaign, documents),
        _clock_group(documents),
        *_host_groups(documents),
        _pinning_group(launches),
        _contention_group(launches),
        _environment_group(launches),
        _control_group(launches),
    ]
    return tuple(group for group in groups if group.rows)


def _campaign_group(campaign: Document, launches: Sequence[LaunchFacts]) -> FactGroup:
    per_library = Counter((launch.mpi, launch.n) for launch in launches)
    measured = ", ".join(f"{count} × {mpi} n={n}" for (mpi, n), count in sorted(per_library.items()))
    total = sum(float(launch.document.get("elapsed_s") or 0.0) for launch in launches)
    rows = [
        Fact("created", str(campaign.get("created", "unknown"))),
        Fact("Ictus", str(campaign.get("ictus", "unknown"))),
        Fact("seed", str(campaign.get("seed", "unknown"))),
        Fact("launches analysed", measured or "none"),
        Fact("order", "libraries interleaved in randomised blocks, cases shuffled in each launch"),
        Fact("time measured", format_duration(total)),
        *(Fact("note", str(note)) for note in campaign.get("notes", ())),
    ]
    return FactGroup("Campaign", tuple(rows))


def _library_group(library: Document, launches: Sequence[LaunchFacts]) -> FactGroup:
    own = [launch for launch in launches if launch.mpi == library["label"]]
    mpi = [launch.document.get("mpi", {}) for launch in own]
    core = [launch.document.get("core", {}) for launch in own]
    commands = [" ".join(map(str, launch.command.get("command", ()))) for launch in own]
    rows = [
        Fact("library", counted(_first_line(one.get("library_version")) for one in mpi)),
        Fact("flavour, version", f"{library.get('flavour')} {library.get('version')}"),
        Fact("MPI standard", counted(one.get("standard") for one in mpi)),
        Fact("thread level", counted(one.get("thread_level") for one in mpi)),
        Fact("library built with", str(library.get("compiler") or "unknown")),
        Fact("core built with", counted(one.get("compiler") for one in core)),
        Fact("core's flags", counted(f"{one.get('flags')} ({one.get('build_type')})" for one in core)),
        Fact("core's sources", counted(one.get("source_hash") for one in core)),
        Fact("wrapper", str(library.get("wrapper", "unknown"))),
        Fact("launcher", str(library.get("launcher", "unknown"))),
        *([Fact("first command", commands[0])] if commands and commands[0] else []),
    ]
    return FactGroup(f"Library {library['label']}", tuple(rows))


def _measurement_group(campaign: Document, documents: Sequence[Document]) -> FactGroup:
    cases = [case for document in documents for case in document.get("cases", ())]
    options = [document.get("options", {}) for document in documents]

    windows = [case.get("window_s") for case in cases]
    attempted, valid, late, long = (
        sum(int(case.get(key) or 0) for case in cases) for key in ("attempted", "valid", "late", "long")
    )
    samples = f"{attempted} attempted, {valid} valid ({valid / attempted:.1%})" if attempted else "none"
    invalid = f", {late} late, {long} long" if late or long else ""
    keys = sorted({key for one in options for key in one})
    operations = dict.fromkeys(str(case["operation"]) for case in cases if "operation" in case)
    rows = [
        Fact("operations", ", ".join(operation_title({"operation": one}) for one in operations)),
        Fact("sizes", ranged((case.get("size_bytes") for case in cases), lambda size: format_size(int(size)))),
        Fact("processes", ", ".join(dict.fromkeys(str(document.get("n_ranks")) for document in documents))),
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
        Fact("in place", ", ".join(dict.fromkeys("yes" if case.get("in_place") else "no" for case in cases))),
        Fact("cache", _caches(cases)),
        Fact("start of all (procsync)", every(cases, "procsync")),
        *([Fact("window", ranged(windows, format_duration))] if any(w is not None for w in windows) else []),
        Fact("latency shown", every(cases, "headline")),
        Fact("payload validated", counted("yes" if case.get("validated") else "no" for case in cases)),
        Fact("samples", samples + invalid),
        *(Fact(key, counted(one.get(key) for one in options)) for key in keys),
    ]
    plan = campaign.get("plan", {})
    judged = [Fact(key, str(plan[key])) for key in ("level", "adjust") if plan.get(key) is not None]
    return FactGroup("Measurement", tuple(rows + judged))


def _caches(cases: Sequence[Document]) -> str:
    """The modes, those that empty a cache with its size."""
    known = [case for case in cases if case.get("cache") is not None]
    texts = dict.fromkeys(label_of("cache", case["cache"], case.get("cache_bytes")) for case in known)
    return ", ".join(texts) or "unknown"


def _clock_group(documents: Sequence[Document]) -> FactGroup:
    clocks = [document.get("clock", {}) for document in documents]
    blocks = [block for document in documents for block in document.get("blocks", ())]
    opening = [block["opening"] for block in blocks if block.get("opening")]
    closing = [block["closing"] for block in blocks if block.get("closing")]
    slopes = [abs(slope) for one in opening for slope in one.get("slope", ())]
    bounds = opening_bounds(documents)
    asked = [document.get("options", {}).get("clock-bound", "auto") for document in documents]
    rows = [
        Fact("clock", counted(one.get("spec") for one in clocks)),
        Fact("frequency", ranged((one.get("frequency_hz") for one in clocks), _frequency)),
        Fact("frequency from", counted(one.get("frequency_source") for one in clocks)),
        Fact("resolution", ranged((one.get("resolution_s") for one in clocks), format_duration)),
        Fact("synchronised by", counted(document.get("clocksync", {}).get("spec") for document in documents)),
        Fact("blocks, each synchronised", str(len(blocks))),
        Fact("time to synchronise", ranged((one.get("elapsed_s") for one in opening), format_duration)),
        Fact("messages", ranged((one.get("messages") for one in opening), lambda count: f"{count:.0f}")),
        Fact("largest drift found", f"{max(slopes) * 1e6:.3g} ppm" if slopes else "unknown"),
        *([Fact("proven bound as blocks began", ranged(bounds, format_duration))] if bounds else []),
        *([Fact("bound asked for", counted(asked))] if set(asked) - {"auto"} else []),
        *(Fact(f"residual at the end, {model}", _residuals(closing, key)) for model, key in _RESIDUALS.items()),
    ]
    return FactGroup("Clocks", tuple(rows))


_RESIDUALS = {"extrapolated": "residual_max_s", "interpolated": "interpolated_residual_max_s"}
"""The models that the closing measurement judges, and where launch.json has the largest residual of all ranks."""


def _residuals(closings: Sequence[Document], key: str) -> str:
    residuals = [float(one[key]) for one in closings if one.get(key) is not None]
    if not residuals:
        return "not measured"
    return f"median {format_duration(median(residuals))}, largest {format_duration(max(residuals))}"


def _host_groups(documents: Sequence[Document]) -> list[FactGroup]:
    seen: dict[str, list[Document]] = {}
    for document in documents:
        for host in document.get("hosts", ()):
            seen.setdefault(str(host.get("host")), []).append(host)
    return [FactGroup(f"Host {name}", _host_rows(hosts)) for name, hosts in seen.items()]


def _host_rows(hosts: Sequence[Document]) -> tuple[Fact, ...]:
    lows, highs = ([host.get(f"frequency_{end}_hz") for host in hosts] for end in ("min", "max"))
    loads = [
        (host.get("load_average") or [None])[0] if isinstance(host.get("load_average"), list) else None
        for host in hosts
    ]
    plain = ("cpu_model", "n_cpus", "smt", "governor", "turbo", "kernel", "clocksource")
    names = {
        "cpu_model": "processor",
        "n_cpus": "processors",
        "smt": "hyper-threading",
        "clocksource": "kernel's clock",
    }
    return (
        *(Fact(names.get(key, key), counted(host.get(key) for host in hosts)) for key in plain),
        Fact(
            "frequency range",
            f"{ranged(lows, _frequency)} to {ranged(highs, _frequency)}" if _known(lows) else "unknown",
        ),
        Fact("network", counted(", ".join(host.get("network") or ["unknown"]) for host in hosts)),
        Fact("load at start", ranged(loads, lambda load: f"{load:.2f}")),
        Fact("time stolen", ranged((host.get("steal_s") for host in hosts), format_duration)),
    )


def _pinning_group(launches: Sequence[LaunchFacts]) -> FactGroup:
    """Per library and number of processes: each rank with the cores it was really allowed."""
    rows = []
    for mpi, n in sorted({(launch.mpi, launch.n) for launch in launches}):
        ranks = [launch.document.get("ranks", ()) for launch in launches if (launch.mpi, launch.n) == (mpi, n)]
        lines = []
        for rank in range(min(n, 16)):
            own = [one[rank] for one in ranks if rank < len(one)]
            where = counted(f"{one.get('host')}, CPU {one.get('cpus_allowed')}" for one in own)
            lines.append(f"rank {rank}: {where}")
        rest = [f"and {n - 16} more ranks"] if n > 16 else []
        rows.append(Fact(f"{mpi}, n={n}", "\n".join(lines + rest)))
    return FactGroup("Pinning in force", tuple(rows))


def _control_group(launches: Sequence[LaunchFacts]) -> FactGroup:
    """Per library: control variables (MPI_T) with another value than in a launch with nothing set. Variables that only
    one of both has, because other components were loaded, are counted.
    """
    rows = []
    for mpi in dict.fromkeys(launch.mpi for launch in launches):
        found = [launch.command.get("differing_cvars") for launch in launches if launch.mpi == mpi]
        known = [one for one in found if isinstance(one, dict)]
        rows.append(Fact(mpi, _differences(known) if known else "unknown"))
    return FactGroup("Control variables that differ", tuple(rows))


def _differences(found: Sequence[Document]) -> str:
    both = sorted({name for one in found for name, values in one.items() if None not in values.values()})
    names = {name for one in found for name in one}
    usual = {"found": "as usual"}
    lines = [f"{name} = {counted(one.get(name, usual)['found'] for one in found)}" for name in both]
    rest = len(names) - len(both)
    if rest:
        lines.append(f"{rest} more belong to components that only one of both loads")
    return "\n".join(lines) or "none"


def _contention_group(launches: Sequence[LaunchFacts]) -> FactGroup:
    rows = []
    for mpi in dict.fromkeys(launch.mpi for launch in launches):
        found = [launch.document.get("contention", {}) for launch in launches if launch.mpi == mpi]
        shares = sorted(float(one["share"]) for one in found if isinstance(one.get("share"), (int, float)))
        marked = sum(bool(one.get("contended")) for one in found)
        crowded = sum(bool(one.get("oversubscribed")) for one in found)
        text = f"median {median(shares):.2%}, largest {shares[-1]:.2%}" if shares else "unknown"
        text += f"\n{marked} of {len(found)} launches contended" + (f", {crowded} oversubscribed" if crowded else "")
        rows.append(Fact(mpi, text))
    return FactGroup("CPU time taken by others", tuple(rows))


def _environment_group(launches: Sequence[LaunchFacts]) -> FactGroup:
    rows = []
    for mpi in dict.fromkeys(launch.mpi for launch in launches):
        found = [launch.document.get("environment", {}) for launch in launches if launch.mpi == mpi]
        names = sorted({name for one in found for name in one})
        text = "\n".join(f"{name}={counted(one.get(name, 'unset') for one in found)}" for name in names)
        rows.append(Fact(mpi, text or "nothing that matters is set"))
    return FactGroup("Environment", tuple(rows))


def _known(values: Sequence[object]) -> bool:
    return any(isinstance(value, (int, float)) for value in values)


def _frequency(hertz: float) -> str:
    return f"{hertz / 1e9:.4g} GHz" if hertz >= 1e9 else f"{hertz / 1e6:.4g} MHz"


def _first_line(text: object) -> str | None:
    return None if text is None else str(text).splitlines()[0].strip() if str(text) else "unknown"


def counted(values: Iterable[object]) -> str:
    """`a` where all values are equal, else `a (7), b (3)`: the most frequent first, equals in order of appearance."""
    texts = ["unknown" if value is None else str(value) for value in values]
    counts = Counter(texts).most_common()
    if not counts:
        return "unknown"
    return counts[0][0] if len(counts) == 1 else ", ".join(f"{text} ({count})" for text, count in counts)


def ranged(values: Iterable[float | None], text: Callable[[float], str]) -> str:
    """`a` where all known values read alike, else `a to b`; `unknown` where none is known."""
    known = sorted(value for value in values if isinstance(value, (int, float)))
    if not known:
        return "unknown"
    low, high = text(known[0]), text(known[-1])
    return low if low == high else f"{low} to {high}"


def every(cases: Sequence[Mapping[str, Any]], key: str) -> str:
    """All values of a key, each once; `none` where it has no meaning for any case, `unknown` where nobody says."""
    found = [case[key] for case in cases if key in case]
    known = dict.fromkeys(str(value) for value in found if value is not None)
    return ", ".join(known) or ("none" if found else "unknown")
