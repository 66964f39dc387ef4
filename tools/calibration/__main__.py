"""`make calibration`: A/A and A/B campaigns with real launches, held against what the product promises.

    python -m tools.calibration [--campaigns 40] [--slow-downs 24] [--write]

Takes some fifteen minutes of an idle machine (2,300 launches). What was measured is kept in build/calibration, campaign
by campaign, and an interrupted run goes on; delete that folder to measure anew. `--write` puts the figures into
statistics.md. The exit code is 1 where a promise is broken, or where the contrast, means of one launch, is not far
above the level.
"""

import argparse
import sys
from collections.abc import Sequence

from tools.calibration import page
from tools.calibration.detection import measured, off
from tools.calibration.false_alarms import FalseAlarms, false_alarms
from tools.calibration.promises import Followed, Promise, followed, promises
from tools.calibration.series import ROOT
from tools.calibration.simulated_samples import SampledCalibration, SampledWorld, calibrate_samples

from ictus.model.errors import IctusError
from ictus.stats.binomial_rate import Rate

FAR_ABOVE = 0.2
"""The lower limit of the contrast's rate is to be above four times the level."""


def main() -> None:
    """Measure, print, write, judge."""
    parser = argparse.ArgumentParser(prog="python -m tools.calibration")
    parser.add_argument("--campaigns", type=int, default=40, help="A/A campaigns")
    parser.add_argument("--slow-downs", type=int, default=24, help="A/B campaigns")
    parser.add_argument("--write", action="store_true", help="put the figures into statistics.md")
    asked = parser.parse_args()
    if min(asked.campaigns, asked.slow_downs) < 1:
        parser.error("at least one campaign of each kind is needed")
    real = false_alarms(asked.campaigns)
    detection = measured(asked.slow_downs)
    simulated = calibrate_samples(SampledWorld(), seed=2024)
    found, then = tuple(promises(detection)), followed(detection)
    text = page.section(simulated, real, detection, found, then)
    print(text)
    if asked.write:
        page.MARKS.write(ROOT / "docs" / "explanation" / "statistics.md", text)
    if broken := shortfalls(simulated, real, found, then):
        sys.exit("\n".join(broken))


def shortfalls(
    simulated: SampledCalibration, real: FalseAlarms, found: Sequence[Promise], then: Followed
) -> tuple[str, ...]:
    """One line for each promise that is broken."""
    judged: list[tuple[str, Rate | None]] = [
        ("simulated false alarms", simulated.false_alarms),
        ("simulated coverage", simulated.coverage),
        ("simulated 'within X %' at X", simulated.false_within),
        ("real false alarms", real.alarms),
        ("real coverage", real.coverage),
        ("undecided cases continued", then.decided),
        ("cases said to need more than can be asked for", then.beyond),
    ]
    for one in found:
        name = f"{one.operation} {one.share} % slower"
        judged += [(f"{name}, found", one.judged), (f"{name}, coverage", one.covered)]
        judged += [(f"{name}, planned", one.planned), (f"{name}, planned with fewer", one.fewer)]
    broken = [
        f"{one.operation} {one.share} % slower: a true ratio of {one.ratio:.3f} is another slow-down"
        for one in found
        if off(one.share, one.ratio)
    ]
    broken += [f"{name}: {rate}" for name, rate in judged if rate is not None and not rate.holds]
    for where, rate in (("simulated", simulated.one_launch), ("real", real.one_launch)):
        if rate.low <= FAR_ABOVE:
            broken.append(f"{where} means of one launch: {rate}: not far above the level")
    return tuple(broken)


if __name__ == "__main__":
    try:
        main()
    except IctusError as error:
        sys.exit(f"calibration: {error}")
