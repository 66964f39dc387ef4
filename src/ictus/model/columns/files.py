"""The columns of the tables in a campaign folder and of the frames in Python: each with its meaning."""

from ictus.model.columns.meaning import ColumnTable
from ictus.model.columns.shared import CASE, COMMON

_SAMPLE = {
    "slot": "number of the launch",
    "mpi": "label of the library",
    "n": "processes of the launch",
    "algorithm": "the library's variant: its own choice is `default`",
    "operation": "operation of the case",
    "size_bytes": "total volume of the largest buffer of one process",
    "procsync": "how ranks were started together",
    "case_id": "number of the case in campaign.json",
    "repetition": "number of the repetition of the case, from 0, invalid ones included",
    "flags": "0 valid; 1 late, 2 long, 4 rejected, added up",
    "start": "first start, since the epoch of the launch",
    "makespan": "first start to last end on the global clock",
    "local_max": "largest of the processes' own durations",
    "local_mean": "mean of the processes' own durations",
    "local_min": "smallest of the processes' own durations",
    "root": "duration of the root",
    "start_skew": "last start minus first",
    "clock_bound": "proven error of the global clock",
}
_TIMES = ("start", "makespan", "local_max", "local_mean", "local_min", "root", "start_skew", "clock_bound")
_SUMMARY = {
    "headline": "the field of a sample that the case's number is made of",
    "outliers": "valid samples outside Tukey's fences",
    "kept": "valid samples inside the fences",
    "median": "median of the kept samples",
    "mean": "mean of the kept samples",
    "min": "smallest kept sample",
    "max": "largest kept sample",
    "q1": "first quartile of the kept samples",
    "q3": "third quartile of the kept samples",
    "half_shift": "second half over the first, minus 1",
    "shift_matters": "whether the shift is significant",
    "start_skew": "median start skew of the valid samples",
    "clock_bound": "largest proven error of the global clock",
    "contended": "whether others used the cores",
    "metric": "how a sample is reduced over its processes: `makespan`, `max`, ...",
    "too_few": "kept samples of the launch that has fewest, where that is too few for the summary",
    "value": "the launch's number",
}
_SUMMARY_NAMES = (
    "attempted valid late long outliers kept median mean min max q1 q3 half_shift shift_matters start_skew "
    "clock_bound contended"
)
_SUMMARY_TIMES = ("median", "mean", "min", "max", "q1", "q3", "start_skew", "clock_bound", "value")
_SHARED = {**COMMON, **_SAMPLE}


def _named(names: str) -> dict[str, str]:
    """The columns `names`, in their order."""
    return {name: (_SHARED | _SUMMARY)[name] for name in names.split()}


