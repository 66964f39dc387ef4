"""`ictus tune` over the simulated launcher: a bad algorithm is planted and found, what is not better is not written."""

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.command_line import Answer, Ictus
from tests.launch_document import forget_checksums
from tests.page_text import read_aloud

import ictus as product
from ictus.programs.redirect.profile import parse_profile

FACTORS = {"bcast": 3.0, "bcast_as_scatter_and_allgather": 1.4}
WORLD = {
    "operation_factors": FACTORS,
    "algorithm_factors": {"bcast=binomial": 0.3, "bcast=chain": 1.5},
    "launch_spread": 0.05,
    "case_spreads": {"bcast": 0.03, "bcast_as_scatter_and_allgather": 0.03},
    "noise": 0.02,
    "launch_s": 0.1,
}
CHECK = ("-m", "mpich", "-n", "4", "--sizes", "64,1Ki", "--guidelines", "GL10", "--launches", "8", "--nrep", "20")
SIMULATED = ("--launcher", "simulated", "--scenario", "world.json")
TUNE = ("tune", "chk", "--seed", "5", "--nrep", "20", "--launches", "8", *SIMULATED)


def checked(ictus: Ictus, world: dict[str, Any], *more: str) -> None:
    """A check in the folder `chk`."""
    Path("world.json").write_text(json.dumps(world))
    answer = ictus("check", *CHECK, "--seed", "3", *SIMULATED, *more, "-o", "chk")
    assert answer.code == 0, answer.err


def tuned(ictus: Ictus, *words: str) -> dict[str, Any]:
    """What a tuning found."""
    answer: Answer = ictus(*TUNE, *words, "--json")
    assert answer.code == 0, answer.err
    return dict(json.loads(answer.out))


@pytest.mark.long
def test_the_planted_algorithm_is_replaced_and_the_check_then_holds(ictus: Ictus) -> None:
    """The library's binomial tree is a third of its own choice: it wins at all sizes, is confirmed, and written; the
    command that checks again, run as it is told, finds no violation.
    """
    checked(ictus, WORLD)
    before = json.loads(ictus("check", "chk", "--json").out)["rows"]
    assert {row["state"] for row in before} == {"violated"}
    found = tuned(ictus, "-o", "tun")
    assert {(row["winner"], row["way"], row["result"]) for row in found["rows"]} == {
        ("bcast=binomial", "algorithm", "confirmed")
    }
    assert [row["size_bytes"] for row in found["rows"]] != []
    assert found["evidence"]["sentence"] == "Evidence: side by side, launches in turn."
    assert "side by side, launches in turn" in Path("tun/tune.html").read_text("utf-8")
    assert all(row["ratio"] == pytest.approx(0.3, rel=0.1) for row in found["rows"])
    assert Path("tun/remedy/mpich/remedy.env").read_text() == "SIMULATED_BCAST=binomial\n"
    assert Path("tun/tune.html").stat().st_size > 10_000
    (again,) = found["recheck"]
    words = shlex.split(again)[1:]
    assert words[0] == "check"
    rechecked = ictus(*words, *SIMULATED, "--json")
    assert rechecked.code == 0, rechecked.err
    assert {row["state"] for row in json.loads(rechecked.out)["rows"]} == {"holds"}


