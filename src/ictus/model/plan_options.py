"""The options of a campaign, each declared once: plan files, command lines, Python and plan.md derive from them.

Type, limits and default are those of the `Plan` field with the same key. What says how ranks are started is in
model/launch_options.py.
"""

from ictus.model.launch_options import LAUNCH_OPTIONS
from ictus.model.library import NO_CONTROL
from ictus.model.option import Kind, Option

__all__ = ["BY_KEY", "PLAN_OPTIONS", "Kind", "Option"]

PLAN_OPTIONS = (
    Option(
        "mpi",
        (
            "--mpi",
            "-m",
        ),
        "each",
        "[LABEL=]WHICH",
        "A library by label, flavour or wrapper; repeatable.",
        "new=/opt/mpich/bin/mpicc",
        "what is found",
    ),
    Option(
        "control",
        ("--control",),
        "text",
        "LABEL",
        "The library that stays the same: a later `ictus compare` with another campaign uses it as control.",
        "openmpi",
        NO_CONTROL,
    ),
    Option(
        "op",
        ("--op",),
        "text",
        "NAME,...",
        "Operations (ictus list operations), or all that the libraries have.",
        "bcast,allreduce",
    ),
    Option(
        "plugin",
        ("--plugin",),
        "each",
        "FILE",
        "A library, or a C, C++ or Fortran source, with operations of your own (ictus/operation.h); repeatable.",
        "./libmine.so",
    ),
    Option("sizes", ("--sizes",), "text", "SIZES", "Sizes: 8..64Ki, 8,100,4Ki or paper.", "8..64Ki", "8..64Ki"),
    Option(
        "size-is",
        ("--size-is",),
        "text",
        "total|block",
        "What a size means: the whole of the largest buffer, or one block of it.",
        "block",
    ),
    Option("n", ("-n",), "text", "COUNT,...", "Numbers of processes.", "2,4"),
    Option(
        "nodes",
        ("--nodes",),
        "text",
        "COUNT,...",
        "Numbers of nodes, crossed with --ppn. A node is what the batch system calls a node.",
        "1,2,4",
        "as the launcher places",
    ),
    Option(
        "ppn",
        ("--ppn",),
        "text",
        "COUNT,...",
        "Numbers of processes on each node; -n then follows.",
        "1,8,32",
        "as the launcher places",
    ),
    Option(
        "launches", ("--launches",), "count", "COUNT", "Launches of each library: the sample of a test.", "20", least=1
    ),
    Option(
        "until",
        ("--until",),
        "text",
        "GOAL",
        "Add launches until half of the 95 % interval is at most this: '1 %' of each median, 'ratio 2 %' of each "
        "ratio of libraries or algorithms, 'ratio 2 % by procsync' of each ratio of a factor's values. "
        "--launches is then the smallest number, --nrep the largest. Or until every comparison has its verdict: "
        "'decided', 'decided within 3 % by procsync' (default: 5 %); --launches is then the largest number "
        "(default: 80).",
        "ratio 2%",
    ),
    Option(
        "time-budget",
        ("--time-budget",),
        "text",
        "TIME",
        "With --until: time in launches, as 90s, 10min or 2h; the reached precision is reported.",
        "10min",
    ),
    Option(
        "over",
        ("--over",),
        "text",
        "TIME",
        "Spread the launches over this time, as 10min or 2h: blocks of one launch of each library begin at random "
        "times, so that a verdict holds for more than a moment of the machine.",
        "2h",
    ),
    Option(
        "nrep",
        ("--nrep",),
        "text",
        "COUNT|FOLDER|auto",
        "Valid repetitions of a case in a launch: a number, a folder of ictus nrep, or predicted first: "
        "'auto(max=1000,launches=3)' (ictus list repetition nrep).",
        "500",
        "1000",
    ),
    Option("datatype", ("--datatype",), "text", "NAME", "Datatype of the payload.", "float"),
    Option(
        "operator",
        ("--operator",),
        "text",
        "NAME",
        "Reduction operator: MPI's, user(sum), ... or user(affine).",
        "max",
        "sum for double",
    ),
    Option(
        "comm",
        ("--comm",),
        "names",
        "NAME,...",
        "Which processes call together (ictus list comm); crossed.",
        "world,hosts(2)",
    ),
    Option(
        "root",
        ("--root",),
        "text",
        "RANK,...",
        "Root of rooted operations, or rotating: a different root in each repetition; several are crossed.",
        "0,rotating",
    ),
    Option(
        "in-place",
        ("--in-place",),
        "text",
        "no|yes|no,yes",
        "Whether calls use MPI_IN_PLACE, if an operation allows it.",
        "no,yes",
    ),
    Option(
        "layout",
        ("--layout",),
        "names",
        "NAME,...",
        "How elements lie in memory, by derived datatypes (ictus list layout); several are crossed.",
        "basic,vector",
    ),
    Option(
        "counts",
        ("--counts",),
        "names",
        "NAME,...",
        "How blocks differ in size (ictus list counts); several crossed.",
        "equal,one",
    ),
    Option(
        "clock",
        ("--clock",),
        "text",
        "NAME,...",
        "Clock that ranks read; several are measured in separate launches.",
        "monotonic",
    ),
    Option(
        "clock-domain",
        ("--clock-domain",),
        "text",
        "auto|host|rank",
        "Which ranks read the same counter; this is verified.",
        "rank",
    ),
    Option(
        "clocksync",
        ("--clocksync",),
        "text",
        "NAME,...",
        "How clocks are synchronised; several are measured in separate launches.",
        "ictus,hca3",
    ),
    Option(
        "clock-bound",
        ("--clock-bound",),
        "text",
        "TIME",
        "Synchronise until the proven error of every clock is at most this; the bound that was reached is reported.",
        "1us",
    ),
    Option(
        "clock-error",
        ("--clock-error",),
        "text",
        "TIME",
        "Synchronise until the standard error of every clock, 5 s later, is at most this; the reached one is reported.",
        "50ns",
    ),
    Option(
        "procsync",
        ("--procsync",),
        "names",
        "NAME,...",
        "How ranks are started together; several are compared.",
        "window,barrier",
    ),
    Option(
        "methods",
        ("--methods",),
        "names",
        "PROCSYNC[/SCHEME[/REPETITION]],...",
        "Several ways to measure each case in the same launches, instead of the three options of these names.",
        "window,barrier/per-call",
    ),
    Option(
        "algorithm",
        ("--algorithm",),
        "each",
        "[LABEL:]OP=NAME,...",
        "The library's own algorithms for an operation (ictus list algorithms -m LIBRARY), each in "
        "launches of its own; default: its own choice. Repeatable, crossed.",
        "bcast=binomial,default",
    ),
    Option(
        "scheme", ("--scheme",), "text", "NAME", "How calls follow each other (ictus list scheme).", "one-loop(k=10)"
    ),
    Option(
        "cache",
        ("--cache",),
        "names",
        "NAME,...",
        "State of the caches (ictus list cache); several are compared.",
        "warm,cold-memset",
    ),
    Option(
        "repetition",
        ("--repetition",),
        "text",
        "NAME",
        "When a case has enough repetitions (ictus list repetition).",
        "fixed(nrep=500)",
    ),
    Option("warmup", ("--warmup",), "count", "COUNT", "Warm-up calls before the first sample.", "50"),
    Option("seed", ("--seed",), "count", "NUMBER", "Seed of every random order.", "7", "drawn", least=0),
    Option(
        "block-time",
        ("--block-time",),
        "text",
        "TIME",
        "How often a block of cases ends and its clocks are checked.",
        "2s",
        "5s",
    ),
    Option("resync-time", ("--resync-time",), "text", "TIME", "How often clocks are synchronised again.", "30s", "60s"),
    Option("level", ("--level",), "share", "SHARE", "Chance of a false verdict in the comparison.", "0.01"),
    Option("adjust", ("--adjust",), "text", "NAME", "Adjustment for many cases (ictus list adjust).", "bh"),
    Option("raw", ("--raw",), "on", "", "Keep the start and end of every rank, in raw.npy.", "true"),
    Option("validate", ("--no-validate",), "off", "", "Do not check payloads before timing.", "false"),
    Option(
        "page-faults",
        ("--no-page-faults",),
        "off",
        "",
        "Do not count page faults in two short launches of each library first; cases that depend on the heap are "
        "then not marked.",
        "false",
    ),
    *LAUNCH_OPTIONS,
)

BY_KEY = {plan_option.key: plan_option for plan_option in PLAN_OPTIONS}
