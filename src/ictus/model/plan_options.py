"""The options of a campaign, each declared once: plan files, command lines, Python and docs/plan.md derive from them.

Type, limits and default are those of the `Plan` field with the same key.
"""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "count", "share", "names", "each", "variables", "assignments", "on", "off"]
"""The form of the option's value: a text; a number; a share of 1; names separated by commas; a repeatable text; a
repeatable NAME=VALUE, with several values per name or with one; a flag that switches on, or one that switches off.
"""


@dataclass(frozen=True)
class PlanOption:
    """One option. `metavar` says what a value is, `help` begins with a capital and ends with a full stop."""

    key: str
    """The key in plan files and campaign.json."""
    names: tuple[str, ...]
    """On the command line."""
    kind: Kind
    metavar: str
    help: str
    example: str
    """In a plan file."""
    default: str | None = None
    """Where the plan's own default does not read well; None: that."""
    least: int | None = None
    """The smallest number that can be typed."""

    @property
    def parameter(self) -> str:
        """The name in Python: that of its long option."""
        return max(self.names, key=len).lstrip("-").replace("-", "_")


PLAN_OPTIONS = (
    PlanOption(
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
    PlanOption(
        "op",
        ("--op",),
        "text",
        "NAME,...",
        "Operations (ictus list operations), or all that the libraries have.",
        "bcast,allreduce",
    ),
    PlanOption("sizes", ("--sizes",), "text", "SIZES", "Sizes: 8..64Ki, 8,100,4Ki or paper.", "8..64Ki", "8..64Ki"),
    PlanOption(
        "size-is", ("--size-is",), "text", "total|block", "A size is the largest buffer or one block of it.", "block"
    ),
    PlanOption("n", ("-n",), "text", "COUNT,...", "Numbers of processes.", "2,4"),
    PlanOption("launches", ("--launches",), "count", "COUNT", "Launches of each library: the sample.", "20", least=1),
    PlanOption(
        "until",
        ("--until",),
        "text",
        "GOAL",
        "Add launches until half of the 95 % interval is so narrow: '1 %' of each median, 'ratio 2 %' of "
        "each ratio of libraries or algorithms, 'ratio 2 % by procsync' of a factor. --launches are then "
        "the least, --nrep is the most. Or until every comparison has its verdict: 'decided', 'decided within 3 % "
        "by procsync' (5 % by default); --launches are then the most (80).",
        "ratio 2%",
    ),
    PlanOption(
        "time-budget",
        ("--time-budget",),
        "text",
        "TIME",
        "With --until: time in launches, as 90s, 10min or 2h; the reached precision is reported.",
        "10min",
    ),
    PlanOption(
        "nrep",
        ("--nrep",),
        "text",
        "COUNT|FOLDER|auto",
        "Valid repetitions of a case in a launch: a number, a folder of ictus nrep, or predicted first: "
        "'auto(max=1000,launches=3)' (ictus list repetition nrep).",
        "500",
        "1000",
    ),
    PlanOption("datatype", ("--datatype",), "text", "NAME", "Datatype of the payload.", "float"),
    PlanOption(
        "operator",
        ("--operator",),
        "text",
        "NAME",
        "Reduction operator: MPI's, user(sum), ... or user(affine).",
        "max",
        "sum for double",
    ),
    PlanOption(
        "comm",
        ("--comm",),
        "names",
        "NAME,...",
        "Which processes call together (ictus list comm); crossed.",
        "world,hosts(2)",
    ),
    PlanOption(
        "root",
        ("--root",),
        "text",
        "RANK,...",
        "Root of rooted operations, or rotating: another one in each repetition; several are crossed.",
        "0,rotating",
    ),
    PlanOption(
        "in-place", ("--in-place",), "text", "no|yes|no,yes", "MPI_IN_PLACE where an operation allows it.", "no,yes"
    ),
    PlanOption(
        "layout",
        ("--layout",),
        "names",
        "NAME,...",
        "How elements lie in memory, by derived datatypes (ictus list layout); several are crossed.",
        "basic,vector",
    ),
    PlanOption(
        "counts",
        ("--counts",),
        "names",
        "NAME,...",
        "How blocks differ in size (ictus list counts); several crossed.",
        "equal,one",
    ),
    PlanOption(
        "clock",
        ("--clock",),
        "text",
        "NAME,...",
        "Where ranks read their time; several in launches of their own.",
        "monotonic",
    ),
    PlanOption(
        "clock-domain",
        ("--clock-domain",),
        "text",
        "auto|host|rank",
        "Which ranks are said to read one counter; verified.",
        "rank",
    ),
    PlanOption(
        "clocksync",
        ("--clocksync",),
        "text",
        "NAME,...",
        "How clocks are synchronised; several in launches of their own.",
        "ictus,hca3",
    ),
    PlanOption(
        "clock-bound",
        ("--clock-bound",),
        "text",
        "TIME",
        "Learn until every clock is proven correct to this bound; the reached bound is reported.",
        "1us",
    ),
    PlanOption(
        "procsync",
        ("--procsync",),
        "names",
        "NAME,...",
        "How ranks are started together; several are compared.",
        "window,barrier",
    ),
    PlanOption(
        "methods",
        ("--methods",),
        "names",
        "PROCSYNC[/SCHEME[/REPETITION]],...",
        "Several ways to measure each case in the same launches, instead of the three options of these names.",
        "window,barrier/per-call",
    ),
    PlanOption(
        "algorithm",
        ("--algorithm",),
        "each",
        "[LABEL:]OP=NAME,...",
        "The library's own algorithms for an operation (ictus list algorithms -m LIBRARY), each in "
        "launches of its own; default: its own choice. Repeatable, crossed.",
        "bcast=binomial,default",
    ),
    PlanOption("scheme", ("--scheme",), "text", "NAME", "How calls are strung together.", "one-loop(k=10)"),
    PlanOption(
        "cache",
        ("--cache",),
        "names",
        "NAME,...",
        "State of the caches (ictus list cache); several are compared.",
        "warm,cold-memset",
    ),
    PlanOption("repetition", ("--repetition",), "text", "NAME", "When a case is repeated enough.", "fixed(nrep=500)"),
    PlanOption("warmup", ("--warmup",), "count", "COUNT", "Calls before the first sample.", "50"),
    PlanOption("seed", ("--seed",), "count", "NUMBER", "Decides the order of everything.", "7", "drawn"),
    PlanOption(
        "platform",
        ("--platform",),
        "text",
        "NAME",
        "What the ranks of simgrid are simulated on (ictus list platform).",
        "two-level(ranks_per_host=8)",
        "flat",
    ),
    PlanOption("timeout", ("--timeout",), "text", "TIME", "A launch that takes longer is ended.", "120s", "600s"),
    PlanOption("retries", ("--retries",), "count", "COUNT", "Further tries of a launch that failed.", "0"),
    PlanOption(
        "contention-retries", ("--contention-retries",), "count", "COUNT", "Further tries of a disturbed launch.", "0"
    ),
    PlanOption(
        "block-time",
        ("--block-time",),
        "text",
        "TIME",
        "A block of cases ends, and its clocks are checked, this often.",
        "2s",
        "5s",
    ),
    PlanOption(
        "resync-time", ("--resync-time",), "text", "TIME", "Clocks are synchronised anew this often.", "30s", "60s"
    ),
    PlanOption("level", ("--level",), "share", "SHARE", "Chance of a false verdict in the comparison.", "0.01"),
    PlanOption("adjust", ("--adjust",), "text", "NAME", "Adjustment for many cases (ictus list adjust).", "bh"),
    PlanOption("raw", ("--raw",), "on", "", "Keep the start and end of every rank, in raw.npy.", "true"),
    PlanOption(
        "pin",
        ("--pin",),
        "text",
        "NAME,...",
        "Where ranks are placed: cores (one on each), none (as the library does); several are tried in turn.",
        "cores,none",
    ),
    PlanOption(
        "launcher-options",
        ("--launcher-options",),
        "each",
        "WORDS",
        "Words for the launcher, after those of Ictus; repeatable, several are tried in turn.",
        "--bind-to socket",
    ),
    PlanOption(
        "core-flags",
        ("--core-flags",),
        "each",
        "FLAGS",
        "Flags that the core is built with, after those of Ictus; repeatable, several are tried in turn.",
        "-O3 -march=native",
    ),
    PlanOption(
        "governor",
        ("--governor",),
        "text",
        "NAME,...",
        "Governor of the processors' frequency in launches; several are tried in turn.",
        "performance,powersave",
    ),
    PlanOption("validate", ("--no-validate",), "off", "", "Do not check payloads before timing.", "false"),
    PlanOption(
        "env",
        ("--env",),
        "variables",
        "NAME=VALUE",
        "A variable for the ranks; repeatable. Values of one name that are given one by one are tried in turn; `unset` "
        "is the launch without it. A comma is part of a value.",
        "UCX_TLS=sm",
    ),
    PlanOption(
        "heap",
        ("--heap",),
        "text",
        "NAME,...",
        "What becomes of memory that a process frees: kept, returned (large blocks go back to the system at each "
        "free), ordinary (as the C library comes); several are tried in turn.",
        "kept,returned",
    ),
    PlanOption(
        "page-faults",
        ("--no-page-faults",),
        "off",
        "",
        "Do not count page faults first, in two short launches of each library: no case is marked that depends on the "
        "heap.",
        "false",
    ),
)

BY_KEY = {one.key: one for one in PLAN_OPTIONS}
