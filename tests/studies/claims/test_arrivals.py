"""Claims about arrivals, exits and regressions, of records whose content is known; test_rules.py has their rules."""

from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy
from tests.clock_documents import offset_series

from ictus.stats.claim_rules import Ruling, Seen, apart_rules
from ictus.studies.clock_drift.regressions import (
    Interval,
    counts,
    judge_regressions,
    merge,
    over_tree,
    regressions,
    tree_rows,
)
from ictus.studies.clocks.record import OffsetSeries
from ictus.studies.exit_skew.claims import MOST_ALIKE, contrasts, judge_contrasts as judge_skews
from ictus.studies.exit_skew.record import SkewLaunch, StartRun
from ictus.studies.factors.arrivals import LINEAR, ROOT_LAST, WINDOW, is_faster_after
from ictus.studies.factors.contrasts import FactorContrast, judge_contrasts
from ictus.studies.local_and_global.analysis import TimesLaunch
from ictus.studies.local_and_global.claims import more_apart, pairs_of


def test_apart_is_alike_the_other_way_round() -> None:
    """Scipy's rank-sum test against the margin, two-sided; it is refuted where both sides are within."""
    ones = np.exp(0.01 * np.arange(1, 11))
    a, b = np.array([3 * ones, ones]), np.array([1.3 * ones[::-1], ones[::-1]])
    far, near = apart_rules(a, b, MOST_ALIKE)
    one_sided = scipy.stats.mannwhitneyu(a[0], MOST_ALIKE * b[0], alternative="greater", method="exact").pvalue
    assert far.p_value == pytest.approx(2 * one_sided)
    within = scipy.stats.mannwhitneyu(a[1], MOST_ALIKE * b[1], alternative="less", method="exact").pvalue
    assert near.against == pytest.approx(within)
    assert (far.seen, near.seen) == (Seen.HOLDS, Seen.DOES_NOT_HOLD)


def skews(start: str, skew_s: tuple[float, ...], true_s: tuple[float, ...] | None = None) -> StartRun:
    """One start of a launch with two ranks."""

    def account(values: tuple[float, ...]) -> dict[str, Any]:
        profile = {"mean_s": [0.0, 0.0], "sd_s": [0.0, 0.0], "skew_s": values}
        return {"entry": profile, "exit": profile, "duration_s": [0.0] * len(values)}

    counted = {"attempted": len(skew_s), "late_entry": 0, "missed": 0, "valid": len(skew_s), "clock_bound_s": None}
    truth = None if true_s is None else account(true_s)
    return StartRun.model_validate({"spec": start, **counted, "measured": account(skew_s), "true": truth})


def launch(*runs: StartRun) -> SkewLaunch:
    """A launch of two ranks with one library."""
    setting: Any = SimpleNamespace(n_ranks=2, label="a", library="a")
    return SkewLaunch(setting, "window", runs)


def test_all_barriers_of_a_library_are_held_against_each_other() -> None:
    """Medians, true ones where they are known; windows are no barrier, and what is 0 counts as a nanosecond."""
    library = skews("barrier(algorithm=library)", (1e-6, 2e-6, 9e-6))
    linear = skews("barrier(algorithm=linear)", (1e-6, 1e-6), (6e-6, 8e-6))
    window, ring = skews("window", (5e-6,)), skews("barrier(algorithm=double-ring)", (0.0, 0.0))
    found = contrasts([launch(library, linear, window), launch(linear), launch(linear, library, ring)])
    assert [(one.start, one.other) for one in found] == [
        (library.start, linear.start), (library.start, ring.start), (linear.start, ring.start)
    ]  # fmt: skip
    assert (list(found[0].skew_s), list(found[0].other_s)) == ([2e-6] * 2, [7e-6] * 3)
    assert [one.ratio for one in found] == pytest.approx([3.5, 2000, 7000])
    assert judge_skews(contrasts([launch(library, ring)] * 10)).seen is Seen.HOLDS
    alike = contrasts([launch(library, skews("barrier(algorithm=linear)", (2e-6,)))] * 10)
    assert judge_skews(alike).seen is Seen.DOES_NOT_HOLD
    assert judge_skews([]).seen is judge_skews(found).seen is Seen.CANNOT_BE_SEEN


def times(procsync: str, ratios: dict[int, float], size: int = 8) -> Any:
    """A row with these makespans of launches whose longest local time is a second, by slot."""
    launches = {slot: TimesLaunch(1.0, ratio, 0.0) for slot, ratio in ratios.items()}
    return SimpleNamespace(mpi="a", case={"procsync": procsync, "size_bytes": size}, launches=launches)


def test_both_times_are_compared_in_launches_that_have_both_starts() -> None:
    """By hand: 1.5 and 1.2 against 1.1 are more, 1.105 is not a hundredth more; slot 9 has no window."""
    barrier = times("barrier(library)", {1: 1.5, 2: 1.2, 3: 1.105, 9: 2.0})
    window = times("window", {3: 1.1, 2: 1.1, 1: 1.1, 4: 1.0})
    assert more_apart(barrier, window) == (2, 1)
    rows = [barrier, times("window", {1: 1.0}, 64), window, times("barrier(linear)", {1: 1.0}, 64)]
    assert pairs_of(rows) == [(barrier, window)]


