"""How sure an answer is and how it was judged, and the command that measures more, in sentences."""

from collections.abc import Sequence

from ictus.comparison.comparison import Comparison
from ictus.comparison.modes import MachineModes
from ictus.comparison.pair_words import unit_of
from ictus.comparison.rows import OPEN, ComparisonRow, compared, count, side_names
from ictus.model.quantity import percent
from ictus.render.output import command
from ictus.stats.interval import RatioInterval
from ictus.stats.planning import launches_to_decide
from ictus.stats.registry import find_test
from ictus.stats.verdict import VerdictKind, plural
from ictus.store.campaign import Campaign
from ictus.store.manifest import CAMPAIGN, starting_words


def method(comparison: Comparison) -> tuple[str, ...]:
    """The text above the table: the direction of the ratio, how sure the verdicts are, and how they were judged."""
    rows, (a, b) = comparison.compared, side_names(comparison.rows)
    launches = _launches_a_side(rows)
    direction = f"{a} / {b}: a ratio below 1 means that {a} is faster."
    direction = " ".join(filter(None, (direction, comparison.numbers, comparison.reduction.caption)))
    intervals = f"{percent(1 - comparison.level)} intervals"
    if not comparison.evidence.proves:
        through = "" if comparison.evidence.control is None else f", through {comparison.evidence.control}"
        told = f"{intervals} over the launches that were measured{through}, {launches}; no test is made."
        return (direction, told, *mode_sentence(comparison.modes))
    through = f" of differences to {comparison.evidence.control}" if comparison.evidence.control is not None else ""
    shared = ", the same on both" if comparison.paired else ""
    within = ", within modes of the machine" if comparison.stratified else ""
    adjusted = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "no"}[comparison.adjust]
    one_sided = "" if comparison.alternative == "two-sided" else f"; p is one-sided ({comparison.alternative})"
    test = f"{comparison.test}{through}, {launches}{shared}{within}; {adjusted} adjustment{one_sided}"
    return (
        direction,
        f"{_certainty(comparison)} ({test}). Ranges are {intervals}, each case alone.",
        *look_sentence(comparison),
        *mode_sentence(comparison.modes),
        *_hopeless(rows),
    )


def _certainty(comparison: Comparison) -> str:
    """What the level and its adjustment promise of the verdicts, before the names of the methods."""
    level, which = percent(comparison.level), compared(comparison.compared)
    sure = "How sure: "
    if comparison.counts.total == comparison.counts.unknown:
        return "How sure: no case could be tested"
    directed = (
        comparison.evidence.control is not None
        or not find_test(comparison.test, paired=comparison.paired).any_difference
    )
    called = "faster or slower" if directed else "different"
    if comparison.adjust == "bh":
        return f"{sure}on average at most {level} of the cases called {called} are wrongly called so"
    if comparison.adjust == "none" or len(comparison.compared) < 2:
        each = "the case is" if len(comparison.compared) < 2 else f"each of {which}, taken alone, is"
        return f"{sure}the chance that {each} wrongly called {called} is at most {level}"
    return f"{sure}the chance that any of {which} is wrongly called {called} is at most {level}"


def mode_sentence(modes: MachineModes | None) -> tuple[str, ...]:
    """`Modes of the machine: 1: cores 27 ns apart in 9 launches; 2: cores 104 ns apart in 6.`, if several."""
    if modes is None or not modes.several:
        return ()
    parts = [
        f"{mode.number}: {mode.text} in {mode.n_launches}{'' if index else ' launches'}"
        for index, mode in enumerate(modes.modes)
    ]
    unknown = sum(launches.count(-1) for launches in modes.of_launches)
    following = f"; in {unknown} unknown, or changed during the launch" if unknown else ""
    return (f"Modes of the machine: {'; '.join(parts)}{following}.",)


def _launches_a_side(rows: Sequence[ComparisonRow]) -> str:
    counts = sorted({number for row in rows for number in (row.result.n_a, row.result.n_b) if number}) or [0]
    number = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])
    unit = unit_of(rows)
    return f"{number} {unit if counts == [1] else plural(unit)} a side"


def _hopeless(rows: Sequence[ComparisonRow]) -> tuple[str, ...]:
    """`3 launches a side can never decide 8 cases; at least 5 a side are needed.`, where that is so."""
    stuck = [row for row in rows if row.outcome == VerdictKind.CANNOT_DECIDE.value]
    needed = max((row.result.verdict.needed or 0 for row in stuck), default=0)
    if not stuck:
        return ()
    which = compared(rows)
    which = which if len(stuck) == len(rows) else f"{len(stuck)} of {which}"
    return (f"{_launches_a_side(stuck)} can never decide {which}; at least {needed} a side are needed.",)


