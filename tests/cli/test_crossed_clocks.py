"""Clocks and their synchronisations crossed in one campaign: each combination has launches of its own."""

import json
from pathlib import Path

import pytest

from ictus.model.plan import Plan

from .conftest import Ictus

ONE_CASE = ("--launcher", "simulated", "-m", "a", "-m", "b", "--op", "bcast", "--sizes", "8")
WORDS = (*ONE_CASE, "--launches", "4", "--nrep", "20")
CROSSED = ("--clock", "tsc,monotonic", "--clocksync", "hca3,jk")


@pytest.fixture
def folder(ictus: Ictus) -> str:
    """Two libraries, two clocks, two synchronisations, four launches of each."""
    answer = ictus("run", *WORDS, *CROSSED, "-o", "crossed")
    assert answer.code == 0, answer.err
    return "crossed"


def test_each_launch_has_the_clocks_of_its_cases(folder: str, ictus: Ictus) -> None:
    """As the core was told, recorded by it, and as the schedule was computed again."""
    cases = {one["case_id"]: one for one in json.loads(Path(folder, "campaign.json").read_text())["cases"]}
    slots = json.loads(Path(folder, "schedule.json").read_text())["slots"]
    assert len(slots) == 2 * 4 * 4
    for slot in slots:
        head = json.loads(next(Path(folder).glob(f"launches/{slot['slot']:04d}-*/launch.json")).read_text())
        own = {(cases[one]["clock"], cases[one]["clocksync"]) for one in slot["cases"]}
        assert own == {(head["clock"]["spec"], head["clocksync"]["spec"])}
    verified = ictus("verify", folder)
    assert verified.code == 0, verified.out + verified.err


def test_a_launch_that_measures_cases_of_another_clock_is_found(folder: str, ictus: Ictus) -> None:
    """The schedule of the seed has each case where its clock is."""
    path = Path(folder, "schedule.json")
    schedule = json.loads(path.read_text())
    first = schedule["slots"][0]
    other = next(one for one in schedule["slots"] if one["cases"] != first["cases"])
    first["cases"], other["cases"] = other["cases"], first["cases"]
    schedule.pop("checksum", None)
    path.write_text(json.dumps(schedule))
    assert ictus("verify", folder).code == 1


@pytest.mark.few(1)
@pytest.mark.parametrize(("by", "a", "b"), [("clocksync", "hca3", "jk"), ("clock", "tsc", "monotonic")])
def test_they_are_compared_between_launches(folder: str, ictus: Ictus, by: str, a: str, b: str) -> None:
    """A row for each library and value of the other; the test is that of independent launches."""
    answer = ictus("compare", folder, "--by", by, "--json")
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    assert found["test"] == "rank-sum"
    assert len(found["rows"]) == 4
    assert {(row["a"].partition("(")[0], row["b"].partition("(")[0]) for row in found["rows"]} == {(a, b)}
    assert all(row["n_a"] == row["n_b"] == 4 for row in found["rows"])
    assert ictus("compare", folder).code == 0
    assert ictus("report", folder).code == 0
    assert ictus("show", folder).code == 0


def test_dry_run_counts_the_launches_of_each(ictus: Ictus) -> None:
    """Four combinations of four launches."""
    answer = ictus("run", *WORDS, *CROSSED, "--dry-run")
    assert "Launches: 16 of each library" in answer.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("run", *WORDS, *CROSSED, "--until", "2 %", "-o", "no"),
            "launches are added with one clock",
        ),
        (("lens", *ONE_CASE, *CROSSED, "-o", "no"), "--clock 'tsc,monotonic': one is measured at a time here"),
        (("lens", *ONE_CASE, "--pin", "cores,none", "-o", "no"), "--pin 'cores,none': one is measured at a time here"),
        (("procsync", "times", *ONE_CASE, "--pin", "cores,none", "-o", "no"), "one is measured at a time here"),
        (("check", *ONE_CASE[:6], "--clocksync", "hca3,jk", "-o", "no"), "guidelines are checked with one at a time"),
        (("reproduce", *ONE_CASE[:6], "--clocksync", "hca3,jk", "-o", "no"), "one is reproduced at a time"),
        (("run", *WORDS, "--clocksync", "ictus,none", "-o", "no"), "needs a global time, and clocksync is 'none'"),
        (
            ("run", *WORDS, "--clocksync", "ictus,hca3", "--clock-bound", "100ns", "-o", "no"),
            "'hca3' does not learn until that bound is reached",
        ),
    ],
)
def test_what_needs_one_clock_or_setting_refuses_several(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """By name, before anything is measured."""
    answer = ictus(*words)
    assert answer.code == 2, answer.out + answer.err
    assert said in " ".join(answer.err.split())
    assert not Path("no", "campaign.json").exists()


def test_files_of_earlier_versions_have_one_and_are_written_as_they_were() -> None:
    """A text where there is one, a list where there are several; both are read."""
    one = Plan.from_values({"clock": "wtime"})
    assert one.values()["clock"] == "wtime"
    several = Plan.from_values({"clock": "tsc,wtime"})
    assert several.values()["clock"] == ["tsc", "wtime"]
    assert Plan.from_values(several.values()) == several


def test_a_study_crosses_settings_and_values_with_a_dash_are_compared(ictus: Ictus) -> None:
    """Starts in two builds of the core; then the builds, whose names look like options."""
    words = (*WORDS, "--procsync", "window,barrier", "--core-flags=-O1", "--core-flags=-O3", "-o", "builds")
    answer = ictus("barriers", "impact", *words, "--json")
    assert answer.code == 0, answer.err
    rows = json.loads(answer.out)["rows"]
    assert {row["algorithm"] for row in rows} == {"core-flags=-O1", "core-flags=-O3"}
    compared = json.loads(ictus("compare", "builds", "--by", "core-flags", "--json", "--", "-O1", "-O3").out)["rows"]
    assert {(row["a"], row["b"]) for row in compared} == {("-O1", "-O3")}
    predicted = ictus("nrep", *WORDS[:8], "--core-flags=-O1", "--core-flags=-O3", "-o", "pred", "--json")
    assert predicted.code == 0, predicted.err
