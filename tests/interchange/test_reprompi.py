"""ReproMPI: raw, verbose and summary output as it was recorded; expected numbers are the lines', by hand."""

import math
import re

import numpy as np
import pytest
from tests.interchange.printed import OUTPUTS, read_text, recorded

from ictus.model.errors import UsageError
from ictus.model.sample import LATE, LONG


def changed(name: str, old: str, new: str) -> str:
    """A recorded output with one thing replaced."""
    text = (OUTPUTS / name).read_text("utf-8")
    assert old in text
    return text.replace(old, new)


def test_raw_run_times_are_samples() -> None:
    """100 of each call. With global times the run-time is a makespan; processes' own durations are not known."""
    (launch,) = recorded("reprompi", "reprompi-raw.txt")
    assert (launch.n, launch.clock, launch.clocksync, launch.procsync) == (2, "wtime", "hca3", "barrier(library)")
    assert launch.started == "2026-11-23T07:44:26"
    bcast, allreduce = launch.cases
    assert (bcast.operation, bcast.size_bytes, bcast.datatype, bcast.headline) == ("bcast", 8, "byte", "makespan")
    assert (allreduce.operation, bcast.statistic, bcast.calls) == ("allreduce", None, 1)
    assert bcast.samples["makespan"][:3].tolist() == [1.562e-06, 2.6e-07, 2.8e-07]
    assert (bcast.samples.size, bool(np.isnan(bcast.samples["local_max"]).all())) == (100, True)


def test_local_run_times_are_the_longest_of_the_processes() -> None:
    """As the file says."""
    text = changed("reprompi-raw.txt", "runtime_type=global", "runtime_type=local")
    assert {case.headline for case in read_text("reprompi", text)[0].cases} == {"local_max"}


def test_stamps_of_every_process_give_all_metrics() -> None:
    """Repetition 0 of the broadcast: rank 0 from ...66087540 to ...66099460 s, rank 1 from ...66087411 to ...66101131 s
    on the global clock, 1.192 and 1.372 µs on their own. Of repetition 7 `errorcode` says overlong, of 8 late.
    """
    (launch,) = recorded("reprompi", "reprompi-window-verbose.txt")
    assert (launch.procsync, launch.window_s) == ("window(size=0.0002s)", 0.0002)
    case = launch.cases[0]
    sample = case.samples[0]
    expected_s = {
        "makespan": 1.3720e-6, "start_skew": 1.29e-8, "local_max": 1.372e-6, "local_mean": 1.282e-6,
        "local_min": 1.192e-6, "root": 1.192e-6, "start": 0.0,
    }  # fmt: skip
    for name, value in expected_s.items():
        assert float(sample[name]) == pytest.approx(value, abs=2e-12), name
    assert math.isnan(sample["clock_bound"])
    assert np.flatnonzero(case.samples["flags"]).tolist() == [7, 8]
    assert case.samples["flags"][7:9].tolist() == [LONG, LATE]
    assert case.headline == "makespan"


def test_a_summary_is_one_number_and_the_median_is_the_first_choice() -> None:
    """Bcast of 1024 B: median 2.2935 µs, mean 2.6961 µs of 100 repetitions."""
    for statistic, expected_s in ((None, 2.2935e-6), ("mean", 2.6961e-6), ("max", 21.873e-6)):
        (launch,) = recorded("reprompi", "reprompi-summary.txt", statistic=statistic)
        case = next(one for one in launch.cases if (one.operation, one.size_bytes) == ("bcast", 1024))
        assert (case.samples.size, float(case.samples["local_max"][0]), case.calls) == (1, expected_s, 100)
        assert case.statistic == (statistic or "median")


