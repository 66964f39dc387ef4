"""`make calibration`: its arithmetic on numbers that are given; and the whole of it, with real launches (long)."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tools.calibration.__main__ import shortfalls
from tools.calibration.detection import delays_for
from tools.calibration.false_alarms import FalseAlarms
from tools.calibration.page import BEGIN, END, alarm_lines, promise_lines, rate_text, replaced
from tools.calibration.promises import Followed, Promise, planned, pooled_spread

from ictus.stats.power import launches_needed
from ictus.stats.rate import rate
from ictus.stats.sampled_calibration import SampledCalibration, SampledWorld

ROOT = Path(__file__).resolve().parents[2]

KEPT = rate(2, 40, "at most", 0.05)
BROKEN = rate(10, 40, "at most", 0.05)
NAIVE = rate(38, 40, "at most", 0.05)
COVERED = rate(39, 40, "at least", 0.95)
SIMULATED = SampledCalibration(SampledWorld(), "holm", KEPT, COVERED, KEPT, NAIVE)
REAL = FalseAlarms(10, 4, KEPT, COVERED, NAIVE, 0.07)
FOUND = Promise(5, "bcast", 1.05, 0.04, rate(12, 20, "at least", 0.5), COVERED, 19, rate(330, 400, "at least", 0.8))
THEN = Followed(rate(26, 30, "at least", 0.8), (3, 40), 1)


def test_only_delays_that_can_be_made_are_injected() -> None:
    """1 % of 8 us is 80 ns: left out, for the other operation too, so that both are always judged together."""
    kept, short = delays_for({"bcast": 8e-6, "allreduce": 60e-6})
    assert kept == {
        2: {"bcast": 160, "allreduce": 1200},
        5: {"bcast": 400, "allreduce": 3000},
        10: {"bcast": 800, "allreduce": 6000},
    }
    assert short == ("1 % of bcast: 80 ns",)


def test_spread_is_pooled_inside_campaigns() -> None:
    """Two campaigns of other levels: logs 0 and 2, and 10 and 12, have a variance of 2 each."""
    assert pooled_spread([np.exp([0.0, 2.0]), np.exp([10.0, 12.0])]) == pytest.approx(np.sqrt(2), rel=1e-12)


@pytest.mark.parametrize("scatter", ["normal", "flat"])
def test_planned_campaigns_find_what_they_are_planned_for(scatter: str) -> None:
    """As many launches as are said to be needed find a slow-down four times of five; a third of them do not."""
    random = np.random.default_rng(4)
    pool = random.standard_normal(400) if scatter == "normal" else random.uniform(-1, 1, 400)
    needed = launches_needed(1.05, 0.05, cases=2)
    assert needed is not None
    found = planned(1.05, 0.05, 3.0 * pool, launches=needed)
    assert found is not None
    assert found.holds
    fewer = planned(1.05, 0.05, pool, launches=needed // 3)
    assert fewer is not None
    assert not fewer.holds
    assert planned(1.05, 0.05, pool, launches=None) is None


def test_figures_are_put_between_their_marks() -> None:
    """What stood there goes, what is around stays; a page without the marks is refused. The real page has them."""
    assert replaced(f"a\n{BEGIN}\nold\n{END}\nb", "new") == f"a\n{BEGIN}\n\nnew\n\n{END}\nb"
    with pytest.raises(ValueError, match="the page has no"):
        replaced("a", "new")
    assert "x y z" in replaced((ROOT / "docs" / "statistics.md").read_text("utf-8"), "x y z")


def test_the_tables_hold_every_rate_with_interval_and_promise() -> None:
    """2 of 40, and Clopper and Pearson's interval of it; the promise, whether it is kept, and p."""
    assert rate_text(KEPT) == "2 of 40 = 5.0 % [0.6, 16.9]"
    lines = list(alarm_lines(SIMULATED, REAL))
    assert lines[6] == (
        "| real | called different in any case | 2 of 40 = 5.0 % [0.6, 16.9] | at most 5 %: kept (p = 0.6) |"
    )
    assert lines[8].endswith("at most 5 %: **broken** (p = 6.4e-48) |") or "**broken**" in lines[8]
    promised = list(promise_lines([FOUND], THEN))
    assert promised[2].startswith(
        "| bcast 256KiB | 1.050 | 4.0 % | 12 of 20 = 60.0 % [36.1, 80.9] | at least 50 %: kept"
    )
    assert "3 to 40: 26 of 30 = 86.7 %" in promised[-1]


def test_a_broken_promise_is_named_and_so_is_a_contrast_that_is_none() -> None:
    """Nothing where all is kept; else which, and its rate."""
    assert shortfalls(SIMULATED, REAL, [FOUND], THEN) == ()
    alarmed = FalseAlarms(10, 4, BROKEN, COVERED, KEPT, 0.07)
    said = shortfalls(SIMULATED, alarmed, [FOUND], THEN)
    assert [line.partition(":")[0] for line in said] == ["real false alarms", "real means of one launch"]
    missed = Promise(5, "bcast", 1.05, 0.04, rate(2, 20, "at least", 0.5), COVERED, None, None)
    assert [line.partition(":")[0] for line in shortfalls(SIMULATED, REAL, [missed], THEN)] == [
        "bcast 5 % slower, found"
    ]


@pytest.mark.long
@pytest.mark.mpi
def test_promises_hold_on_real_launches() -> None:
    """40 A/A campaigns, 20 with slow-downs: kept in build/calibration, so that an interrupted run goes on."""
    words = (sys.executable, "-m", "tools.calibration")
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=7200, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stderr