FILES = (
    ColumnTable(
        "samples.parquet",
        "every launch, and `campaign.samples` of all launches: a row for each repetition",
        _SAMPLE,
        dict.fromkeys(_TIMES, "s"),
    ),
    ColumnTable(
        "summary.parquet",
        "every launch: a row for each case; null where no sample is valid",
        _named(f"slot mpi n algorithm case_id headline {_SUMMARY_NAMES}"),
        dict.fromkeys(_SUMMARY_TIMES, "s"),
    ),
    ColumnTable(
        "campaign.summaries",
        "the same of all launches in Python, as a reduction makes it",
        _named(f"slot mpi n algorithm case_id {_SUMMARY_NAMES} metric too_few value"),
        dict.fromkeys(_SUMMARY_TIMES, "s"),
    ),
    ColumnTable(
        "cases.npy",
        "every launch: a row for each case, in measuring order",
        {
            **{name: COMMON[name] for name in ("case_id", "operation")},
            "mpi_name": "name of the call in MPI",
            **{name: COMMON[name] for name in ("size_bytes", "block_bytes", "moved_bytes")},
            "count": "elements of the call's count",
            **{name: COMMON[name] for name in ("datatype", "operator")},
            "root": "rank of the root; -2: rotating, -1: none",
            "timed_root": "rank whose duration a sample has as `root`, in the same form",
            "in_place": "1 where MPI_IN_PLACE replaces a buffer",
            **{name: COMMON[name] for name in ("layout", "comm")},
            "comm_size": "processes that call together",
            **{name: COMMON[name] for name in ("counts", "procsync", "scheme", "repetition", "cache", "cache_bytes")},
            "warmup": COMMON["warmup"],
            "calls": "calls that one sample is made of; times are those of one call",
            "set_up_s": "what was made before the first call, and how long that took on the slowest rank: `window=0.1`",
            "validated": "whether its results were checked",
            "block": "row of blocks.npy",
            "headline": "field of a sample that is its latency unless another metric is asked for",
            **{name: COMMON[name] for name in ("attempted", "valid", "late", "long", "rejected")},
            "window_s": "window of the last batch",
            "started_s": "when the case began, since the launch's beginning",
            "elapsed_s": "how long the case took",
        },
    ),
    ColumnTable(
        "case_ranks.npy",
        "every launch: a row for each case, a column for each rank; of its own durations over the valid samples",
        {
            "n": "valid samples; 0 for a rank that takes no part",
            "mean_s": "mean duration",
            "min_s": "shortest duration",
            "max_s": "longest duration",
            "median_s": "median duration",
        },
    ),
    ColumnTable(
        "blocks.npy",
        "every launch: a row for each block, with the clock measurements that open and close it",
        {
            f"{end}_{name}": f"{text} at the block's {when}"
            for end, when in (("opening", "beginning"), ("closing", "end"))
            for name, text in (
                ("elapsed_s", "duration of the clock measurement"),
                ("messages", "messages of the clock measurement"),
                ("bound_s", "largest proven error of any rank's clock"),
            )
        }
        | {
            "residual_max_s": "largest residual of any rank, without sign",
            "interpolated_residual_max_s": "largest residual of the model that maps the stamps, without sign",
        },
    ),
    ColumnTable(
        "clocks.npy",
        "every launch: a row for each block, a column for each rank",
        {
            "slope": "drift against rank 0, seconds per second",
            "intercept_s": "offset to rank 0",
            "slope_error": "standard error of the slope",
            "bound_s": "proven error of the rank's global time as the block begins",
            "residual_s": "how wrong the opening model had become by the end, signed",
            "interpolated_residual_s": "what was left of the model that maps the stamps, signed",
            "closing_bound_s": "proven error as the block ends",
        },
    ),
    ColumnTable(
        "ranks.npy",
        "every launch: a row for each rank",
        {
            "host": "row of hosts.npy",
            "node": "what the batch system calls the host; else the host",
            "pid": "number of the process",
            "epoch_ticks": "reading of the rank's counter from which its local times count",
            "cpu": "the CPU that it ran on",
            "cpus_allowed": "the CPUs that it may use",
            "cpu_time_s": "CPU time that it used",
            "run_queue_delay_s": "time that it was ready and waited for a CPU",
            "elapsed_s": "time in which that was observed",
            "max_rss_bytes": "largest resident memory",
            "voluntary_switches": "voluntary context switches",
            "involuntary_switches": "involuntary context switches",
            "page_faults": "page faults",
            "keeps_freed_memory": "1 where freed memory stays with the process",
            "domain_leader": "first rank that was found to read the same counter",
        },
    ),
    ColumnTable(
        "hosts.npy",
        "every launch: a row for each host",
        {
            "name": "name of the host",
            "n_ranks": "ranks on it",
            "kind": "index into `kinds` of launch.json",
            "load_average_1": "load average over 1 minute",
            "load_average_5": "load average over 5 minutes",
            "load_average_15": "load average over 15 minutes",
            "steal_s": "time that the hypervisor took",
            "busy_s": "time in which CPUs were busy",
        },
    ),
    ColumnTable(
        "campaign.cases",
        "a row for each case in Python",
        {name: meaning for name, meaning in CASE.items() if name != "algorithm"},
    ),
)
"""All of them."""
