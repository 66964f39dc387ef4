"""Profiles of PGMPITuneLib: read, written, and what either side cannot say."""

import pytest

from ictus.model.errors import UsageError
from ictus.programs.redirect.pgmpi import format_pgmpi, is_pgmpi, parse_pgmpi, parse_profiles
from ictus.programs.redirect.profile import RedirectProfile, Reroute

GIVEN = """#
# comments, also behind what is said
#
MPI_Allgather # the collective
4 # processes
3
1 allgather_as_allreduce
2 allgather_as_alltoall
3 allgather_as_gather_bcast
4 # ranges
0 16 1
32 32 2
64 128 1
1024 2048 3

"""


def lines_of(*texts: str) -> tuple[Reroute, ...]:
    """What these files say together."""
    return parse_profiles((f"{number}.prf", text) for number, text in enumerate(texts)).profile.reroutes


def test_sizes_of_a_block_become_total_volumes() -> None:
    """Of 4 processes: 32 bytes each are 128 in all; sizes of nothing are left out; a message is a message."""
    assert is_pgmpi(GIVEN)
    assert lines_of(GIVEN) == (
        Reroute("allgather", 4, 1, 64, "allgather_as_allreduce"),
        Reroute("allgather", 4, 128, 128, "allgather_as_alltoall"),
        Reroute("allgather", 4, 256, 512, "allgather_as_allreduce"),
        Reroute("allgather", 4, 4096, 8192, "allgather_as_gather_and_bcast"),
    )
    text = "MPI_Bcast\n4\n1\n7 bcast_as_scatter_allgather\n1\n8 9 7\n"
    assert lines_of(text) == (Reroute("bcast", 4, 8, 9, "bcast_as_scatter_and_allgather"),)


OVERLAPPING = """MPI_Bcast
2
3
0 default
1 bcast_as_scatter_allgather
2 bcast_as_lane
5
100 199 1
150 159 0
50 300 0
40 60 1
10 400 1
"""
"""The first range that holds a size counts, also where that is `default`."""

FREE = [(100, 199), (40, 49), (10, 39), (301, 400)]


def test_the_first_range_counts_and_what_we_lack_is_the_librarys() -> None:
    """Within a file and from one to the next; a name that we have no mock-up for is remarked, its sizes are left."""
    found = parse_profiles([("x.prf", OVERLAPPING), ("y.prf", OVERLAPPING.replace("10 400 1", "1 500 1"))])
    ranges = [(one.from_bytes, one.to_bytes) for one in found.profile.reroutes]
    assert ranges == [*FREE, (1, 9), (401, 500)]
    assert {one.mockup for one in found.profile.reroutes} == {"bcast_as_scatter_and_allgather"}
    lacking = "line 6: there is no mock-up 'bcast_as_lane' of bcast here: its sizes are left to the library"
    assert found.remarks == (f"x.prf, {lacking}", f"y.prf, {lacking}")
    known = OVERLAPPING.replace("100 199 1", "100 199 2")
    assert [(one.from_bytes, one.to_bytes) for one in lines_of(known)] == FREE[1:], "another first match"
    (alltoall,) = parse_profiles([("z.prf", "MPI_Alltoall\n4\n")]).remarks
    assert alltoall == "z.prf, line 1: there is no mock-up of 'MPI_Alltoall' here: it is left to the library"


def test_what_was_read_is_written_again() -> None:
    """Every mock-up that both know, through their form and back."""
    reroutes = (
        Reroute("allgather", 4, 4, 64, "allgather_as_allreduce"),
        *lines_of(GIVEN)[1:],
        Reroute("bcast", 2, 8, 9, "bcast_as_scatter_and_allgather"),
        Reroute("reduce_scatter_block", 2, 8, 800, "reduce_scatter_block_as_reduce_and_scatter"),
        Reroute("scan", 2, 1, 100, "scan_as_exscan_and_reduce_local"),
    )
    made = format_pgmpi(RedirectProfile("", reroutes))
    assert made.remarks == ()
    assert list(made.texts) == [(2, "bcast"), (2, "reduce_scatter_block"), (2, "scan"), (4, "allgather")]
    back = set(lines_of(*made.texts.values()))
    assert back == set(reroutes)
    assert "reducescatterblock_as_reduce_scatter" in made.texts[2, "reduce_scatter_block"]


def test_blocks_are_whole_and_ints_are_not_exceeded() -> None:
    """5 to 11 bytes of 4 processes are blocks of 2; 5 to 7 none; what is beyond an int ends there."""
    made = format_pgmpi(
        RedirectProfile(
            "",
            (
                Reroute("gather", 4, 5, 11, "gather_as_reduce"),
                Reroute("scatter", 4, 5, 7, "scatter_as_bcast"),
                Reroute("bcast", 4, 1, 2**40, "bcast_as_scatter_and_allgather"),
                Reroute("reduce_scatter", 4, 1, 8, "reduce_scatter_as_allreduce"),
            ),
        )
    )
    assert made.texts[4, "gather"].splitlines()[-1] == "2 2 1"
    assert made.texts[4, "bcast"].splitlines()[-1] == f"1 {2**31 - 1} 1"
    assert (4, "scatter") not in made.texts
    assert [remark.split(":")[0] for remark in made.remarks] == [
        "reduce_scatter of 4 processes, 1 to 8 bytes",
        "scatter of 4 processes, 5 to 7 bytes",
    ]
    assert "PGMPITuneLib has no reduce_scatter_as_allreduce" in made.remarks[0]


MISTAKEN = {
    ("4 # processes", "0"): "x.prf, line 5: the number of processes '0' is not a whole number from 1 to 2147483647",
    ("4 # processes", "-4"): "x.prf, line 5: the number of processes '-4' is not a whole number from 1 to 2147483647",
    ("1 allgather_as_allreduce", "1"): "x.prf, line 7: '1' is not 'id name'",
    ("32 32 2", "32 32 9"): "x.prf, line 12: id 9 was not announced",
    ("32 32 2", "33 32 2"): "x.prf, line 12: from 33 is above to 32",
    ("32 32 2", "32 32"): "x.prf, line 12: '32 32' is not 'from to id'",
    ("4 # ranges", "5 # ranges"): "x.prf, line 15: the text ends before the ranges that were announced",
    ("4 # ranges", "3 # ranges"): "x.prf, line 14: '1024 2048 3' comes after the last range that was announced",
}
"""What is replaced in GIVEN, and what is said of it: by the library too (tests/native/test_redirect.py)."""


@pytest.mark.parametrize("change", MISTAKEN)
def test_mistakes_name_file_and_line(change: tuple[str, str]) -> None:
    """Not a silent default, as where they come from."""
    with pytest.raises(UsageError) as error:
        parse_pgmpi(GIVEN.replace(*change, 1), "x.prf")
    assert str(error.value) == MISTAKEN[change]
