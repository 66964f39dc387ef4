"""Waiting and transfer of whole made-up programs: by kind of call, by rank, by group, and for whom."""

import json
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from tests.command_line import run_ictus, succeed

from ictus.programs.profile import command
from ictus.programs.profile.analysis import ProgramProfile, summarise
from ictus.programs.profile.counters import ProcessCounters
from ictus.programs.profile.groups import GROUPINGS, grouped_rows
from ictus.programs.profile.tables import profile_rows, profile_sentence, profile_table
from ictus.render.terminal import lines

WORLD = {"group": 7, "communicator": "world", "n_remote": 0, "ranks": "0-2", "root": -1, "module": "/nowhere/program"}
CALL_S = 0.01
"""From the arrival of the last process to the end of a call."""


def late_program(n: int, late_s: Callable[[int, int], float], bound_s: float = 1e-6) -> ProgramProfile:
    """Two places, each with 10 calls of an allreduce, the second with a send beside; `late_s(rank, call)` is how much
    later than the others a rank comes. A second for each call, so that all begin together.
    """
    processes = []
    for rank in range(n):
        times: dict[int, float] = {}
        arrivals = []
        for call in range(20):
            came = [late_s(other, call) for other in range(n)]
            row, time_s = call % 2, max(came) - came[rank] + CALL_S
            times[row] = times.get(row, 0.0) + time_s
            entry = {"number": call, "entered_s": call + came[rank], "bound_s": bound_s, "time_s": time_s, "row": row}
            arrivals.append({**entry, "operation": "Allreduce", "is_end": False, "stream_class": 8, "own_rank": rank})
        counted = [_row(0, "Allreduce", 16, times[0]), _row(1, "Allreduce", 32, times[1]), _row(2, "Send", 32, 0.5)]
        rows = pl.DataFrame([{**WORLD, "n_ranks": n, **one} for one in counted])
        own = pl.DataFrame([{"group": 7, "communicator": "world", "n_ranks": n, **one} for one in arrivals])
        processes.append(ProcessCounters(rank, n, "host", "MPI", True, 20.0, rows, "clock", True, own, ()))
    return summarise(tuple(processes))


def _row(row: int, operation: str, offset: int, time_s: float) -> dict[str, Any]:
    return {
        "row": row, "operation": operation, "offset": offset, "time_s": time_s, "longest_s": time_s, "calls": 10,
        "bytes": 80, "smallest": 8, "largest": 8, "size_class": 8, "datatype": "MPI_DOUBLE", "type_bytes": 8,
        "op": "MPI_SUM" if operation == "Allreduce" else "", "in_place": False, "own_row": True,
    }  # fmt: skip


def one_late(rank: int, call: int) -> float:
    """Rank 1 always, by 0.2 s."""
    return 0.2 if rank == 1 else 0.0


def in_turn(n: int) -> Callable[[int, int], float]:
    """Each rank in its turn, by 0.1 s and more with each call."""
    return lambda rank, call: 0.1 + 0.01 * call if call % n == rank else 0.0


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_each_kind_and_each_rank_has_its_waiting_and_the_rest(n: int) -> None:
    """By hand: all but rank 1 wait 0.2 s in each of 20 calls, and nobody's transfer is more than the call itself."""
    profile = late_program(n, one_late)
    for row in (one for one in profile_rows(profile) if one["operation"] == "Allreduce"):
        assert row["waiting_s"] == pytest.approx((n - 1) * 10 * 0.2, abs=1e-9)
        assert row["waiting_low_s"] == pytest.approx(row["waiting_s"] - (n - 1) * 10 * 2e-6)
        assert row["transfer_s"] == pytest.approx(n * 10 * CALL_S)
        assert row["transfer_s"] + row["waiting_s"] == pytest.approx(row["time_s"])
        assert [one["rank"] for one in row["by_rank"]] == list(range(n))
        waits = [one["waiting_s"] for one in row["by_rank"]]
        assert waits == pytest.approx([0.0 if rank == 1 else 2.0 for rank in range(n)])
        assert [one["transfer_s"] for one in row["by_rank"]] == pytest.approx([0.1] * n)
    (send,) = (one for one in profile_rows(profile) if one["operation"] == "Send")
    assert (send["waiting_s"], send["transfer_s"], send["by_rank"][0]["waiting_s"]) == (None, None, None)
    assert profile.most_awaited is not None
    assert (profile.most_awaited.rank, profile.most_awaited.share) == (1, pytest.approx((n - 1) * 4.0 / (n * 20.0)))


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_who_is_waited_for_has_all_that_the_others_wait(n: int) -> None:
    """Of each rank the sum over its own turns, by hand; together it is all of the waiting."""
    profile = late_program(n, in_turn(n))
    of_rank = [sum(0.1 + 0.01 * call for call in range(20) if call % n == rank) for rank in range(n)]
    assert profile.ranks["awaited_s"].to_list() == pytest.approx([(n - 1) * one for one in of_rank])
    assert profile.ranks["waiting_s"].to_list() == pytest.approx([sum(of_rank) - one for one in of_rank])
    assert profile.ranks["awaited_s"].sum() == pytest.approx(profile.calls["waiting_s"].sum())


