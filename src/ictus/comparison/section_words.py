"""What the parts of the page mean, in words."""

from collections.abc import Collection

from ictus.model.quantity import percent
from ictus.model.reduction import Reduction
from ictus.render.page import Fact, paragraphs

_ADJUSTED = {
    "holm": "Holm's adjustment keeps the chance of any false verdict in the whole table below {level}.",
    "bh": "Benjamini and Hochberg's adjustment keeps the expected share of false verdicts below {level}.",
    "none": "Verdicts are not adjusted for the number of cases, so some of them are false.",
}


LAUNCHES = paragraphs("""
    Each mark is one launch, in the order measured. It shows the median (or other summary), the quartiles (thick) and
    the extremes (thin) of its kept samples.
    A hollow mark is a launch that other programs disturbed. Grey ticks, where there are any, show the mode of the
    machine: the taller, the farther apart its cores were.

    The first panel shows the cases of a launch relative to the medians of their library. Cases of one launch move
    together, which is why the launch, and not the repetition, is the sample. A trend here is a drift of the machine.
""")

SAMPLES = paragraphs("""
    The share of a launch's valid samples that took at most this long, one line for each launch. A step is a mode, a
    flat top is a tail. The axis ends a little after the 95th percentile. Outliers are included here: Tukey's fences
    remove them before the median is taken.
""")

START = paragraphs("""
    How far apart the ranks started: the latest start minus the earliest, over all valid samples, one line for each
    launch. The makespan includes it. A start skew close to the latency makes the latency unreliable.

    The residual is the error of the clocks when they were measured again at the end of a launch, if the model of the
    beginning is used alone. Samples are mapped by the model between both measurements. Its own residual is among the
    factors.
""")

FACTORS = paragraphs("""
    All recorded conditions, as they were in force, not as they were requested. “unknown” is what could not be read. A
    value that differs between launches is shown as a range, or with the number of launches that have it. Variables that
    the launcher changes from launch to launch are left out. Open a group to print it.
""")

_WORDS = (Fact("makespan", "from the first process's start to the last one's end, on one common clock"),)
_COMPARED = (
    Fact("ratio", "the latency of the first side divided by that of the second, over launches"),
    Fact("faster", "proven: the chance of any false verdict on the page is below the level"),
    Fact("same within X %", "proven: the whole interval lies inside the margin"),
    Fact("undecided", "not proven either way; about how many more launches would decide it is stated"),
    Fact("apart", "not measured in turn: two states of the machine, which prove nothing about what is compared"),
)


def words(*, compared: bool) -> tuple[Fact, ...]:
    """The words of the page; those of verdicts where something is compared."""
    return (*_WORDS, *(_COMPARED if compared else ()))


LETTERS = paragraphs("""
    Libraries that share a letter are not proven different. A may differ from C though B differs from neither. Then A
    has the letter a, B has a and b, and C has b.
""")

SHARES = paragraphs("""
    “All cases alike” is a factor's effect averaged over all cases. “By case” is how its effect differs from case to
    case. The rest varies from launch to launch, partly common to all cases of a launch, partly separate for each case.

    Shares only describe. The Comparison section tests the differences.
""")


def comparison(test: str, adjust: str, level: float, equivalence: float, *, paired: bool) -> tuple[str, ...]:
    """How to read the comparison table."""
    launches = "launches that both sides share, pair by pair" if paired else "independent launches"
    return paragraphs(f"""
        One row is one case. A launch gives one number for a case, the median of its valid samples, because repetitions
        inside a launch are not independent. The ratio compares these medians (Hodges and Lehmann). Below 1 the first
        side is faster.

        The drawing shows the ratio with its {percent(1 - level)} interval. The grey band is ±{percent(equivalence)}. A
        ring is undecided.

        The test is {test} over {launches}. p is for this case alone. Stars show p adjusted for all cases (* 0.05,
        ** 0.01, *** 0.001), where the sides differ. {_ADJUSTED[adjust].format(level=percent(level))}

        “Undecided” is not “the same”. It says about how many more launches would decide.
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
        The ratios of the table over the message size. A point has the colour of the faster side. A triangle says which
        side that is, a diamond is the same, a square differs in distribution only, a ring is undecided.

        An interval outside the grey band of ±{percent(equivalence)} shows a difference that matters.
    """)