def test_races_and_their_confirmation_are_about_what_the_check_is_about(ictus: Ictus) -> None:
    """A check by the p90 of the longest duration: so are the times of the remedy, and the command that checks again.
    Too few repetitions for it are refused.
    """
    checked(ictus, WORLD, "--sizes", "64", "--metric", "max", "--summary", "p90", "--nrep", "100")
    refused = ictus(*TUNE, "-o", "few")
    assert (refused.code, Path("few").exists()) == (2, False)
    assert "--nrep '20': the check is about p90, which needs 100 or more" in refused.err
    found = tuned(ictus, "-o", "tun", "--nrep", "100")
    assert (found["metric"], found["summary"], found["outliers"]) == ("max", "p90", None)
    (row,) = found["rows"]
    (folder,) = Path("tun/confirm").iterdir()
    campaign = product.load(folder, reduction=product.Reduction("max", "p90"))
    own = campaign.summaries.join(campaign.cases, on="case_id").filter(operation="bcast", size_bytes=64)
    before = own.filter(pl.col("algorithm") == "default")["value"].median()
    assert row["before_s"] == pytest.approx(before)
    assert row["before_s"] > 1.01 * float(own.filter(pl.col("algorithm") == "default")["median"].median())  # type: ignore[arg-type]
    (again,) = found["recheck"]
    assert "--metric max --summary p90" in again


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("binomial", "winner", "change", "files"),
    [
        (
            1.0,
            ("without SIMULATED_BCAST", "removal"),
            "leave out --env SIMULATED_BCAST=chain",
            {"remedy.sh": "unset SIMULATED_BCAST\n"},
        ),
        (
            0.3,
            ("bcast=binomial", "algorithm"),
            "give --env SIMULATED_BCAST=binomial",
            {"remedy.env": "SIMULATED_BCAST=binomial\n"},
        ),
    ],
)
def test_a_forced_bad_algorithm_is_removed_or_replaced(
    ictus: Ictus, binomial: float, winner: tuple[str, str], change: str, files: dict[str, str]
) -> None:
    """The user's variable forces a chain of three times the time. Without it the library takes what the guideline
    allows; a better algorithm takes its place through the same variable. The answer and the files name the variable,
    the explanation says that it is forced, and the check that is told holds.
    """
    factors = {"bcast=binomial": binomial, "bcast=chain": 3.0}
    world = {**WORLD, "operation_factors": {"bcast_as_scatter_and_allgather": 1.4}, "algorithm_factors": factors}
    checked(ictus, world, "--sizes", "64", "--env", "SIMULATED_BCAST=chain")
    explained = json.loads(ictus("check", "chk", "--json").out)
    assert {row["state"] for row in explained["rows"]} == {"violated"}
    found = tuned(ictus, "-o", "tun")
    (row,) = found["rows"]
    assert (row["winner"], row["way"], row["result"]) == (*winner, "confirmed")
    assert row["ratio"] == pytest.approx(binomial / 3, rel=0.1)
    assert ("in your environment", change) in [(one["path"], one["use"]) for one in found["files"]]
    written = {path.name: path.read_text() for path in Path("tun/remedy/mpich").iterdir()}
    assert written.keys() == files.keys()
    assert all(written[name].endswith(text) for name, text in files.items())
    assert change in read_aloud(Path("tun/tune.html").read_text())
    (again,) = found["recheck"]
    clean = ictus(*shlex.split(again)[1:], *SIMULATED, "--json")
    assert {row["state"] for row in json.loads(clean.out)["rows"]} == {"holds"}, clean.err
    (why,) = json.loads(ictus(*TUNE, "-o", "explained", "--explain", "--json").out)["rows"]
    assert "SIMULATED_BCAST (given by --env as chain)" in why["remark"]


def test_a_forced_bad_algorithm_is_removed_though_the_library_itself_violates_the_guideline(ictus: Ictus) -> None:
    """Without the variable the call takes a third, and its mock-up a hundredth less than that: the variable is named,
    and so is what the library violates by itself.
    """
    still = {"noise": 0.001, "launch_spread": 0.001, "case_spreads": {}}
    factors = {"bcast=binomial": 1.2, "bcast=chain": 3.0}
    world = {**WORLD, **still, "operation_factors": {"bcast_as_scatter_and_allgather": 0.99}}
    checked(ictus, {**world, "algorithm_factors": factors}, "--sizes", "64", "--env", "SIMULATED_BCAST=chain")
    found = tuned(ictus, "-o", "tun")
    (row,) = found["rows"]
    assert (row["way"], row["result"]) == ("removal", "confirmed"), row
    assert row["said"].startswith("the library's own choice violates GL10 at 64 B, ratio 1.0")
    assert any("the library's own choice violates GL10 at 64 B" in text for text in found["checked_again"])


NO_ALGORITHM = {**WORLD, "algorithm_factors": {"bcast=binomial": 1.2, "bcast=chain": 1.5}}
"""Where no algorithm of the library is better, what the guideline compares with is."""


