"""Modes of the machine through the whole product: probes of simulated launches, comparison within modes, pages."""

import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import simulate
from tests.command_line import Ictus
from tests.launch_document import forget_checksums

from ictus import load
from ictus.comparison.launch_warnings import launch_warnings

NEAR, FAR = 43e-9, 124e-9
QUIET = {"noise": 0.01, "launch_spread": 0.01}
COMMON = {
    **QUIET,
    "factors": {"openmpi": 1.05},
    "modes": [
        {"share": 0.5, "line_round_trip_s": NEAR},
        {"share": 0.5, "line_round_trip_s": FAR, "factors": {"mpich": 3.0, "openmpi": 3.0}},
    ],
}
"""Far cores take three times as long; mpich is 5 % faster in both modes."""
CROSSED = {
    **QUIET,
    "modes": [
        {"share": 0.5, "line_round_trip_s": NEAR, "factors": {"openmpi": 1.25}},
        {"share": 0.5, "line_round_trip_s": FAR, "factors": {"mpich": 2.5, "openmpi": 2.0}},
    ],
}
"""mpich is a fifth faster when cores are near, and a quarter slower when far."""
MORE = ("--launches", "16", "--op", "bcast", "--sizes", "8,32Ki")


def answer_of(ictus: Ictus, *words: object) -> dict[str, object]:
    """The JSON object of a command that succeeds."""
    answer = ictus(*words, "--json")
    assert answer.code == 0, answer.err
    return dict(json.loads(answer.out))


def test_strata_decide_what_modes_hide(ictus: Ictus, tmp_path: Path) -> None:
    """All cases within modes, none without; both say so."""
    simulate(ictus, tmp_path, "camp", COMMON, *MORE)
    within, without = (answer_of(ictus, "compare", "camp", *more) for more in ((), ("--strata", "off")))
    assert {row["verdict"] for row in within["rows"]} == {"faster"}
    assert {row["verdict"] for row in without["rows"]} == {"undecided"}
    assert [row["ratio"] for row in within["rows"]] == pytest.approx([1 / 1.05] * len(within["rows"]), rel=0.02)
    assert (within["stratified"], without["stratified"], without["modes"]) == (True, False, [])
    assert [mode["line_round_trip_s"] for mode in within["modes"]] == pytest.approx([NEAR, FAR], rel=0.05)
    assert sum(mode["n_launches"] for mode in within["modes"]) == 32
    shown = " ".join(ictus("compare", "camp").out.split())
    assert "within modes of the machine" in shown
    near, far = (mode["n_launches"] for mode in within["modes"])
    assert f"in {near} launches; 2: cores " in shown
    assert f"apart in {far}." in shown


def test_a_ratio_that_depends_on_the_mode_has_a_table_of_modes(ictus: Ictus, tmp_path: Path) -> None:
    """On the terminal, for scripts, on the page and in Markdown."""
    simulate(ictus, tmp_path, "camp", CROSSED, *MORE)
    found = answer_of(ictus, "compare", "camp", "--markdown", "summary.md")
    for row in found["rows"]:
        assert (row["verdict"], row["verdict_text"]) == (
            "distributions-differ",
            "faster or slower by mode",
        )
        near, far = row["by_mode"]
        assert (near["mode"], near["verdict"], far["mode"], far["verdict"]) == (1, "faster", 2, "slower")
        assert (near["ratio"], far["ratio"]) == pytest.approx((0.8, 1.25), rel=0.02)
    shown = ictus("compare", "camp").out
    assert "0.80" in shown.split("1: cores")[1]
    assert "Ratio and verdict of each mode of the machine." in shown
    assert "2: cores" in Path("summary.md").read_text("utf-8").split("Modes of the machine")[1]
    assert ictus("report", "camp").code == 0
    page = Path("camp/report.html").read_text("utf-8")
    assert "Modes of the machine: 1: cores" in page
    assert page.count("slower") >= len(found["rows"])
    assert ictus("report", "camp", "--strata", "off").code == 0
    off = Path("camp/report.html").read_text("utf-8")
    assert "Modes of the machine" not in off
    assert "report camp --strata off" in off


def test_launches_are_shown_with_their_modes(ictus: Ictus, tmp_path: Path) -> None:
    """A row for each, with what its probes measured."""
    simulate(ictus, tmp_path, "camp", COMMON)
    found = answer_of(ictus, "show", "camp", "--launches")
    rows = found["rows"]
    assert len(rows) == 20
    for row in rows:
        near = row["line_round_trip_s"] < 70e-9
        assert row["mode"] == (1 if near else 2)
        assert row["block_round_trip_s"] == pytest.approx(5 * row["line_round_trip_s"], rel=0.2)
        assert (row["multiplications_hz"], row["copy_bytes_per_s"], row["mode_changed"]) == (1e9, 1e10, False)
    shown = ictus("show", "camp", "--launches").out
    assert shown.count("-mpich") == shown.count("-openmpi") == 10
    assert "Modes of the machine: 1: cores 4" in " ".join(shown.split())


def test_a_launch_whose_mode_changed_is_repeated_and_then_in_no_mode(ictus: Ictus, tmp_path: Path) -> None:
    """As often as contended ones; one that changes in every try is kept, and compared with its like only."""
    faults = {"3": ["mode-change"], "5": ["mode-change"] * 3}
    simulate(ictus, tmp_path, "camp", {**COMMON, "faults": faults}, "--contention-retries", "2")
    names = {path.name for path in Path("camp/launches").iterdir()}
    assert {name for name in names if ".try" in name} == {
        next(name for name in names if name.startswith("0003")).partition(".")[0] + ".try1",
        *(next(name for name in names if name.startswith("0005")).partition(".")[0] + f".try{i}" for i in (1, 2)),
    }
    rows = answer_of(ictus, "show", "camp", "--launches")["rows"]
    changed = [row for row in rows if row["mode_changed"]]
    assert [(row["launch"][:4], row["mode"]) for row in changed] == [("0005", None)]
    assert "in 1 unknown, or changed during the launch." in " ".join(ictus("compare", "camp").out.split())
    repeated, during = launch_warnings(load("camp"))
    tries = r"2 of \d+ launches were repeated, and 3 disturbed tries were set aside: launch 3 .*, launch 5 "
    assert re.match(tries, repeated)
    assert re.fullmatch(r"the mode of the machine changed during 1 of \d+ launches: launch 5 \(.*\)", during)


def test_modes_that_follow_the_library_are_not_taken_out(ictus: Ictus, tmp_path: Path) -> None:
    """The second library runs on far cores only: slower is slower, with a warning."""
    simulate(ictus, tmp_path, "camp", COMMON)
    for folder in Path("camp/launches").iterdir():
        head = json.loads((folder / "launch.json").read_text("utf-8"))
        for probe in head["machine"]["probes"]:
            apart = FAR if "openmpi" in folder.name else NEAR
            probe["line_round_trip_s"] = {"min": apart, "max": apart}
        (folder / "launch.json").write_text(json.dumps(head), "utf-8")
    forget_checksums(Path("camp"))
    found = answer_of(ictus, "compare", "camp")
    assert found["stratified"] is False
    assert any("differ between mpich and openmpi by more than chance" in one for one in found["warnings"])


def test_an_unknown_way_to_form_strata_is_refused_by_name(ictus: Ictus, tmp_path: Path) -> None:
    """With what there is."""
    simulate(ictus, tmp_path, "camp", COMMON)
    answer = ictus("compare", "camp", "--strata", "mods")
    assert answer.code == 2
    assert "strata 'mods'" in answer.err
    assert "modes" in answer.err
