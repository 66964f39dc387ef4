"""The figures of a calibration as tables of statistics-study.md and guidelines.md."""

from collections.abc import Iterator, Sequence

from tests.calibration.detection import OPERATIONS, SIZES, Detection
from tests.calibration.false_alarms import FalseAlarms
from tests.calibration.promises import Followed, Promise
from tests.calibration.simulated_samples import SampledCalibration

from ictus.stats.binomial_rate import Rate


def rate_text(rate: Rate) -> str:
    """`2 of 40 = 5.0 % [0.6, 16.9]`."""
    return f"{rate.hits} of {rate.trials} = {100 * rate.share:.1f} % [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"


def judged_text(rate: Rate) -> str:
    """`at most 5 %: kept (p = 0.6)`."""
    kept = "kept" if rate.holds else "**broken**"
    return f"{rate.side} {100 * rate.promised:.3g} %: {kept} (p = {rate.p_value:.2g})"


def alarm_lines(simulated: SampledCalibration, real: FalseAlarms) -> Iterator[str]:
    """A/A, simulated beside real."""
    yield "| A/A campaigns | | rate [95 % interval] | promise |"
    yield "| --- | --- | --- | --- |"
    rows = (
        ("simulated", "called different in any case", simulated.false_alarms),
        ("simulated", "intervals that hold the true ratio", simulated.coverage),
        ("simulated", "`same within X %` where the difference is X", simulated.false_within),
        ("simulated", "*means of one launch a side* different", simulated.one_launch),
        ("real", "called different in any case", real.alarms),
        ("real", "intervals that hold the true ratio", real.coverage),
        ("real", "*means of one launch a side* different", real.one_launch),
    )
    for where, what, rate in rows:
        yield f"| {where} | {what} | {rate_text(rate)} | {judged_text(rate)} |"
    yield ""
    world = simulated.world
    yield (
        f"Simulated: {world.launches} launches a side, {world.cases} cases, launch medians that scatter by "
        f"{100 * world.spread:.0f} %. Real: MPICH against itself, {real.launches} launches a side of two ranks, "
        f"{real.cases} cases, launch medians that scatter by {100 * real.spread:.1f} %."
    )


def delay_lines(detection: Detection) -> Iterator[str]:
    """What was injected, and that it is what was asked for."""
    yield "| asked for | delay | shortest logged | measured on one rank | `empty` |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for one in detection.delays:
        yield (
            f"| {one.share} % of {one.operation} | {one.asked_ns} ns | {one.logged_ns:.0f} ns | "
            f"{one.measured_ns:.0f} ns | {one.empty_ns:+.0f} ns |"
        )
    for text in detection.left_out:
        yield f"\nLeft out, too short to be interposed: {text}."


def promise_lines(found: Sequence[Promise], then: Followed) -> Iterator[str]:
    """Detection, coverage, launches needed."""
    yield (
        "| operation | slower by | true ratio | spread | found | promised power | intervals that hold it | launches "
        "needed | campaigns of that many that find it | of two thirds as many |"
    )
    yield "| --- | ---: | ---: | ---: | --- | --- | --- | ---: | --- | --- |"
    for one in found:
        needed = "over 1,000" if one.needed is None else f"{one.needed} ({one.least} to {one.most})"
        cells = (
            f"{one.operation} {SIZES}B", f"{one.share} %", f"{one.ratio:.3f}", f"{100 * one.spread:.1f} %",
            rate_text(one.found), _power_text(one), f"{rate_text(one.covered)}; {judged_text(one.covered)}", needed,
            _planned_text(one.planned), _planned_text(one.fewer),
        )  # fmt: skip
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield (
        "Spread: of each campaign's own launches, by the product's robust estimate, median. Power: mean of what each "
        "campaign's own launches promise. One so small that a product that never finds anything would keep it is not "
        "judged by so few campaigns. Launches needed: what each campaign's own launches ask for, median and range; "
        "campaigns of that many are drawn from the launches of the campaign that asked for them, smoothed, 400 in all; "
        "shown is their rate, of as many independent ones as the campaigns' own rates say there are."
    )
    yield ""
    if then.decided is not None:
        yield (
            f"Undecided cases continued by as many launches as their verdict said, {min(then.asked)} to "
            f"{max(then.asked)}: {rate_text(then.decided)} are decided then, promised {judged_text(then.decided)}."
        )
    if then.beyond is not None:
        yield (
            f"Cases said to need more than 1,000 further launches: with 1,000, {rate_text(then.beyond)} are decided, "
            f"promised {judged_text(then.beyond)}."
        )


def _power_text(one: Promise) -> str:
    if one.judged is None:
        return f"{100 * one.found.promised:.3g} %: too small to be tested by {one.found.trials} campaigns"
    return judged_text(one.judged)


def _planned_text(rate: Rate | None) -> str:
    return "–" if rate is None else f"{rate_text(rate)}; {judged_text(rate)}"


def section(
    simulated: SampledCalibration, real: FalseAlarms, detection: Detection, found: Sequence[Promise], then: Followed
) -> str:
    """All of it."""
    n_campaigns, launches = len(detection.campaigns), detection.campaigns[0].plan.launches
    intro = (
        f"A/B: {', '.join(OPERATIONS)} of {SIZES}B made slower by an interposed delay, {n_campaigns} campaigns of "
        f"{launches} launches a side."
    )
    parts = (alarm_lines(simulated, real), (intro,), delay_lines(detection), promise_lines(found, then))
    return "\n\n".join("\n".join(lines) for lines in parts)