def test_a_start_is_faster_only_than_those_that_are_asked_for() -> None:
    """In whatever spelling; both differences have to be proven."""
    longer, shorter = is_faster_after(WINDOW, [ROOT_LAST]), is_faster_after(LINEAR, [WINDOW])
    assert longer(WINDOW, "arrival(pattern=descending,size=2us,start=window)")
    assert not longer(ROOT_LAST, WINDOW)
    assert not longer(WINDOW, LINEAR)
    yes, no, open_ = (Ruling(seen, p, refuted, against) for seen, p, refuted, against in (
        (Seen.HOLDS, 0.01, False, 1.0), (Seen.DOES_NOT_HOLD, 1.0, True, 0.01), (Seen.CANNOT_BE_SEEN, 0.5, False, 0.5)
    ))  # fmt: skip

    def both(of_shorter: Ruling) -> Seen:
        found = [
            FactorContrast({}, WINDOW, ROOT_LAST, 2.0, yes),
            FactorContrast({}, ROOT_LAST, WINDOW, 0.5, no),
            FactorContrast({}, LINEAR, WINDOW, 1.0, of_shorter),
        ]
        return judge_contrasts(found, [longer, shorter]).seen

    assert (both(yes), both(no), both(open_)) == (Seen.HOLDS, Seen.DOES_NOT_HOLD, Seen.CANNOT_BE_SEEN)
    doubtful = Ruling(Seen.DOES_NOT_HOLD, 1.0, refuted=True, against=0.04)
    assert both(doubtful) is Seen.CANNOT_BE_SEEN  # one of two that could refute it


def clock(random: np.random.Generator, points: int, since_s: float) -> OffsetSeries:
    """Fit points of a clock that drifts by 20 ppm."""
    at = since_s + np.arange(points) * 0.01
    return offset_series(at, 2e-5 * at + random.normal(0, 1e-7, points))


def test_intervals_of_a_line_are_scipys() -> None:
    """Slope and intercept of each block with Student's t; four lines of five points, the last two are left over."""
    series = clock(np.random.default_rng(1), 22, 1e3)
    found = regressions(series, 4)
    assert len(found) == 4
    wide = scipy.stats.t.ppf(0.975, 3)
    for place, one in enumerate(found):
        block = slice(5 * place, 5 * place + 5)
        line = scipy.stats.linregress(series.at_s[block], series.offset_s[block])
        assert one.slope.length == pytest.approx(2 * wide * line.stderr, rel=1e-4)
        assert one.intercept.length == pytest.approx(2 * wide * line.intercept_stderr, rel=1e-4)
        assert (one.slope.low + one.slope.high) / 2 == pytest.approx(line.slope, rel=1e-6)
        last = series.offset_s[5 * place + 4] - line.intercept - line.slope * series.at_s[5 * place + 4]
        assert one.offset_s == pytest.approx(last, abs=1e-11)
    assert regressions(clock(np.random.default_rng(1), 11, 0.0), 4) == ()


def test_merged_intervals_hold_every_clock_that_their_parts_allow() -> None:
    """Ends of the paper's (2) are those of s + s' - s s' and i + i' - i s' where no part is on both sides: far from 0
    the products' ends are of a tenth of a thousandth, so that all corners lie inside, and nothing else is far outside.
    """
    upper = (Interval(1e-5, 3e-5), Interval(-0.2, 0.1))
    lower = (Interval(-2e-5, 1e-5), Interval(0.5, 0.6))
    slope, intercept = merge(upper, lower)
    corners = list(product(*((one.low, one.high) for one in (*upper, *lower))))
    slopes = [s + t - s * t for s, _, t, _ in corners]
    intercepts = [i + j - i * t for _, i, t, j in corners]
    assert slope.low <= min(slopes)
    assert max(slopes) <= slope.high
    assert (slope.low, slope.high) == pytest.approx((min(slopes), max(slopes)), abs=1e-9)
    assert intercept.low <= min(intercepts)
    assert max(intercepts) <= intercept.high
    assert (intercept.low, intercept.high) == pytest.approx((min(intercepts), max(intercepts)), abs=1e-4)
    (slope, intercept) = over_tree(upper, 16)
    assert slope.length == pytest.approx(4 * 2e-5, rel=1e-3)
    assert intercept.length == pytest.approx(4 * 0.3, rel=1e-3)
    assert over_tree(upper, 2) == upper


def test_lines_are_counted_once_and_within_their_clock() -> None:
    """A clock a day old: all slopes are known, all intercepts differ by more; of a clock that begins at 0 they do not,
    and of two clocks with one line each there is no pair.
    """
    random = np.random.default_rng(2)
    old, new = (regressions(clock(random, 12_000, since_s)) for since_s in (86_400.0, -60.0))
    assert counts(old) == ((12, 0), (6, 0))
    assert judge_regressions(old).seen is Seen.HOLDS
    assert tree_rows(old)[-1].intercept_s == pytest.approx(12 * tree_rows(old)[0].intercept_s, rel=1e-3)
    assert judge_regressions(new).seen is not Seen.HOLDS
    assert counts([old[0], SimpleNamespace(**{**vars(old[1]), "rank": 2})]) == ((2, 0), (0, 0))  # type: ignore[list-item]
