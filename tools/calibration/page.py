"""The figures of a calibration as a section of docs/statistics.md, between two marks."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.calibration.detection import OPERATIONS, SIZES, Detection
from tools.calibration.false_alarms import FalseAlarms
from tools.calibration.promises import Followed, Promise

from ictus.stats.rate import Rate
from ictus.stats.sampled_calibration import SampledCalibration

BEGIN, END = "<!-- calibration: written by `make calibration` -->", "<!-- end of calibration -->"


def replaced(text: str, section: str) -> str:
    """The page with the section between its marks, which it must have; ValueError where it has not."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the page has no '{BEGIN}' ... '{END}'")
    return f"{before}{BEGIN}\n\n{section}\n\n{END}{after}"


def write(path: Path, section: str) -> None:
    """Put the section into a page."""
    path.write_text(replaced(path.read_text("utf-8"), section), "utf-8")


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
        "| operation | true ratio | spread | found | promised power | intervals that hold it | launches needed | "
        "campaigns of that many that find it |"
    )
    yield "| --- | ---: | ---: | --- | --- | --- | ---: | --- |"
    for one in found:
        planned = "–" if one.planned is None else f"{rate_text(one.planned)}; {judged_text(one.planned)}"
        needed = "over 1,000" if one.needed is None else str(one.needed)
        yield (
            f"| {one.operation} {SIZES}B | {one.ratio:.3f} | {100 * one.spread:.1f} % | {rate_text(one.found)} | "
            f"{judged_text(one.found)} | {rate_text(one.covered)}; {judged_text(one.covered)} | {needed} | {planned} |"
        )
    yield ""
    if then.decided is not None:
        yield (
            f"Undecided cases continued by as many launches as their verdict said, {min(then.asked)} to "
            f"{max(then.asked)}: {rate_text(then.decided)} are decided then, promised {judged_text(then.decided)}. "
            f"{then.beyond} asked for more than were drawn."
        )


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
