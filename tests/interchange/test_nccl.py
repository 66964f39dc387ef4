"""nccl-tests and rccl-tests: what a row is, and that several starts are several launches."""

from pathlib import Path

import pytest
from tests.interchange.printed import read_text

import ictus as product
from ictus.model.errors import UsageError

HEAD = """# nThread 1 nGpus 1 minBytes 8 maxBytes 128 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 graph: 0
#
# Using devices
#  Rank  0 Group  0 Pid  15784 on  node1 device  0 [0009:01:00] NVIDIA X
#  Rank  1 Group  0 Pid  24926 on  node2 device  0 [0009:01:00] NVIDIA X
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
"""
ROWS = """           8             2     float   sum  -1  14.54    0.00    0.00      0    15.94    0.00    0.00      0
         128            32     float   sum  -1  16.82    0.01    0.01      0    16.50    0.01    0.01      4
"""
END = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0.01\n#\n"
COMMAND = "$ mpirun -np 2 ./build/all_reduce_perf -b 8 -e 128 -f 16\n"
LOG = COMMAND + HEAD + ROWS + END


def test_both_times_of_a_row_are_cases() -> None:
    """14.54 us out of place and 15.94 in place, of 20 calls on buffers of two devices; 4 wrong elements are no time."""
    (launch,) = read_text("nccl", LOG)
    assert (launch.n, launch.program, launch.incomplete) == (2, "all_reduce_perf", "")
    out, within = launch.cases[:2]
    assert (out.operation, within.operation) == (
        "nccl_all_reduce(buffers=device,place=out)",
        "nccl_all_reduce(buffers=device,place=in)",
    )
    assert [float(case.samples["local_mean"][0]) for case in (out, within)] == [14.54e-6, 15.94e-6]
    assert (out.size_bytes, out.datatype, out.operator, out.calls, out.validated) == (8, "float", "sum", 20, True)
    assert [int(case.samples["flags"][0]) for case in launch.cases] == [0, 0, 0, 4]
    assert "the result was wrong (#wrong 4, in place)" in launch.warnings[0]


def test_several_starts_are_several_launches(tmp_path: Path) -> None:
    """Of one case; a start with another setting, and one of another root, are others."""
    named = "# nccl-tests version 2.18.2\n# Collective test starting: all_reduce_perf\n"
    other = LOG.replace("graph: 0", "graph: 2") + LOG.replace("-1 ", " 1 ")
    (tmp_path / "a.log").write_text(LOG + named + HEAD + ROWS + END + other)
    campaign = product.import_results("nccl", [tmp_path / "a.log"], tmp_path / "c")
    assert len(campaign.launches) == 4
    assert campaign.cases["operation"].unique(maintain_order=True).to_list() == [
        "nccl_all_reduce(buffers=device,place=out)",
        "nccl_all_reduce(buffers=device,place=in)",
        "nccl_all_reduce(buffers=device,place=out,graph=2)",
        "nccl_all_reduce(buffers=device,place=in,graph=2)",
        "nccl_all_reduce(buffers=device,place=out,root=1)",
        "nccl_all_reduce(buffers=device,place=in,root=1)",
    ]


def test_rows_without_operator_and_unchecked_ones_are_read() -> None:
    """The form of rccl-tests before there were operators; N/A says that nothing was checked in place."""
    head = HEAD.replace("redop    ", "").replace("#wrong", " error")
    row = "8  2  float  0  14.54  0.00  0.00  0e+00  15.94  0.00  0.00  N/A\n"
    (launch,) = read_text("nccl", COMMAND.replace("all_reduce", "broadcast") + head + row + END)
    assert [(case.operation, case.validated) for case in launch.cases] == [
        ("nccl_broadcast(buffers=device,place=out,root=0)", True),
        ("nccl_broadcast(buffers=device,place=in,root=0)", False),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + ROWS + END, "nothing says which program it is"),
        (COMMAND + HEAD + END, "line 2: no row of numbers follows this line"),
        (COMMAND + HEAD + ROWS.replace("14.54", "-4.54"), "line 11: time (out of place) is '-4.54'"),
        (COMMAND + HEAD + ROWS.replace("14.54", ""), "line 11: 12 values under the 13 columns of line 9"),
        (COMMAND + HEAD.replace("busbw", "joules") + ROWS, "line 9: unknown column 'joules'"),
        (COMMAND.replace("-np 2", "-np 4") + HEAD + ROWS + END, "line 1: 4 processes"),
        ("hello\n", "holds no output of nccl-tests: no line begins with '# nThread'"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_line(text: str, message: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(UsageError) as refused:
        read_text("nccl", text)
    assert message in str(refused.value)


def test_a_start_that_ends_early_is_incomplete() -> None:
    """Without its last comments, or with results out of bounds."""
    (launch,) = read_text("nccl", COMMAND + HEAD + ROWS)
    assert launch.incomplete == "line 2: the output ends without '# Avg bus bandwidth'"
    (launch,) = read_text("nccl", LOG.replace("values : 0 OK", "values : 4 FAILED"))
    assert launch.incomplete == "line 13: # Out of bounds values : 4 FAILED"


def test_rows_in_which_nothing_was_moved_are_left_out_and_told() -> None:
    """Sizes that are too small for all ranks become 0: several rows of size 0 are not one case several times."""
    zero = (
        "           0             0     float   sum  -1   5.80    0.00    0.00      0     5.64    0.00    0.00      0\n"
    )
    (launch,) = read_text("nccl", COMMAND + HEAD + zero + zero + ROWS + END)
    assert [case.size_bytes for case in launch.cases] == [8, 8, 128, 128]
    assert [text for text in launch.warnings if "nothing was moved" in text] == [
        "line 11: nothing was moved (size 0); the row is left out",
        "line 12: nothing was moved (size 0); the row is left out",
    ]


def test_a_log_of_two_nodes_in_full_is_read() -> None:
    """The form that people post: a wrapper starts it, the library talks between rows, long times have no decimals."""
    command = (
        "$> env NCCL_ALGO=Tree srun -n 2 --ntasks-per-node=1 ./wrapper.sh ./build/all_reduce_perf -b 1M -e 8G -n 20\n"
    )
    talk = "node1:880:880 [1] NCCL INFO comm 0x55ba rank 0 nranks 2 - Destroy COMPLETE\n"
    large = " 10737418240  2684354560  float  sum  -1  90440  118.72  118.72  0  91955  116.77  116.77  0\n"
    (launch,) = read_text("nccl", command + HEAD + ROWS.replace("      4\n", "      0\n") + talk + large + END)
    assert (launch.n, launch.incomplete, launch.warnings) == (2, "", ())
    assert [(case.size_bytes, float(case.samples["local_mean"][0])) for case in launch.cases[-2:]] == [
        (10737418240, pytest.approx(0.09044)),
        (10737418240, pytest.approx(0.091955)),
    ]
