"""What the parts of the page mean, in words."""

from collections.abc import Collection

from ictus.model.quantity import percent
from ictus.model.reduction import Reduction
from ictus.render.page import Fact, FactGroup, paragraphs

_ADJUSTED = {
    "holm": "Holm's adjustment keeps the chance of any false verdict in the whole table below {level}.",
    "bh": "Benjamini and Hochberg's adjustment keeps the false share of the verdicts below {level}.",
    "none": "Verdicts are not adjusted for the number of cases, so that some are false.",
}


LAUNCHES = paragraphs("""
    Each mark is one launch, in the order measured: its median (or other summary), quartiles (thick) and extremes (thin)
    of its kept samples.
    A hollow mark was disturbed by others on its cores. Grey ticks, where there are any, show the mode of the machine:
    the taller, the farther apart its cores were.

    In the first panel a launch's cases are put in relation to their library's medians. Cases of one launch move
    together, which is why the launch, and not the repetition, is the sample. A trend here would be a drift of the
    machine.
""")

SAMPLES = paragraphs("""
    The share of a launch's valid samples that took at most that long, one line a launch. Steps are modes, a flat top
    is a tail; the axis ends a little behind the 95th percentile. Outliers are still in: Tukey's fences remove them
    before the median is taken.
""")

START = paragraphs("""
    How far apart the ranks started: the latest start minus the earliest, over all valid samples, one line a launch. It
    is part of the makespan, so that a skew that is not small against a latency blurs it.

    The residual is what was left between the clocks when they were measured again at the end of a launch: by how much
    the model learnt at the beginning was wrong by then. Samples are mapped by the model interpolated between both
    measurements, whose own residual is among the factors.
""")

FACTORS = paragraphs("""
    All recorded conditions, as they were in force, not as they were requested. What could not be
    read is “unknown”. A value that differs between launches is shown as a range, or with the number of launches that
    have it.
""")

UNDERSTANDING = paragraphs("""
    Each part says beside its tables and figures what they mean. The bar above filters by operation and size; a name in
    a legend switches its series off, a figure grows when it is pressed, and the pointer reads its points.

    What the page cannot protect against: another machine, another day, other settings. It says what was in force; what
    it finds holds for that.
""")

_WORDS = (
    Fact("launch", "one start of all processes; the unit that is counted, because repetitions inside it are alike"),
    Fact("case", "one operation at one size, with one number of processes and one value of every other factor"),
    Fact("makespan", "from the first process's start to the last one's end, on one common clock"),
)
_COMPARED = (
    Fact("ratio", "the latency of the first side divided by that of the second, over launches"),
    Fact("interval", "the ratios that the launches do not contradict; the shorter, the surer"),
    Fact("faster", "proven: the chance of any false verdict on the page is kept below the level"),
    Fact("same within X %", "proven: the whole interval lies inside the margin"),
    Fact("undecided", "not proven either way: more launches would decide it; about how many is stated"),
    Fact("apart", "not measured in turn: two states of the machine, which prove nothing about what is compared"),
)


def words(*, compared: bool) -> FactGroup:
    """The words of the page; those of verdicts where something is compared."""
    return FactGroup("Words", (*_WORDS, *(_COMPARED if compared else ())))


LETTERS = paragraphs("""
    “Not told apart” is not transitive: A may differ from C though B differs from neither. Then A has the letter a, B
    has a and b, and C has b.
""")

SHARES = paragraphs("""
    “All cases alike” is a factor's effect averaged over all cases; “by case” is how its effect differs from case to
    case. What is left varies from launch to launch: in part all cases of a launch alike, in part each for itself.

    Shares describe. Whether a difference is more than chance is for the comparison to say.
""")


def comparison(test: str, adjust: str, level: float, equivalence: float, *, paired: bool) -> tuple[str, ...]:
    """How to read the comparison table."""
    launches = "launches that both sides share, pair by pair" if paired else "independent launches"
    return paragraphs(f"""
        One row is one case. A launch gives one number to a case, the median of its valid samples, because repetitions
        inside a launch are not independent. The ratio compares these medians (Hodges and Lehmann); below 1 the first
        is faster.

        Drawn: the ratio with its {percent(1 - level)} interval; the grey band is ±{percent(equivalence)}. A ring is
        undecided.

        The test is {test} over {launches}. p is that of the case alone; stars mark the adjusted one of
        cases that differ (* 0.05, ** 0.01, *** 0.001).
        {_ADJUSTED[adjust].format(level=percent(level))}

        “Undecided” is not “the same”: it says about how many more launches would tell.
    """)


_LATENCY = {
    "makespan": "the makespan: from the first rank's start to the last rank's end, on one global clock",
    "max": "the longest of the ranks' own durations",
    "mean": "the mean of the ranks' own durations",
    "min": "the shortest of the ranks' own durations",
    "root": "the root's own duration",
}


def latency(
    metrics: Collection[str], reduction: Reduction, *, few_launches: bool, modes_apart: bool
) -> tuple[str, ...]:
    """The meaning of the latency and of its bar; `modes_apart`: the table compares within several modes."""
    what = (
        f"Latency is {_LATENCY[next(iter(metrics))]}."
        if len(metrics) == 1
        else "Clocks were not synchronised everywhere: latency is then the longest of the ranks' own durations."
    )
    what = f"{what} {reduction.caption}".rstrip()
    bar = (
        "reaches from the smallest to the largest launch median (six launches give a 95 % interval)"
        if few_launches
        else "is its 95 % interval over launches"
    )
    mixed = (
        " A bar mixes the modes of the machine, and the table compares within each: it may decide where bars overlap."
        if modes_apart
        else ""
    )
    return paragraphs(
        f"{what}\n\nA point is the median of the launches' {reduction.summary}s; the bar {bar}. Both axes are "
        f"logarithmic.{mixed}"
    )


def ratio(equivalence: float) -> tuple[str, ...]:
    """How to read the ratio figures."""
    return paragraphs(f"""
        The table's ratios against message size. Points take the colour of the faster side; a triangle says which way,
        a diamond is the same, a square differs in distribution only, a ring is undecided.

        An interval that leaves the grey band of ±{percent(equivalence)} on one side shows a difference that matters.
    """)
