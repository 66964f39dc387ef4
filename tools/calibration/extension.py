"""What the reserve of `ictus run` costs, and what extending a campaign finds: simulated campaigns of 10 launches a side
and of 20, beside designs of as many launches that reserved nothing.

    python -m tools.calibration.extension [--campaigns 4000] [--write]

Five cases, of which the first has the true ratio; Holm; launches scatter by 3 %. Half a minute.
"""

import argparse

import numpy as np
from tools.calibration.sequential import CASES, LEVEL, PAGE, WORLDS, Launches, draw, follow_all, judge_rows
from tools.marked_page import Marks

from ictus.engine.extension import FIRST_SHARE
from ictus.model.looks import Looks
from ictus.stats.adjust import holm

MARKS = Marks("extension", "python -m tools.calibration.extension --write")
LAUNCHES = (10, 20)
RATIOS = (1.0, 1.03, 1.04, 1.05, 1.06)
WORLD = WORLDS[0]


def fixed(drawn: Launches, n: int) -> float:
    """The share of campaigns of a fixed number of launches in which the first case is called different."""
    judged = judge_rows(drawn, n, np.ones(drawn.a.shape[:2], bool), LEVEL)
    return float((holm(judged.p_value) <= LEVEL)[:, 0].mean())


def extended(drawn: Launches) -> tuple[float, ...]:
    """The same of a campaign that reserved error, by each number of launches."""
    found = follow_all(drawn, Looks(LAUNCHES[0], 2, FIRST_SHARE), LAUNCHES[-1])
    different = (found.slower | found.faster)[:, 0]
    return tuple(float((different & (found.launches[:, 0] <= n)).mean()) for n in LAUNCHES)


def table(campaigns: int) -> list[str]:
    """In Markdown: called different, with the reserve and in a fixed design of as many launches."""
    lines = [
        f"{campaigns} simulated campaigns each; {CASES} cases, Holm, 3 % of scatter; how many find the difference:",
        "",
        "| true ratio | 10 launches, a tenth reserved | 10, nothing reserved | extended to 20 | 20, nothing reserved |",
        "| ---: | ---: | ---: | ---: | ---: |",
    ]
    for ratio in RATIOS:
        drawn = draw(WORLD, ratio, campaigns, LAUNCHES[-1], np.random.default_rng((7, round(1e3 * ratio))))
        first, last = extended(drawn)
        cells = (first, fixed(drawn, LAUNCHES[0]), last, fixed(drawn, LAUNCHES[-1]))
        lines.append(f"| {ratio:g} | {' | '.join(f'{one:.1%}' for one in cells)} |")
    return lines


def main() -> None:
    """Print, or write into the page."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--campaigns", type=int, default=4000)
    options.add_argument("--write", action="store_true")
    words = options.parse_args()
    lines = table(words.campaigns)
    print(*lines, sep="\n")
    if words.write:
        MARKS.write(PAGE, "\n".join(lines))


if __name__ == "__main__":
    main()