def test_a_mockup_becomes_a_profile_and_the_check_then_holds(ictus: Ictus) -> None:
    """It is confirmed through the profile that is written, one line for neighbouring sizes, and the check is clean with
    it: that of the tuning itself, and the command that it tells. Explaining afterwards leaves all of it as it is.
    """
    checked(ictus, NO_ALGORITHM, "--env", "LD_PRELOAD=own.so")
    found = tuned(ictus, "-o", "tun")
    assert {(row["winner"], row["result"]) for row in found["rows"]} == {
        ("bcast_as_scatter_and_allgather", "confirmed")
    }
    (said,) = found["checked_again"]
    assert "the remedied guidelines hold now, and no other guideline is newly violated" in said
    file = Path("tun/remedy/mpich/redirect.profile")
    profile = parse_profile(file.read_text())
    assert [(one.operation, one.n, one.from_bytes, one.to_bytes) for one in profile.reroutes] == [
        ("bcast", 4, 64, 1024)
    ]
    assert {path.name for path in Path("tun/remedy/mpich").iterdir()} == {"redirect.profile"}
    (again,) = found["recheck"]
    assert "LD_PRELOAD=libictus-redirect.so:own.so" in again
    clean = ictus(*shlex.split(again)[1:], *SIMULATED, "--json")
    assert clean.code == 0, clean.err
    assert {row["state"] for row in json.loads(clean.out)["rows"]} == {"holds"}
    page = Path("tun/tune.html").read_bytes()
    assert ictus(*TUNE, "-o", "tun", "--explain").code == 0
    assert (file.is_file(), Path("tun/tune.html").read_bytes()) == (True, page)
    assert Path("tun/explain.html").stat().st_size > 10_000


def test_what_the_redirect_library_costs_counts(ictus: Ictus) -> None:
    """A mock-up that takes half as long, and with the decision before it three quarters: it is faster than the call was
    and slower than what the guideline names. Nothing is written.
    """
    checked(ictus, {**NO_ALGORITHM, "redirect_s": 1e-6}, "--sizes", "64")
    (row,) = tuned(ictus, "-o", "tun")["rows"]
    assert (row["way"], row["result"]) == ("mock-up", "still-violated")
    assert row["ratio"] == pytest.approx((1.4 * 1.064 + 1) / (3 * 1.064), rel=0.1)
    assert not Path("tun/remedy").exists()


PRECISE = {**NO_ALGORITHM, "case_spreads": {}, "noise": 0.001, "redirect_s": 4e-8}


@pytest.mark.long
def test_what_is_rerouted_may_be_slower_than_its_mockup_by_the_decision(ictus: Ictus) -> None:
    """3 % that every launch shows: the mock-up is written, the check that is told is clean with it, and says why. Where
    one launch does not tell that its calls were rerouted nothing is forgiven, and a torn report is an error.
    """
    checked(ictus, PRECISE, "--sizes", "64")
    found = tuned(ictus, "-o", "tun")
    assert {(row["way"], row["result"]) for row in found["rows"]} == {("mock-up", "confirmed")}
    (again,) = found["recheck"]
    clean = json.loads(ictus(*shlex.split(again)[1:], *SIMULATED, "--json").out)
    (row,) = clean["rows"]
    assert (row["state"], row["reason"]) == ("holds", "the call is rerouted to it, and may be up to 5 % slower")
    assert row["ratio"] == pytest.approx(1 + 0.04 / (1.4 * 1.064), rel=0.002)
    assert any("against its own mock-up such a call may be slower by --tolerance" in mark for mark in clean["marks"])
    words = shlex.split(again)
    folder = words[words.index("-o") + 1]
    strict = json.loads(ictus("check", folder, "--tolerance", "0", "--json").out)["rows"]
    assert {row["state"] for row in strict} == {"violated"}
    reports = sorted(Path(folder).glob("launches/*/redirect.json"))
    assert len(reports) == 8
    text = reports[3].read_text()
    reports[3].write_text(text[:100])
    torn = ictus("check", folder, "--json")
    assert (torn.code, str(reports[3]) in torn.err) == (3, True)
    reports[3].unlink()
    forget_checksums(Path(folder))  # it never was there
    assert {row["state"] for row in json.loads(ictus("check", folder, "--json").out)["rows"]} == {"violated"}


BESIDE = """[[guideline]]
name = "scatter-bcast"
left = "scatter"
right = ["bcast"]
"""