def test_groups_have_the_sums_of_their_kinds() -> None:
    """Whatever the grouping, calls and times are those of the program; what a group has several of is null."""
    profile = late_program(3, one_late)
    for by in GROUPINGS:
        rows = grouped_rows(profile, by)
        for name in ("calls", "bytes", "time_s", "waiting_s", "transfer_s", "share"):
            total = sum(row[name] for row in rows if row[name] is not None)
            assert total == pytest.approx(profile.calls[name].sum()), (by, name)
        assert [row["time_s"] for row in rows] == sorted((row["time_s"] for row in rows), reverse=True)
        assert sum(one["time_s"] for row in rows for one in row["by_rank"]) == pytest.approx(
            profile.calls["time_s"].sum()
        )
    functions = grouped_rows(profile, "function")
    assert [(row["operation"], row["site"], row["calls"]) for row in functions] == [
        ("Allreduce", None, 60), ("Send", None, 30)
    ]  # fmt: skip
    assert functions[0]["waiting_s"] == pytest.approx(8.0)
    assert functions[1]["waiting_s"] is None
    assert [row["site"] for row in grouped_rows(profile, "place")] == [
        f"program+{one}" for one in ("0x10", "0x20", "0x20")
    ]
    assert [row["operation"] for row in grouped_rows(profile, "communicator")] == [None]


def test_the_sentence_says_for_whom() -> None:
    """One rank where it is nearly all; else the worst with its part."""
    assert "13.5% of it in MPI, 10.0% waiting for rank 1 (MPI)" in profile_sentence(late_program(2, one_late))
    text = profile_sentence(late_program(3, in_turn(3)))
    assert "waiting for late processes, most for rank 1 (" in text
    nobody = profile_sentence(late_program(3, lambda *_: 0.0))
    assert "0.0% waiting for late processes (MPI)" in nobody


def test_the_command_begins_with_what_people_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions, then places, then sizes; of one grouping all outputs; a wrong word is told with those that are."""
    monkeypatch.setattr(command, "load_profile", lambda _: late_program(3, one_late))
    shown = succeed("profile", "show", "prof").out
    titles = [line for line in shown.splitlines() if line.startswith("Time by")]
    assert titles == ["Time by function", "Time by place", "Time by size"]
    assert ["Allreduce", "480", "B", "60", "143", "ms"] in [line.split()[:6] for line in shown.splitlines()]
    few = succeed("profile", "show", "prof", "--by", "place", "--rows", "1").out
    assert few.splitlines()[-1] == "2 more: --by place --rows 0 shows all."
    answer = json.loads(succeed("profile", "show", "prof", "--by", "place", "--json").out)
    assert (answer["schema"], [row["site"] for row in answer["rows"]]) == (
        "ictus.profile-groups/1", ["program+0x10", "program+0x20", "program+0x20"],
    )  # fmt: skip
    assert json.loads(succeed("profile", "show", "prof", "--json").out)["schema"] == "ictus.profile/1"
    assert "by_rank" not in succeed("profile", "show", "prof", "--csv").out
    wrong = run_ictus("profile", "show", "prof", "--by", "colour")
    assert (wrong.code, "function, place, size, communicator, kind" in wrong.err) == (2, True)


@pytest.mark.parametrize("name", ["site", "datatype", "op", "root", "in_place", "ranks", "communicator"])
def test_rows_are_told_apart_in_any_width(name: str) -> None:
    """By the one column in which they differ, which else a narrow terminal has no room for."""
    row = {**profile_rows(late_program(2, one_late))[0], "communicator": "a communicator of a library"}
    values = {"site": ("a.c:1", "b.c:2"), "in_place": (False, True), "root": (0, 1)}.get(name, ("one", "two"))
    shown = [[str(line) for line in lines(profile_table([row, {**row, name: one}]), 40)] for one in values]
    assert shown[0][2] != shown[0][3] or shown[1][2] != shown[1][3]
    alike = [str(line) for line in lines(profile_table([row, row]), 40)]
    assert alike[1].split() == ["function", "bytes", "calls", "share", "of", "time", "waiting"]