def test_global_times_beyond_3000_repetitions_are_left_out() -> None:
    """ReproMPI prints local times there (its chunk offset is forgotten)."""
    head = (OUTPUTS / "reprompi-window-verbose.txt").read_text("utf-8").partition("process  ")[0]
    columns = "process test nrep count errorcode loc_tstart_sec loc_tend_sec gl_tstart_sec gl_tend_sec\n"
    rows = "".join(f"{rank} MPI_Bcast {i} 8 0 1.0 1.1 1.0 1.1\n" for rank in (0, 1) for i in range(3002))
    (launch,) = read_text("reprompi", head + columns + rows)
    assert np.flatnonzero(launch.cases[0].samples["flags"]).tolist() == [3000, 3001]
    assert "beyond repetition 3000" in launch.warnings[0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("#Command-Line Arguments", "#Arguments", "holds no output of ReproMPI: no line begins with '#Command-Line"),
        ("#@nprocs=2\n", "", "the file does not have '#@nprocs='; say the number of processes with -n"),
        ("runtime_sec", "joules", "line 21: unknown column 'joules'"),
        ("0.0000002600", "fast", "line 23: runtime_sec is 'fast', expected a number of 0 or more"),
        ("          1            8   0.0000002600\n", "          1            8\n", "line 23: 3 values under the 4"),
        ("          1            8   0.0000002600\n", "          7            8   0.0000002600\n",
         "line 23: repetition 7, expected 1: lines are missing, or there twice"),
    ],
)  # fmt: skip
def test_wrong_files_are_refused_with_the_line(old: str, new: str, message: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(UsageError) as refused:
        read_text("reprompi", changed("reprompi-raw.txt", old, new))
    assert message in str(refused.value)


def test_a_process_that_is_missing_is_refused() -> None:
    """Two are promised; and one whose last line was cut off."""
    text = (OUTPUTS / "reprompi-window-verbose.txt").read_text("utf-8")
    with pytest.raises(UsageError, match="MPI_Bcast of count 8 has 1 processes, the launch has 2"):
        read_text("reprompi", "\n".join(line for line in text.splitlines() if not re.match(r" +1 ", line)))
    lines = text.splitlines()
    last = next(i for i, line in enumerate(lines) if re.match(r" +1 +MPI_Bcast +99 ", line))
    with pytest.raises(UsageError, match="ends here for one process, for others later"):
        read_text("reprompi", "\n".join(lines[:last] + lines[last + 1 :]))


def test_a_statistic_of_single_repetitions_is_refused() -> None:
    """Every repetition is there: other commands summarise them."""
    with pytest.raises(UsageError, match="every repetition is there: leave --statistic mean out"):
        recorded("reprompi", "reprompi-raw.txt", statistic="mean")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("reprompi-summary.txt", "0.0000022935", "0.0000322935", "median_sec is not between its minimum and maximum"),
        ("reprompi-summary.txt", "0.0000026961", "0.0000000001", "mean_sec is not between its minimum and maximum"),
        ("reprompi-summary.txt", "0.0000022935", "9.0000022935", "median_sec is not between"),
        (
            "reprompi-raw.txt",
            "0.0000002600",
            "0.0000000000",
            "line 23: runtime_sec is '0.0000000000': no call takes no",
        ),
        ("reprompi-raw.txt", "0.0000002600", "-0.0000002600", "line 23: runtime_sec is '-0.0000002600', expected"),
        ("reprompi-raw.txt", "0.0000002600", "0.0000002600 1", "line 23: 5 values under the 4 columns"),
        ("reprompi-window-verbose.txt", "5101.1668088840", "5101.1667088840", "the call ends before it begins"),
    ],
)
def test_impossible_numbers_are_errors(name: str, old: str, new: str, message: str) -> None:
    """Medians outside their range, no time, a time that runs backwards."""
    with pytest.raises(UsageError) as refused:
        read_text("reprompi", changed(name, old, new))
    assert message in str(refused.value)


def test_what_the_head_says_is_a_factor() -> None:
    """The root, and a property that nobody here knows; the operator of reductions alone."""
    text = changed("reprompi-summary.txt", "#@root_proc=0\n", "#@root_proc=1\n#@buffers=device\n")
    (launch,) = read_text("reprompi", text)
    assert {(case.operation, case.operator) for case in launch.cases} == {
        ("bcast(root=1,header=is_buffers_device)", "sum"),
        ("allreduce(root=1,header=is_buffers_device)", "bor"),
    }


def test_failures_and_missing_repetitions_make_a_launch_incomplete() -> None:
    """Words between the rows, and fewer repetitions than the head promises."""
    text = (OUTPUTS / "reprompi-raw.txt").read_text("utf-8")
    (launch,) = read_text("reprompi", f"{text}slurmstepd: error: *** STEP CANCELLED DUE TO TIME LIMIT ***\n")
    assert "CANCELLED" in launch.incomplete
    (launch,) = read_text("reprompi", text.replace("#@nrep=100", "#@nrep=200"))
    assert "has 100 of 200 repetitions" in launch.incomplete
    assert read_text("reprompi", text)[0].incomplete == ""
    with pytest.raises(UsageError, match=r"line 1: this launch has 2 processes .*, -n says 4"):
        read_text("reprompi", text, n=4)


def test_two_numbers_of_processes_and_rows_that_were_cut_are_refused() -> None:
    """One log cannot be of two launches; run-times have ten decimals, also in the middle of a table."""
    text = changed("reprompi-raw.txt", "#@nprocs=2\n", "#@nprocs=2\n#@nprocs=4\n")
    with pytest.raises(UsageError, match="nprocs is 4, a line above it says 2"):
        read_text("reprompi", text)
    rows = (OUTPUTS / "reprompi-raw.txt").read_text("utf-8").splitlines()
    place = next(number for number, row in enumerate(rows) if row.split()[:2] == ["MPI_Bcast", "5"])
    rows[place] = rows[place][:-3]
    with pytest.raises(UsageError, match=rf"line {place + 1}: .* has not the decimals of .*: the row was cut"):
        read_text("reprompi", "\n".join(rows) + "\n")
