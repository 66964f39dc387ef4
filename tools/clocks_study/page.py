"""The page clocks-study.md from what is kept in docs/data: what was found. All numbers are in the data files.

python -m tools.clocks_study.page       # writes page and figures anew; nothing is measured
"""

from collections.abc import Sequence

from tools.tree_arity.section import MARKS as TREE_ARITY
from tools.tree_arity.section import section as arity_section

from . import equal_time, figures, prose
from .data import EqualTimeRow, ProofRow, SettingRow, StudyData, WidthRow, read_data, read_points
from .frontier import BUDGETS_S
from .goal import WANTED_RATIO, WANTED_SPEED_UP
from .simulate import ROOT
from .text import count, table, time, times
from .worlds import PLATFORMS, SYMMETRIC, Row

PAGE = ROOT / "docs" / "studies" / "clocks-study.md"
FIGURES = ROOT / "docs" / "img" / "clocks-study"
DRAWN = Row("flat", 64, 20.0, 0.0)
GROWN = Row("flat", 512, 20.0, 0.0)
OURS_PROVEN = "ictus, proven"
"""The same line as `ictus, symmetric` in a figure of errors: only their bounds differ."""


def main() -> None:
    """The figures and the page."""
    data = read_data()
    draw(data)
    PAGE.write_text(page(data), "utf-8")


def page(data: StudyData) -> str:
    """The whole page."""
    shown = f"{DRAWN.name}; {len(read_points(DRAWN.name))} settings; budgets {', '.join(map(time, BUDGETS_S))}"
    parts = [
        prose.HEAD,
        prose.AIM,
        goal_summary(data.at_equal_time),
        f"{figures.shown(FIGURES, 'error-against-time')}\n\n*{shown}.*",
        prose.RATIOS,
        ratio_table(data.at_equal_time),
        prose.FINDINGS,
        prose.BOUNDS,
        width_sentence(data.widths),
        prose.PROVEN,
        proof_table(data.proofs),
        prose.ARITY,
        prose.PAPERS,
        f"{figures.shown(FIGURES, 'error-over-time')}\n\n*{GROWN.name}, one seed.*",
        prose.ONE_SETTING,
        virtual_table(data.settings),
        equal_time.section(),
        prose.REAL_RANKS,
        real_table(data.settings),
        prose.SIMGRID,
        simgrid_table(data.settings),
        prose.WORLDS,
        platforms_table(),
        prose.TAIL,
    ]
    text = "\n\n".join(part.strip("\n") for part in parts) + "\n"
    return TREE_ARITY.replaced(text, arity_section(data.arity))


def draw(data: StudyData) -> None:
    """Both figures, by the product's own plots."""
    label = f"Error 5 s after synchronising against time spent: {DRAWN.name}"
    figures.save(FIGURES, "error-against-time", figures.pareto(read_points(DRAWN.name), label))
    lines = [(row.algorithm, row.max_s) for row in grown(data.settings) if row.algorithm != OURS_PROVEN]
    figures.save(FIGURES, "error-over-time", figures.growth(lines, f"Error over time: {GROWN.name}"))


def grown(settings: Sequence[SettingRow]) -> list[SettingRow]:
    """The world that the figure and the table of one setting show."""
    wanted = ("virtual", GROWN.platform, GROWN.size, GROWN.drift_ppm, GROWN.wander_ppm)
    return [row for row in settings if (row.place, row.platform, row.ranks, row.drift_ppm, row.wander_ppm) == wanted]


def goal_summary(rows: Sequence[EqualTimeRow]) -> str:
    """The counts."""
    symmetric = [row for row in rows if row.symmetric and row.outcome != "tie"]
    reached = [row for row in symmetric if row.ratio >= WANTED_RATIO]
    worse = [row for row in rows if row.worse]
    known = [row.times_faster for row in symmetric if row.times_faster is not None]
    faster = [one for one in known if one >= WANTED_SPEED_UP]
    median = times(_median([row.ratio for row in symmetric]))
    said = (
        f"on {len(reached)} of {len(symmetric)} symmetric rows (ties left out) at least {WANTED_RATIO:g} times smaller"
    )
    quick = f"at least {WANTED_SPEED_UP:g} times faster on {len(faster)} of {len(symmetric)} rows"
    lines = (
        f"- **Error at equal time**: {said} than the best other; median {median} times.",
        f"- **Never worse**: {len(worse)} of {len(rows)} rows more than 5 % worse.",
        f"- **Time at equal error**: {quick}; median {times(_median(known))} times.",
    )
    return "\n".join(lines)


