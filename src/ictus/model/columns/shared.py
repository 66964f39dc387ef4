"""Meanings that tables share, so that each is written once, and the ways to declare a table."""

import re
from collections.abc import Collection, Mapping

from ictus.model.columns.meaning import ColumnTable

CASE = {
    "case_id": "number of the case in campaign.json",
    "operation": "what was measured (`ictus list operations`)",
    "size_bytes": "total volume of the largest buffer of one process",
    "block_bytes": "the block that was used",
    "moved_bytes": "the volume that was used, rounded up to whole blocks",
    "cache_bytes": "size of the cache that was to be cold",
    "n": "processes of the launch",
    "nodes": "nodes of the launch; 0: as the launcher placed",
    "ppn": "processes on each node; 0: as the launcher placed",
    "datatype": "datatype of the payload",
    "operator": "reduction operator",
    "root": "rank of the root, or `rotating`",
    "procsync": "how ranks were started together",
    "scheme": "how calls followed each other",
    "repetition": "rule by which a case had enough repetitions",
    "cache": "state of the caches",
    "clock": "where ranks read their time",
    "clocksync": "how clocks were synchronised",
    "warmup": "calls before the first sample",
    "counts": "how blocks differ in size",
    "layout": "how elements lie in memory",
    "comm": "which processes call together",
    "in_place": "`yes` where MPI_IN_PLACE replaces a buffer",
    "algorithm": "the library's variant: its own choice is `default`",
}
"""The factors of a case, flat or as the object `case`."""

LAUNCH = {
    "heap": "what becomes of memory that a process frees",
    "pin": "where ranks are placed",
    "map-by": "what consecutive ranks take in turn",
    "launcher-options": "further words for the launcher",
    "core-flags": "further flags that the core was built with",
    "governor": "governor of the processors' frequency",
    "env.NAME": "the variable NAME, in a column of its own for each variable that varies",
}
"""Factors of a launch, which a case has too where several values were measured."""

COMMON = {
    **CASE,
    **LAUNCH,
    "mpi": "label of the library",
    "case": "object with the factors of the case",
    "n_launches": "launches",
    "launches": "launches",
    "n_ranks": "processes",
    "median_s": "median over launches of the launches' numbers",
    "low_s": "lower limit of the 95 % interval of the median",
    "high_s": "upper limit of the 95 % interval of the median",
    "min_s": "smallest number of a launch",
    "max_s": "largest number of a launch",
    "attempted": "samples that were taken, valid or not",
    "valid": "valid samples",
    "valid_share": "valid samples of all that were taken",
    "late": "samples for which a process came to the start after the deadline",
    "long": "samples that took longer than their window",
    "rejected": "samples of batches that the start's own rule took again",
    "outlier_share": "share of the valid samples outside Tukey's fences",
    "start_skew_s": "median over launches of the median start skew: last start minus first",
    "clock_bound_s": "largest proven error of the global clock",
    "near_clock_bound": "whether the median is less than ten times that error",
    "metric": "how a sample was reduced over its processes: `makespan`, `max`, ...",
    "summary": "how the samples of a launch became one number: `median`, ...",
    "outliers": "factor of Tukey's fences; null: no sample was left out",
    "too_few": "samples of the launch that has fewest, where that is too few for the summary; else null",
    "heap_matters": "whether page faults of a call depend on the heap",
    "messages": "messages of one call, all pairs together; 0 where it is not a window of messages",
    "messages_per_s": "message rate of all pairs together; null where a call is not a window of messages",
    "bytes_per_s": "bandwidth of all pairs together; null where a call is not a window of messages",
    "ratio": "A/B by Hodges and Lehmann, of `welch` that of geometric means; below 1, A is faster",
    "ratio_low": "lower limit of its 95 % interval (1 - level)",
    "ratio_high": "upper limit of its 95 % interval (1 - level)",
    "p_value": "p-value of this case alone",
    "p_less": "one-sided p-value for A being faster",
    "p_greater": "one-sided p-value for A being slower",
    "p_adjusted": "p-value adjusted for all cases judged together",
    "p_valid": "p-value that is valid over all looks of a growing campaign; null for a fixed number of launches",
    "stars": "stars of the adjusted p-value, where the sides differ",
    "verdict": "A against B: `faster`, `slower`, `same`, `distributions-differ`, `undecided`, `cannot-decide`, "
    "`apart`, `not-comparable` or `missing`",
    "spec": "the algorithm with all its parameters",
    "rank": "rank in MPI_COMM_WORLD",
    "host": "name of the host",
    "wait_s": "time after synchronising",
    "elapsed_s": "duration of the launch",
    "name": "name",
    "source": "where the idea comes from",
    "reason": "why it cannot be judged or had; empty otherwise",
    "mode": "mode of the machine, from 1; null: not told apart",
    "state": "state",
}
"""Meanings that all tables share."""


_LIMIT = re.compile(r"_(low|high)(?=_s$|$)")
_LIMITS = {"low": "lower", "high": "upper"}


def _shared(name: str, names: Collection[str]) -> str:
    """The meaning that all tables share; a limit of an interval is told by its name, beside the value's own column."""
    for key in (name, name.rpartition(".")[2]):
        if key in COMMON:
            return COMMON[key]
    limit = _LIMIT.search(name)
    if limit is None or _LIMIT.sub("", name) not in names:
        raise KeyError(f"nothing says what column '{name}' means")
    return f"{_LIMITS[limit[1]]} limit of its 95 % interval"


def row_table(schema: str, about: str, names: str, /, **meanings: str) -> ColumnTable:
    """A table with the columns `names`; those without a meaning of their `meanings` have the shared one."""
    return nested_table(schema, about, {name: meanings.get(name, "") for name in names.split()})


def nested_table(
    name: str, source: str, columns: Mapping[str, str], units: Mapping[str, str] | None = None
) -> ColumnTable:
    """A table whose names are written with their meanings; an empty meaning is the shared one of the last part."""
    full = {key: text or _shared(key, columns) for key, text in columns.items()}
    return ColumnTable(name, source, full, units or {})


def with_interval(**columns: str) -> dict[str, str]:
    """Each column, then the limits of its interval, `NAME_low` and `NAME_high`."""
    return {name + end: "" if end else text for name, text in columns.items() for end in ("", "_low", "_high")}