def test_a_remedy_that_breaks_another_guideline_is_not_written(ictus: Ictus) -> None:
    """The broadcast gets three times as fast, and a scatter is slower than that: the check that the tuning runs again
    has all guidelines, finds the new violation, and the remedy is dropped. Where no such guideline is checked it is
    written, and the command that checks again takes the user's guidelines along.
    """
    Path("own.toml").write_text(BESIDE)
    own = ("--sizes", "64", "--guidelines", "GL10,user", "--user", "own.toml")
    for factor, result in ((1.5, "breaks"), (0.5, "confirmed")):
        checked(ictus, {**WORLD, "operation_factors": {**FACTORS, "scatter": factor}}, *own)
        found = tuned(ictus, "-o", "tun", "--limit", "3")
        (row,) = found["rows"]
        assert (row["result"], Path("tun/remedy").exists()) == (result, result == "confirmed")
        if result == "breaks":
            assert row["said"] == "scatter-bcast at 64 B"
            assert "1 did not come out clean and is not written" in found["checked_again"][0]
            shutil.rmtree("chk")
            shutil.rmtree("tun")
        else:
            again = shlex.split(found["recheck"][0])[1:]
            clean = ictus(*again, *SIMULATED, "--json")
            assert {(one["guideline"], one["state"]) for one in json.loads(clean.out)["rows"]} == {
                ("GL10", "holds"),
                ("scatter-bcast", "holds"),
            }


@pytest.mark.long
def test_the_next_best_takes_the_place_of_what_breaks_a_guideline(ictus: Ictus) -> None:
    """The library's binomial tree is the fastest, and makes a scatter slower than the broadcast; the mock-up is slower
    than that and does not. It is confirmed in the tree's place, and the check that is told is clean.
    """
    Path("own.toml").write_text(BESIDE)
    own = ("--sizes", "64", "--guidelines", "GL10,user", "--user", "own.toml")
    checked(ictus, {**WORLD, "operation_factors": {**FACTORS, "scatter": 1.2}}, *own)
    found = tuned(ictus, "-o", "tun", "--limit", "3")
    (row,) = found["rows"]
    assert (row["winner"], row["result"]) == ("bcast_as_scatter_and_allgather", "confirmed")
    assert any(
        "bcast=binomial for bcast of 64 B: breaks, scatter-bcast at 64 B" in said for said in found["checked_again"]
    )
    clean = json.loads(ictus(*shlex.split(found["recheck"][0])[1:], *SIMULATED, "--json").out)
    assert {one["state"] for one in clean["rows"]} == {"holds"}


def test_an_honest_library_has_nothing_to_tune(ictus: Ictus) -> None:
    """No violation, no race, no file."""
    checked(ictus, {**WORLD, "operation_factors": {"bcast_as_scatter_and_allgather": 1.4}}, "--launches", "6")
    answer = ictus(*TUNE, "-o", "tun")
    assert answer.code == 0, answer.err
    assert "No guideline is violated: there is nothing to tune." in answer.out
    assert not Path("tun/remedy").exists()
    assert not Path("tun/race").exists()
    undecided = ("--launches", "2", "--seed", "3", *SIMULATED, "-o", "few")
    assert ictus("check", *CHECK, *undecided).code == 0
    said = " ".join(ictus("tune", "few", "--seed", "5", *SIMULATED, "-o", "other").out.split())
    assert "No guideline is found violated, but 1 of them could not be decided: the check" in said


def test_launches_that_can_confirm_nothing_are_said_before_the_race(ictus: Ictus) -> None:
    """At the level of the check, if each of its two calls has a candidate."""
    checked(ictus, WORLD, "--level", "0.001", "--launches", "12")
    answer = ictus(*TUNE[:-4], "--launches", "6", *SIMULATED, "-o", "tun")
    assert answer.code == 0, answer.err
    few = "if every call has a candidate, 6 launches cannot decide any of 2 tests (rank-sum, holm): at least 7 can"
    assert answer.err.index(few) < answer.err.index("look 1")


@pytest.mark.long
def test_a_check_of_another_datatype_is_tuned_with_it(ictus: Ictus) -> None:
    """Its races are of doubles, and its ping-pong of bytes all the same, whose sizes begin at one."""
    checked(ictus, WORLD, "--sizes", "64", "--datatype", "double")
    (row,) = tuned(ictus, "-o", "tun")["rows"]
    assert (row["winner"], row["result"]) == ("bcast=binomial", "confirmed")
    (race,), (pings,) = (sorted(Path("tun", one).rglob("campaign.json")) for one in ("confirm", "pingpong"))
    assert [json.loads(one.read_text())["plan"]["datatype"] for one in (race, pings)] == ["double", "byte"]


