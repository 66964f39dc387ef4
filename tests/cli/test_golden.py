"""Whole texts of the commands that read, over campaigns of the simulated launcher."""

import csv
import functools
import io
import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import WORLD, check_golden, simulate, without_world
from tests.command_line import Ictus
from tests.synthetic import Scenario, write_folder


def test_show_in_a_hundred_columns(ictus: Ictus, measured: Path) -> None:
    """Every library's cases with intervals, ranges, valid share and skew."""
    answer = ictus("show", measured)
    check_golden("show.txt", answer.out)
    assert (answer.code, answer.err) == (0, "")
    assert all(len(line) <= 100 and line == line.rstrip() for line in without_world(answer.out).splitlines())


def test_compare_in_a_hundred_columns(ictus: Ictus, measured: Path) -> None:
    """Medians, ratio with interval, p with stars, verdict; then the result in sentences."""
    answer = ictus("compare", measured)
    check_golden("compare.txt", answer.out)
    assert (answer.code, answer.err) == (0, "")
    assert all(len(line) <= 100 and line == line.rstrip() for line in without_world(answer.out).splitlines())


def test_at_eighty_columns_both_medians_stay(ictus: Ictus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict is shortened where it must be; the medians of both sides stay."""
    monkeypatch.setenv("COLUMNS", "80")
    noisy = {"factors": {"mpich": 1.0, "openmpi": 1.04}, "launch_spread": 0.2, "noise": 0.05, "bandwidth": 4e9}
    folder = simulate(ictus, tmp_path, "noisy", noisy)
    answer = ictus("compare", folder)
    check_golden("compare_80_columns.txt", answer.out)
    assert all(len(line) <= 80 for line in without_world(answer.out).splitlines())


def test_compare_on_a_narrow_terminal(ictus: Ictus, measured: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 60 columns the least important columns are given up; ratio, interval and verdict stay."""
    monkeypatch.setenv("COLUMNS", "60")
    answer = ictus("compare", measured)
    check_golden("compare_60_columns.txt", answer.out)
    assert all(len(line) <= 60 for line in without_world(answer.out).splitlines())


def test_compare_the_other_way_round(ictus: Ictus, measured: Path) -> None:
    """A and B in the order named: the ratio is the other one, `slower` turns into `faster`."""
    check_golden("compare_openmpi_mpich.txt", ictus("compare", measured, "openmpi", "mpich").out)


def test_compare_as_json(ictus: Ictus, measured: Path) -> None:
    """One object with schema, warnings and rows; each row has the promised keys."""
    answer = ictus("compare", measured, "--json")
    document = json.loads(answer.out)
    assert (document["schema"], document["warnings"]) == ("ictus.compare/1", [])
    promised = {"case", "a", "b", "ratio", "ratio_low", "ratio_high", "p_value", "p_adjusted", "stars", "verdict"}
    assert len(document["rows"]) == 8
    for row in document["rows"]:
        assert promised | {"p_less", "p_greater"} <= set(row)
        assert {"operation", "size_bytes", "n", "procsync"} <= set(row["case"])
        assert row["ratio_low"] <= row["ratio"] <= row["ratio_high"]
    check_golden("compare.json", json.dumps(_rounded(document), indent=1) + "\n")


def test_compare_as_csv(ictus: Ictus, measured: Path) -> None:
    """A header line and a line for each case, the case's factors as columns of their own."""
    rows = list(csv.DictReader(io.StringIO(ictus("compare", measured, "--csv").out)))
    assert [row["operation"] for row in rows] == ["bcast"] * 4 + ["allreduce"] * 4
    assert {"mpich"} == {row["a"] for row in rows}
    assert all(0.5 < float(row["ratio"]) < 1 for row in rows)


def test_show_as_json_and_csv_have_the_same_rows(ictus: Ictus, measured: Path) -> None:
    """Both are the same rows, times in seconds."""
    document = json.loads(ictus("show", measured, "--json").out)
    rows = list(csv.DictReader(io.StringIO(ictus("show", measured, "--csv").out)))
    assert document["schema"] == "ictus.show/1"
    assert [row["median_s"] for row in document["rows"]] == [float(row["median_s"]) for row in rows]
    assert 1e-7 < document["rows"][0]["median_s"] < 1e-5


def test_procsyncs_of_the_same_launches_are_compared_pair_by_pair(ictus: Ictus, tmp_path: Path) -> None:
    """With --by procsync the launches are shared: signed-rank, and one block for each library."""
    folder = simulate(ictus, tmp_path, "syncs", WORLD, "--procsync", "window,barrier(library)")
    check_golden("compare_by_procsync.txt", ictus("compare", folder, "--by", "procsync").out)


def test_two_folders_are_compared_apart_or_through_a_control(ictus: Ictus, measured: Path, tmp_path: Path) -> None:
    """A campaign in a world that is a quarter slower: every shared library, first folder against second; and MPICH by
    its distance to Open MPI, which hardly changed.
    """
    slower = {**WORLD, "factors": {"mpich": 1.25, "openmpi": 1.4}}
    folder = simulate(ictus, tmp_path, "slow", slower, "--launches", "8")
    apart = ictus("compare", measured, folder, "--control", "none").out
    check_golden("compare_two_folders.txt", re.sub(r"time \([^)]*\)", "time (1 h)", apart))
    check_golden("compare_through_a_control.txt", ictus("compare", measured, folder).out)


def test_a_lost_case_is_na_with_a_warning_and_never_zero(ictus: Ictus, tmp_path: Path) -> None:
    """All samples late: NA in table and JSON, and a warning; exit code 2, as no case can be compared."""
    folder = simulate(ictus, tmp_path, "lost", {**WORLD, "late_share": 1.0}, "--op", "bcast", "--sizes", "8")
    answer = ictus("compare", folder)
    assert answer.code == 2
    check_golden("compare_lost.txt", answer.out)
    check_golden("compare_lost_warnings.txt", answer.err)
    row = json.loads(ictus("compare", folder, "--json").out)["rows"][0]
    assert (row["ratio"], row["median_a_s"], row["verdict"]) == (None, None, "not-comparable")


def test_latencies_near_the_error_of_the_clocks_are_marked(ictus: Ictus, tmp_path: Path) -> None:
    """A proven error of 150 ns: what takes less than 1.5 µs is marked in the table, explained under it and true in the
    rows for scripts; what takes longer is neither.
    """
    folder = simulate(ictus, tmp_path, "near", {**WORLD, "clock_bound_s": 150e-9})
    check_golden("show_near_clock_bound.txt", ictus("show", folder).out)
    document = json.loads(ictus("show", folder, "--json").out)
    assert (document["clock_bound_asked_s"], document["clock_bound_reached_s"]) == (None, 150e-9)
    shown = document["rows"]
    assert {row["clock_bound_s"] for row in shown} == {150e-9}
    assert [row["near_clock_bound"] for row in shown] == [row["median_s"] < 1.5e-6 for row in shown]
    assert {row["near_clock_bound"] for row in shown} == {True, False}
    compared = list(csv.DictReader(io.StringIO(ictus("compare", folder, "--csv").out)))
    for side in "ab":
        marks = [row[f"near_clock_bound_{side}"] for row in compared]
        assert marks == ["true" if float(row[f"median_{side}_s"]) < 1.5e-6 else "false" for row in compared]
        assert {float(row[f"clock_bound_{side}_s"]) for row in compared} == {150e-9}


def test_a_bound_that_nobody_proved_marks_nothing(ictus: Ictus, tmp_path: Path) -> None:
    """Clocks that are not synchronised, or synchronised without a bound: null, never false certainty about a mark."""
    folder = simulate(ictus, tmp_path, "unsynchronised", WORLD, "--clocksync", "none", "--procsync", "barrier(library)")
    assert "†" not in ictus("show", folder).out
    rows = json.loads(ictus("show", folder, "--json").out)["rows"]
    assert {(row["clock_bound_s"], row["near_clock_bound"]) for row in rows} == {(None, False)}


def test_few_launches_say_that_they_cannot_decide(ictus: Ictus, tmp_path: Path) -> None:
    """Three launches against three can never reach 5 %: that is said, instead of "no difference"."""
    folder = simulate(ictus, tmp_path, "few", WORLD, "--launches", "3")
    check_golden("compare_few_launches.txt", ictus("compare", folder).out)


def _rounded(value: object) -> object:
    """Numbers to nine digits: the last bits differ between processors."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value


def test_three_libraries_are_ranked_with_ties_as_groups(ictus: Ictus, tmp_path: Path) -> None:
    """The test over all, groups, then every pair; and which factors matter, for two vary."""
    folder = write_folder(tmp_path / "three", _three())
    answer = ictus("compare", folder.name)
    check_golden("compare_three.txt", answer.out)
    assert (answer.code, answer.err) == (0, "")
    assert all(len(line) <= 100 and line == line.rstrip() for line in without_world(answer.out).splitlines())


def test_three_libraries_for_scripts(ictus: Ictus, tmp_path: Path) -> None:
    """JSON has all tables under their names, `--rows` makes one of them the rows; CSV has the one."""
    folder = write_folder(tmp_path / "three", _three())
    document = json.loads(ictus("compare", folder.name, "--json").out)
    assert (document["schema"], len(document["rows"])) == ("ictus.compare/1", 12)
    assert [row["name"] for row in document["ranking"][:3]] == ["mpich", "openmpi", "third"]
    ranked = list(csv.DictReader(io.StringIO(ictus("compare", folder.name, "--rows", "ranking", "--csv").out)))
    assert [(row["name"], row["group"]) for row in ranked] == [
        (row["name"], row["group"]) for row in document["ranking"]
    ]
    shares = json.loads(ictus("compare", folder.name, "--rows", "shares", "--json").out)
    assert (shares["schema"], shares["rows"]) == ("ictus.compare-shares/1", document["shares"])
    assert [row["factor"] for row in shares["rows"]] == ["mpi", "procsync", "(together)", "(launches)"]
    total = sum(row[key] or 0 for row in shares["rows"] for key in ("alike", "by_case"))
    assert total == pytest.approx(1, rel=1e-9)
    refused = ictus("compare", folder.name, "--rows", "groups")
    assert (refused.code, "known: pairs, ranking, shares" in refused.err) == (2, True)


def test_the_page_has_ranking_and_shares(ictus: Ictus, tmp_path: Path) -> None:
    """Sections of their own; by environment there is no page, and the error says what there is."""
    folder = write_folder(tmp_path / "three", _three())
    assert ictus("report", folder.name).code == 0
    html = (folder / "report.html").read_text("utf-8")
    assert 'id="ranking"' in html
    assert 'id="shares"' in html
    assert "Nothing is proven faster than mpich in 4 of 4 cases, openmpi in 2 and third in none." in html
    refused = ictus("report", folder.name, "--by", "env.OMPI_MCA_btl")
    assert (refused.code, "ictus compare three --by env.OMPI_MCA_btl" in refused.err) == (2, True)


@functools.cache
def _three() -> Scenario:
    """Three libraries: the second 1 % behind for small messages and 6 % for large ones, the third 20 % behind; under
    two starts.
    """

    def latency(label: str, _operation: str, size: int) -> float:
        behind = {"mpich": 1.0, "openmpi": 1.01 if size == 8 else 1.06, "third": 1.2}[label]
        return behind * (1e-6 + size / 4e9)

    return Scenario(
        libraries=("mpich", "openmpi", "third"),
        operations=("bcast",),
        sizes=(8, 4096),
        procsyncs=("window", "barrier(library)"),
        procsync_factor={"barrier": 1.1},
        latency=latency,
        nrep=40,
    )