def too_few_launches(ratios: Sequence[tuple[int, RatioInterval]]) -> tuple[str, ...]:
    """`3 launches can never decide 8 cases; at least 6 are needed.`, where ratios of so many paired launches have no
    interval.
    """
    stuck = [(launches, ratio) for launches, ratio in ratios if ratio.low is None]
    if not stuck:
        return ()
    most = max(launches for launches, _ in stuck)
    needed = launches_to_decide(1, level=1 - stuck[0][1].confidence, test="signed-rank", adjust="none")
    which = cases_text(len(ratios)) if len(stuck) == len(ratios) else f"{len(stuck)} of {cases_text(len(ratios))}"
    return (f"{most} launch{'' if most == 1 else 'es'} can never decide {which}; at least {needed} are needed.",)


def cases_text(number: int) -> str:
    """`1 case`, `8 cases`."""
    return "1 case" if number == 1 else f"{number} cases"


def ratio_note(comparison: Comparison) -> str:
    """The meaning of the ratio, in one line under the table: dividing the shown medians gives another number."""
    if comparison.evidence.control is not None:
        return (
            f"The ratio compares the sides' distances from {comparison.evidence.control}: geometric means over "
            "launches."
        )
    member = find_test(comparison.test, paired=True)
    if member.own_shifts is not None:
        return "The ratio is that of the geometric means over launches. It differs from dividing the medians."
    over = "the launches' own ratios" if member.paired else f"all pairs of {plural(unit_of(comparison.rows))}"
    return f"The ratio is estimated over {over} (Hodges-Lehmann). It differs from dividing the medians."


def alone_note(rows: Sequence[ComparisonRow], adjust: str) -> str:
    """The meaning of an `undecided` beside a small p; empty without adjustment."""
    if adjust == "none" or len(rows) < 2 or count(rows).apart:
        return ""
    return " p and interval are for each case alone. Stars and verdicts are adjusted for all cases."


def wanted_launches(rows: Sequence[ComparisonRow], patience: int = 90) -> int | None:
    """A number of launches to try next: with it about half of the open cases would be decided.

    Where that takes more than `patience` more launches, the most cases that it can decide; None where no case is open,
    or none can be decided.
    """
    verdicts = [row.result.verdict for row in rows if row.outcome in OPEN]
    counts = sorted(verdict.more_launches for verdict in verdicts if verdict.more_launches is not None)
    if not counts:
        return None
    half = counts[(len(counts) - 1) // 2]
    within = [number for number in counts if number <= patience]
    chosen = within[-1] if within and half > patience else half
    return chosen + max(max(row.result.n_a, row.result.n_b) for row in rows)


def more_command(campaign: Campaign, comparison: Comparison) -> str | None:
    """The command that measures as many launches as would decide about half of the open cases: the same campaign where
    error was reserved for another look, else a new one of the same plan. None where no number would decide any.
    """
    launches = wanted_launches(comparison.rows)
    if launches is None or campaign.imported is not None:  # nobody can measure in another suite's name
        return None
    starting = starting_words(campaign)
    if campaign.looks is not None:
        return command("run", campaign.folder, "--launches", campaign.looks.from_on(launches), *starting)
    longer = campaign.folder.with_name(f"{campaign.folder.resolve().name}-{launches}")
    return command("run", campaign.folder / CAMPAIGN, "--launches", launches, "-o", longer, *starting)


def more_sentences(comparison: Comparison, onward: str) -> tuple[str, ...]:
    """`ictus run camp --launches 12` measures more, and why it is this number."""
    return (f"`{onward}` measures more.", *step_sentence(comparison))


def step_sentence(comparison: Comparison) -> tuple[str, ...]:
    """What the command that adds launches begins, or why their number is not the one that an estimate says."""
    if wanted_launches(comparison.rows) is None:
        return ()
    if comparison.looks is None:
        return ("This campaign cannot grow. The next command measures a new one, which is compared by itself.",)
    numbers = ", ".join(str(number) for number in comparison.looks.times(3))
    return (f"Launches grow in steps ({numbers}, ...): comparing at these alone keeps the chance of a wrong verdict.",)


def look_sentence(comparison: Comparison) -> tuple[str, ...]:
    """At how many launches it was compared, once that was more than once."""
    at = sorted({row.look_launches for row in comparison.rows if row.look_launches is not None})
    if comparison.looks is None or not at or at == [comparison.looks.first]:
        return ()
    looked = str(at[0]) if len(at) == 1 else f"{at[0]} to {at[-1]}"
    following = comparison.looks.from_on(at[-1] + 1)
    return (f"Compared at {looked} launches a side, next at {following}; the chance holds over all these comparisons.",)