def _median(values: Sequence[float]) -> float | None:
    return sorted(values)[len(values) // 2] if values else None


def ratio_table(rows: Sequence[EqualTimeRow]) -> str:
    """A line for each world: how many times smaller our error is at each budget."""
    known = {(row.world, row.budget_s): row for row in rows}
    worlds = dict.fromkeys(row.world for row in rows)
    body = [(world, *(_ratio(known.get((world, budget))) for budget in BUDGETS_S)) for world in worlds]
    return table(("world", *map(time, BUDGETS_S)), body)


def _ratio(row: EqualTimeRow | None) -> str:
    if row is None or row.outcome == "tie":
        return "–" if row is None else "tie"
    shown = times(row.ratio)
    return (
        f"**{shown}**" if row.outcome in ("reached", "not worse") else f"{shown} (wander)" if _limited(row) else shown
    )


def _limited(row: EqualTimeRow) -> bool:
    return row.outcome == "wander decides"


def width_sentence(rows: Sequence[WidthRow]) -> str:
    """Of one world how wide, of all how often violated."""
    own = [row for row in rows if row.world == DRAWN.name]
    each = "; ".join(f"after {row.wait_s:g} s {times(row.narrowest)} to {times(row.widest)} times" for row in own)
    worlds = {row.world: row for row in rows}.values()
    violated, judged = sum(row.violated for row in worlds), sum(row.judged for row in worlds)
    return (
        "How wide it is, over the 95th percentile of the errors, from the narrowest to the widest setting "
        f"({DRAWN.name}): {each}. In all worlds {count(violated)} of {count(judged)} bounds are violated (a bound is "
        "one setting, seed, rank and wait). [All worlds](../data/clocks-bound-widths.csv)."
    )


def proof_table(rows: Sequence[ProofRow]) -> str:
    """Bounds that assume nothing: how wide directly after, and how often they did not hold."""
    body = [
        (row.world, time(row.narrowest_s), time(row.widest_s), f"{row.violated} of {count(row.judged)}") for row in rows
    ]
    return table(("world", "narrowest", "widest", "violated"), body)


def virtual_table(settings: Sequence[SettingRow]) -> str:
    """Every algorithm in one world."""
    head = ("algorithm", "time", "messages", "at once", "1 s later", "5 s later", "20 s later")
    body = [(row.algorithm, time(row.elapsed_s), count(row.messages), *map(time, row.max_s)) for row in grown(settings)]
    return table(head, body)


def real_table(settings: Sequence[SettingRow]) -> str:
    """Two ranks of each library."""
    places = ("mpich", "openmpi")
    known = {(row.place, row.algorithm): row for row in settings if row.ranks == 2}
    algorithms = dict.fromkeys(row.algorithm for row in settings if row.place == places[0] and row.ranks == 2)
    head = ("algorithm", *(f"{place}: {what}" for place in places for what in ("time", "at once", "5 s later")))
    body = [
        (f"`{name}`", *(cell for place in places for cell in _cells(known.get((place, name))))) for name in algorithms
    ]
    return table(head, body)


def _cells(row: SettingRow | None) -> tuple[str, ...]:
    return ("–", "–", "–") if row is None else (time(row.elapsed_s), time(row.max_0s_s), time(row.max_5s_s))


def simgrid_table(settings: Sequence[SettingRow]) -> str:
    """Over the number of ranks on one platform."""
    own = [row for row in settings if (row.place, row.platform) == ("simgrid", GROWN.platform)]
    numbers = sorted({row.ranks for row in own})
    known = {(row.algorithm, row.ranks): row for row in own}
    head = ("algorithm", *(f"at once, {n} ranks" for n in numbers), f"time, {numbers[-1]} ranks")
    body = [
        (
            f"`{name}`",
            *(time(known[name, n].max_0s_s) if (name, n) in known else "–" for n in numbers),
            time(known[name, numbers[-1]].elapsed_s) if (name, numbers[-1]) in known else "–",
        )
        for name in dict.fromkeys(row.algorithm for row in own)
    ]
    return table(head, body)


def platforms_table() -> str:
    """What the worlds are."""
    rows = [(name, f"`{text}`", "yes" if name in SYMMETRIC else "no") for name, text in PLATFORMS.items()]
    return table(("platform", "ictus-simulate's parameters", "symmetric"), rows, numbers_from=3)


if __name__ == "__main__":
    main()
