"""OSU Micro-Benchmarks: every form of table; expected numbers are those that stand in the files."""

import math

import pytest
from tests.interchange.printed import osu_text, read_text, recorded

from ictus.interchange.suite import UNKNOWN_CALLS
from ictus.model.errors import UsageError

HEAD = "# OSU MPI Broadcast Latency Test v7.4\n# Datatype: MPI_CHAR.\n"


def test_the_full_form_has_mean_least_and_most_over_processes() -> None:
    """8 bytes: 0.39, 0.35 and 0.43 µs of 200 calls. Nothing is made up: there is no makespan and no start skew."""
    (launch,) = recorded("osu", "osu-7.4-allreduce-full.txt", n=2)
    assert (launch.n, launch.version, launch.line, len(launch.cases)) == (2, "7.4", 2, 15)
    case = launch.cases[1]
    assert (case.operation, case.size_bytes, case.datatype, case.calls) == ("allreduce", 8, "char", 200)
    sample = case.samples[0]
    assert [float(sample[name]) for name in ("local_mean", "local_min", "local_max")] == [0.39e-6, 0.35e-6, 0.43e-6]
    assert all(math.isnan(sample[name]) for name in ("makespan", "start_skew", "clock_bound", "root", "start"))
    assert case.number.format(calls=200) == (
        "Avg Latency(us) as printed, the mean over processes of each one's mean of 200 calls"
    )


def test_the_plain_form_has_a_mean_of_nobody_knows_how_many_calls() -> None:
    """Least and most are unknown, not equal to the mean."""
    (launch,) = recorded("osu", "osu-7.4-bcast-1.txt", n=2)
    assert [case.size_bytes for case in launch.cases] == [2**k for k in range(17)]
    assert {case.calls for case in launch.cases} == {UNKNOWN_CALLS}
    assert float(launch.cases[0].samples["local_mean"][0]) == 0.15e-6
    assert all(math.isnan(case.samples["local_max"][0]) for case in launch.cases)


@pytest.mark.parametrize(
    ("name", "operation", "number", "expected_us"),
    [
        ("osu-7.4-barrier.txt", "barrier", 0, 0.37),
        ("osu-7.4-iallreduce.txt", "iallreduce", 9, 1.97),
        ("osu-7.4-alltoall-tail.txt", "alltoall", 10, 1.16),
        ("osu-7.4-latency.txt", "osu_latency", 14, 3.00),
    ],
)
def test_every_recorded_table(name: str, operation: str, number: int, expected_us: float) -> None:
    """The barrier has no sizes; of a nonblocking call the pure communication counts, at 2048 B the row's third number;
    a latency between two is half a round trip, which none of our operations is.
    """
    (launch,) = recorded("osu", name, n=2)
    assert {case.operation for case in launch.cases} == {operation}
    assert float(launch.cases[number].samples["local_mean"][0]) == float(f"{expected_us}e-6")


def test_a_percentile_takes_the_place_of_the_mean() -> None:
    """At 1024 B one slow call in 200 doubles the mean, 1.16 µs; the 99th percentile is 0.51 µs, the 50th 0.46."""
    for statistic, expected_s in (("p50", 0.46e-6), ("p99", 0.51e-6)):
        (launch,) = recorded("osu", "osu-7.4-alltoall-tail.txt", n=2, statistic=statistic)
        assert float(launch.cases[10].samples["local_mean"][0]) == expected_s
        assert launch.cases[10].statistic == statistic
        assert f"the {statistic} of {{calls}} calls" in launch.cases[10].number


def test_a_wrong_result_has_no_valid_sample() -> None:
    """Column Validation of -c: Fail is no latency; what passed is validated."""
    text = HEAD + "# Size       Avg Latency(us)        Validation\n8   0.10   Pass\n16   0.20   Fail\n"
    (launch,) = read_text("osu", text, n=2)
    assert [case.validated for case in launch.cases] == [True, False]
    assert [int(case.samples["flags"][0]) for case in launch.cases] == [0, 4]
    assert launch.warnings == ("line 5: the result was wrong (Validation is Fail); its case has no valid sample",)


