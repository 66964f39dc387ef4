"""Synchronising clocks that really differ: two hosts made of namespaces, whose step is known to the nanosecond."""

from pathlib import Path
from typing import Any

import pytest
from tests.launch_document import launch_document
from tests.native.launching import EITHER, start
from tests.native.trees import mpi_tree

from ictus.launch.namespaces.hosts import CLOCK_STEP_S, step_in_ns

pytestmark = [pytest.mark.mpi, pytest.mark.usefixtures("hosts_can_be_made")]

PLAN = """\
launch ranks=2 seed=42 clock=monotonic clocksync={clocksync} output={output}
case op=barrier repetition=fixed(200) warmup=20 procsync=barrier(dissemination)
"""


def measure(label: str, folder: Path, clocksync: str) -> dict[str, Any]:
    """The launch.json of ictus-bench with one rank on each of two hosts."""
    plan = folder / "arguments.txt"
    plan.write_text(PLAN.format(clocksync=clocksync, output=folder))
    program = mpi_tree(label).folder / "ictus-bench"
    ended = start(label, 2, program, "--plan", plan, folder=folder, launcher="namespaces")
    assert ended.exit_code == 0, ended.error
    launch: dict[str, Any] = launch_document(folder)
    return launch


@pytest.mark.parametrize("label", EITHER)
@pytest.mark.parametrize(
    "clocksync", ["hca3(span=20ms,fitpoints=50,exchanges=20)", "hca3-offset", "ictus(span=20ms,fitpoints=50)"]
)
def test_the_step_between_two_hosts_is_recovered_within_a_round_trip(
    clocksync: str, label: str, tmp_path: Path
) -> None:
    """The epochs and the model of launch.json give 250.000000123 s, wrong by less than a message there and back.

    global = own - (slope * own + intercept), own = reading - epoch: so the reading of rank 1 minus that of rank 0 at
    one instant is epoch 1 - epoch 0 + slope * own + intercept. No estimate by ping-pong can be more than half of its
    shortest round trip wrong. A dissemination barrier of two is a message each way at the same time, so that twice the
    shortest is a round trip.
    """
    launch = measure(label, tmp_path, clocksync)
    assert [rank["host"] for rank in launch["ranks"]] == ["h0", "h1"]
    assert launch["launcher"]["hosts"]["clock_step_s"] == float(CLOCK_STEP_S)
    opening, case = launch["blocks"][0]["opening"], launch["cases"][0]
    model_s = opening["slope"][1] * case["started_s"] + opening["intercept_s"][1]
    found_ns = launch["ranks"][1]["epoch_ticks"] - launch["ranks"][0]["epoch_ticks"] + model_s * 1e9
    round_trip_ns = 2e9 * min(case["per_rank"]["min_s"])
    error_ns = abs(found_ns - step_in_ns(CLOCK_STEP_S))
    assert error_ns < round_trip_ns
    bounds_s = [measured["bound_s"][1] for measured in (opening, launch["blocks"][0]["closing"])]
    assert clocksync.startswith("ictus") == (None not in bounds_s), "who proves a bound, and who does not"
    assert all(error_ns <= 1e9 * bound_s for bound_s in bounds_s if bound_s is not None), "and the truth is inside it"
    assert round_trip_ns < 1e6, "a round trip within one machine, or the test says nothing"