def test_a_short_budget_is_kept_and_gone_on_with(ictus: Ictus) -> None:
    """With half a second for launches of a tenth nothing is confirmed and nothing written; with more the same folder
    goes on to what an uninterrupted tuning says.
    """
    checked(ictus, WORLD, "--sizes", "64")
    short = tuned(ictus, "-o", "tun", "--time-budget", "1s")
    assert {row["result"] for row in short["rows"]} <= {"no-time", "nothing-better", "unconfirmed"}
    assert not Path("tun/remedy").exists()
    more = tuned(ictus, "-o", "tun", "--time-budget", "10min")
    whole = tuned(ictus, "-o", "other", "--time-budget", "10min")
    assert more["rows"] == whole["rows"]
    assert {row["result"] for row in more["rows"]} == {"confirmed"}
    again = tuned(ictus, "-o", "tun", "--time-budget", "10min")
    assert again == more, "nothing is measured again"
    as_told = ictus("tune", "chk", "-o", "tun", *SIMULATED, "--json")
    assert as_told.code == 0, as_told.err
    assert json.loads(as_told.out) == more, "what is not said is as it was begun"


def test_explanations_are_of_the_ping_pong(ictus: Ictus) -> None:
    """Latency and bandwidth of the world (a ping-pong takes what a call does), and the algorithms' times from them."""
    checked(ictus, {**WORLD, "noise": 0.0, "launch_spread": 0.0, "case_spreads": {}})
    answer = ictus(*TUNE, "-o", "tun", "--explain", "--json")
    assert answer.code == 0, answer.err
    rows = json.loads(answer.out)["rows"]
    assert len(rows) == 2
    for row in rows:
        assert row["alpha_s"] == pytest.approx(1e-6, rel=1e-3)
        assert row["beta_s"] == pytest.approx(1e-9, rel=1e-3)
        assert row["expected_s"]["binomial"] == pytest.approx(2 * (1e-6 + row["size_bytes"] * 1e-9), rel=1e-3)
    assert "nearest to linear" in " ".join(ictus(*TUNE, "-o", "tun", "--explain").out.split())


def test_what_cannot_be_is_refused_by_name(ictus: Ictus) -> None:
    """A usage error that names option and value; a folder says what it was begun with, or that it is not a check."""
    checked(ictus, WORLD, "--launches", "1", "--sizes", "64")
    for words, said in REFUSED:
        answer = ictus(*TUNE, *(() if "-o" in words else ("-o", "tun")), *words)
        assert answer.code == 2, answer
        assert said in " ".join(answer.err.split())
    assert ictus(*TUNE, "-o", "tun").code == 0
    answer = ictus(*TUNE, "-o", "tun", "--limit", "5")
    assert (answer.code, "holds a tuning that differs in\n  limit: 24 there, 5 asked for" in answer.err) == (2, True)
    nowhere = ictus("tune", "nowhere", *SIMULATED)
    assert nowhere.code == 2
    assert "is not a check of guidelines" in nowhere.err


REFUSED = [
    (("--time-budget", "soon"), "--time-budget 'soon': expected a time such as 90s"),
    (("--time-budget", "0s"), "--time-budget '0s': expected a time above 0"),
    (("--launches", "3"), "--launches"),
    (("-o", "chk"), "-o 'chk' is not a tuning and not empty"),
    (("-o", "other", "--guidelines", "GL3"), "--guidelines 'GL3': the check has GL10"),
]


def refusals(folder: str) -> set[str]:
    """What a tuning remembers that the library cannot run."""
    return {path.name for path in Path(folder).rglob("*.refused")}


def test_a_full_disk_ends_a_tuning_and_says_nothing_of_the_library(
    ictus: Ictus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 3; with room again the same command goes on to the same end."""
    checked(ictus, WORLD, "--sizes", "64", "--retries", "0")
    Path("world.json").write_text(json.dumps({**WORLD, "faults": {str(slot): ["fail"] for slot in range(200)}}))
    with monkeypatch.context() as full:
        full.setattr("ictus.engine.launch_loop._SPACE_NEEDED", 2**80)
        answer = ictus(*TUNE, "-o", "tun")
    assert answer.code == 3
    assert "no space is left on the disk" in answer.err
    assert refusals("tun") == set()
    Path("world.json").write_text(json.dumps(WORLD))
    (row,) = tuned(ictus, "-o", "tun")["rows"]
    assert (row["winner"], row["result"]) == ("bcast=binomial", "confirmed")