def test_bandwidths_become_times_of_a_message() -> None:
    """1024 B at 512 MB/s take 2 µs; 4 million messages a second take 0.25 µs each. A rate of 0 is not a time."""
    bandwidth = (
        "# OSU MPI Bandwidth Test v7.4\n# Datatype: MPI_CHAR.\n# Size      Bandwidth (MB/s)\n1   0.00\n1024   512.00\n"
    )
    rate = (
        "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 2 ] [ window size: 64 ]\n"
        "# Size                  MB/s        Messages/s\n8   32.00   4000000.00\n"
    )
    one, other = read_text("osu", bandwidth + rate, n=4)
    assert one.cases[0].operation == "osu_bw"
    assert int(one.cases[0].samples["flags"][0]) == 4
    assert float(one.cases[1].samples["local_mean"][0]) == pytest.approx(2e-6)
    assert other.cases[0].operation == "osu_mbw_mr(pairs=2,messages=64)"
    assert float(other.cases[0].samples["local_mean"][0]) == pytest.approx(0.25e-6)


@pytest.mark.parametrize(
    ("title", "operation"),
    [
        ("MPI All-to-All Personalized Exchange Latency Test", "alltoall"),
        ("MPI-CUDA Reduce_scatter Latency Test", "reduce_scatter(accelerator=cuda)"),
        ("MPI Non-blocking Broadcast Latency Test", "ibcast"),
        ("MPI Allgather Persistent Latency Test", "allgather_init"),
        ("MPI Neighborhood Alltoall Latency Test", "osu_neighborhood_alltoall_latency"),
        ("MPI Bi-Directional Bandwidth Test", "osu_bibw"),
        ("MPI Multi Latency Test", "osu_multi_lat"),
    ],
)
def test_titles_become_our_operations_where_the_call_is_the_same(title: str, operation: str) -> None:
    """Neighbourhoods depend on the topology that the suite chooses, so that they keep their own names."""
    text = osu_text({8: 0.5}).replace("MPI Broadcast Latency Test", title)
    assert read_text("osu", text, n=2)[0].cases[0].operation == operation


def test_each_title_is_a_launch_and_other_lines_are_left_alone() -> None:
    """A log of two mpiruns with words of the launcher between them; each launch keeps its own lines."""
    text = osu_text({8: 0.5}) + "[node1:7] a warning of the launcher\n" + osu_text({8: 0.6}, "Allreduce Latency Test")
    one, other = read_text("osu", text, n=2)
    assert (one.cases[0].operation, other.cases[0].operation) == ("bcast", "allreduce")
    assert (one.line, other.line) == (2, 8)
    assert "a warning" in one.text
    assert other.text.startswith("# OSU MPI Allreduce")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello\n", "'out.txt' holds no output of OSU Micro-Benchmarks: no line begins with '# OSU'"),
        (HEAD, "'out.txt', line 1: no row of numbers follows this title: the program ended early"),
        (HEAD + "8   0.5\n", "'out.txt', line 3: a row of numbers without a line of columns above it"),
        (
            HEAD + "# Size       Avg Latency(us)\n8   0.5\n16\n",
            (
                "'out.txt', line 5: 1 values under the 2 columns of line 3: the line was cut short, or other output is "
                "mixed into it"
            ),
        ),
        (
            HEAD + "# Size       Avg Latency(us)\n8   nan\n",
            "'out.txt', line 4: Avg Latency(us) is 'nan', expected a number of 0 or more",
        ),
        (
            HEAD + "# Size       Avg Latency(us)\n8   0.5\n8   0.6\n",
            "'out.txt', line 5: bcast of 8 B is there a second time, after line 4, in the output of one launch",
        ),
        (HEAD + "# Size   Avg Latency(us)   Joules\n8   0.5   3\n", "'out.txt', line 3: unknown column 'Joules'"),
    ],
)
def test_wrong_files_are_refused_with_the_line(text: str, message: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(UsageError) as refused:
        read_text("osu", text, n=2)
    assert str(refused.value) == message


def test_the_number_of_processes_must_be_said() -> None:
    """It is nowhere in the output."""
    with pytest.raises(UsageError, match="line 2: OSU does not print the number of processes; say it with -n"):
        recorded("osu", "osu-7.4-bcast-1.txt")


def test_a_percentile_that_is_not_there_is_refused() -> None:
    """The plain form has none."""
    with pytest.raises(UsageError, match=r"line 5: no column 'P99 Tail \.\.\.'; there are Size"):
        recorded("osu", "osu-7.4-bcast-1.txt", n=2, statistic="p99")
