"""`ictus barriers impact` and the factor `algorithm` over simulated campaigns with planted truths."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.cli.conftest import check_golden
from tests.command_line import Ictus

FAIR = {"factors": {"openmpi": 1.05}, "launch_spread": 0.05, "noise": 0.05}
"""mpich is 5 % faster whatever the start."""
SWAPPED = {
    **FAIR,
    "procsync_factors": {"openmpi:barrier": 0.9, "barrier": 1.2},
    "procsync_skews_s": {"barrier": 4e-7, "window": 3e-8},
}
"""A barrier costs mpich 20 % and gains openmpi 10 %: openmpi wins under barriers, mpich elsewhere."""
STARTS = ("--procsync", "none,window,barrier(library)")
CASES = ("--op", "bcast", "--sizes", "8,8Ki", "--launches", "12", "--nrep", "20", "--seed", "3")


def impact(ictus: Ictus, folder: Path, world: dict[str, Any], *more: str, name: str = "study") -> Any:
    """The command in a simulated world, two libraries."""
    (folder / "world.json").write_text(json.dumps(world))
    where = ("--launcher", "simulated", "--scenario", folder / "world.json", "-m", "mpich", "-m", "openmpi")
    return ictus("barriers", "impact", *where, *CASES, *STARTS, "-o", name, *more)


def shown(ictus: Ictus, name: str = "study", *more: str) -> dict[str, Any]:
    """The study in the folder as JSON."""
    answer = ictus("barriers", "impact", name, *more, "--json")
    assert answer.code == 0, answer.err
    document: dict[str, Any] = json.loads(answer.out)
    return document


def test_a_planted_change_of_winner_is_found_and_explained(ictus: Ictus, tmp_path: Path) -> None:
    """Both sizes are named, with who wins under which start and how far apart the ranks started there."""
    answer = impact(ictus, tmp_path, SWAPPED)
    assert answer.code == 0, answer.err
    check_golden("impact_changes.txt", answer.out)
    assert all(len(line) <= 100 and line == line.rstrip() for line in answer.out.splitlines())
    assert shown(ictus)["evidence"]["sentence"] == "Evidence: side by side, in the same launches."
    winners = shown(ictus)["winners"]
    assert [(one["size_bytes"], one["outcome"]) for one in winners] == [(8, "changes"), (8192, "changes")]
    by_start = {duel["procsync"]: duel for duel in winners[0]["duels"]}
    assert {name.partition("(")[0]: duel["winner"] for name, duel in by_start.items()} == {
        "none": "mpich",
        "window": "mpich",
        "barrier": "openmpi",
    }
    assert by_start["barrier(algorithm=library)"]["start_skew_a_s"] == pytest.approx(4e-7)


def test_no_change_is_said_where_there_is_none(ictus: Ictus, tmp_path: Path) -> None:
    """One library is faster under every start: it holds, and no cell is named."""
    answer = impact(ictus, tmp_path, FAIR)
    assert "No case is proven in which the winner between mpich and openmpi changes" in answer.out
    assert {one["outcome"] for one in shown(ictus)["winners"]} == {"holds"}
    assert "wins with" not in answer.out


def test_the_start_alone_is_measured_against_the_reference(ictus: Ictus, tmp_path: Path) -> None:
    """Planted: barriers make mpich 1.2 and openmpi 0.9 times as slow as a window, paired within launches."""
    impact(ictus, tmp_path, SWAPPED)
    document = shown(ictus)
    assert (document["reference"], document["norm"]) == ("window", "smallest")
    rows = {(row["mpi"], row["size_bytes"], row["procsync"].partition("(")[0]): row for row in document["rows"]}
    for mpi, truth, verdict in (("mpich", 1.2, "slower"), ("openmpi", 0.9, "faster")):
        row = rows[mpi, 8, "barrier"]
        assert row["ratio_low"] < truth < row["ratio_high"]
        assert row["verdict"] == verdict
        assert rows[mpi, 8, "none"]["verdict"] == "same"
        assert rows[mpi, 8, "window"]["ratio"] is None
    smallest = min(rows["mpich", 8, name]["median_s"] for name in ("none", "window", "barrier"))
    assert rows["mpich", 8, "barrier"]["normalised"] == pytest.approx(
        rows["mpich", 8, "barrier"]["median_s"] / smallest
    )
    other = {
        row["procsync"].partition("(")[0]: row for row in shown(ictus, "study", "--norm", "barrier(library)")["rows"]
    }
    assert other["barrier"]["normalised"] == 1


@pytest.mark.figures
def test_the_study_is_a_campaign_that_is_gone_on_with(ictus: Ictus, tmp_path: Path) -> None:
    """The same command again measures nothing; the page is written whole, the same each time; CSV has every row."""
    impact(ictus, tmp_path, SWAPPED)
    page = Path("study/impact.html").read_text("utf-8")
    entries = len(Path("study/journal.jsonl").read_text().splitlines())
    assert impact(ictus, tmp_path, SWAPPED).code == 0
    launches = [json.loads(line) for line in Path("study/journal.jsonl").read_text().splitlines()[entries:]]
    assert not [entry for entry in launches if entry["event"] == "launch"]
    assert Path("study/impact.html").read_text("utf-8") == page
    assert page.count("<svg") >= 3 + 6
    for words in ("Normalised medians", ": changes<", "ranks start"):
        assert words in page
    assert len(ictus("barriers", "impact", "study", "--csv").out.splitlines()) == 1 + 2 * 2 * 3
    assert ictus("compare", "study").code == 0


def test_the_page_warns_of_disturbed_launches_and_explains_what_it_shows(ictus: Ictus, tmp_path: Path) -> None:
    """The warning of the terminal stands on the page; stars and the column of skews are the terminal's alone."""
    answer = impact(ictus, tmp_path, {**SWAPPED, "faults": {"1": ["contended"]}}, "--contention-retries", "0")
    said = "disturbed by others on their cores"
    page = Path("study/impact.html").read_text("utf-8")
    assert said in answer.err
    assert "Stars: " in answer.out
    assert ('id="warnings"' in page, said in page) == (True, True)
    assert "Stars: " not in page
    assert "Skew: mean start skew" not in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--reference", "harmonise"),
            "unknown process synchronisation 'harmonise' of --reference; known: none, window, barrier(l",
        ),
        (("--norm", "smalest"), "unknown process synchronisation 'smalest' of --norm"),
        (("--nrep", "5"), "--nrep with 'study': what was measured is shown as it is; leave out the option"),
        (("--quick",), "--quick with 'study'"),
        (("--equivalence", "x"), "--equivalence 'x': expected a share"),
    ],
)
def test_bad_input_of_a_study_is_named(ictus: Ictus, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    """Option, value, what is allowed; exit code 2."""
    impact(ictus, tmp_path, FAIR, "--launches", "1")
    answer = ictus("barriers", "impact", "study", *words)
    assert answer.code == 2
    assert message in answer.err


def test_one_start_is_nothing_to_compare(ictus: Ictus, tmp_path: Path, measured: Path) -> None:
    """Refused before anything is measured, and of a campaign that has only one."""
    answer = ictus("barriers", "impact", "--procsync", "window", "-o", "x")
    assert (answer.code, "--procsync 'window': two or more are needed" in answer.err) == (2, True)
    assert not Path("x").exists()
    answer = ictus("barriers", "impact", measured)
    assert (answer.code, "has one process synchronisation (window(" in answer.err) == (2, True)


def algorithms(ictus: Ictus, folder: Path, world: dict[str, Any], *more: str) -> Any:
    """A campaign of two libraries with MPI_Allreduce by its ring and as the library chooses."""
    (folder / "world.json").write_text(json.dumps(world))
    where = ("--launcher", "simulated", "--scenario", folder / "world.json", "-m", "mpich", "-m", "openmpi")
    plan = ("--op", "bcast,allreduce", "--sizes", "8", "--launches", "10", "--nrep", "20", "--seed", "1")
    return ictus("run", *where, *plan, "-o", "camp", *more)


def test_a_planted_effect_of_an_algorithm_is_found(ictus: Ictus, tmp_path: Path) -> None:
    """The ring is 1.5 times slower for MPI_Allreduce of each library, and MPI_Bcast is what it was. Libraries are
    compared with the same algorithm on both sides.
    """
    answer = algorithms(
        ictus,
        tmp_path,
        {
            "algorithm_factors": {"allreduce=ring": 1.5},
            "factors": {"openmpi": 2.0},
            "noise": 0.02,
            "launch_spread": 0.01,
        },
        "--algorithm",
        "allreduce=1,default",
    )
    assert answer.code == 0, answer.err
    compared = ictus("compare", "camp", "allreduce=ring", "default", "--by", "algorithm")
    check_golden("compare_algorithms.txt", compared.out)
    rows = json.loads(ictus("compare", "camp", "allreduce=ring", "--by", "algorithm", "--json").out)["rows"]
    assert {(row["case"]["mpi"], row["case"]["operation"], row["verdict"]) for row in rows} == {
        (mpi, operation, verdict)
        for mpi in ("mpich", "openmpi")
        for operation, verdict in (("allreduce", "slower"), ("bcast", "same"))
    }
    libraries = json.loads(ictus("compare", "camp", "--json").out)["rows"]
    assert [row["case"]["algorithm"] for row in libraries] == ["default", "allreduce=ring"] * 2
    assert all(0.49 < row["ratio"] < 0.51 for row in libraries)
    assert "algorithm allreduce=ring" in ictus("show", "camp").out
    assert ictus("report", "camp", "--by", "algorithm").code == 0


@pytest.mark.parametrize(
    ("words", "world", "message"),
    [
        (
            "allreduce=rong",
            {},
            "unknown algorithm 'rong' for allreduce in mpich, did you mean 'ring'? known: default, ring, ",
        ),
        ("scan=ring", {}, "mpich offers no choice for scan; it does for allreduce, barrier, bcast"),
        ("allreduce", {}, "expected OPERATION=NAME,..."),
        ("allreduce=ring", {"ignores_algorithms": True}, "algorithm 'allreduce=ring' is not in force"),
    ],
)
def test_an_algorithm_that_cannot_be_is_refused(
    ictus: Ictus, tmp_path: Path, words: str, world: dict[str, Any], message: str
) -> None:
    """Unknown names before anything is measured, exit code 2; one that a library ignores with its first launch, exit
    code 3, for something was measured. Said once.
    """
    answer = algorithms(ictus, tmp_path, world, "--algorithm", words)
    assert answer.code == (3 if world else 2)
    assert answer.err.count(message) == 1


def test_a_campaign_from_before_algorithms_is_read(ictus: Ictus, measured: Path) -> None:
    """Without the key in schedule.json and plan, and without the column in its Parquet files: all was the default."""
    before = ictus("compare", measured).out
    schedule = json.loads((measured / "schedule.json").read_text())
    for slot in schedule["slots"]:
        del slot["algorithm"]
    (measured / "schedule.json").write_text(json.dumps(schedule))
    manifest = json.loads((measured / "campaign.json").read_text())
    del manifest["algorithms"], manifest["plan"]["algorithm"]
    (measured / "campaign.json").write_text(json.dumps(manifest))
    for path in measured.glob("launches/*/s*.parquet"):
        pl.read_parquet(path).drop("algorithm").write_parquet(path)
    assert ictus("compare", measured).out == before
    assert ictus("report", measured).code == 0


def test_algorithms_are_listed_for_libraries_alone(ictus: Ictus) -> None:
    """-m belongs to `algorithms`; an unknown family is told of it too."""
    answer = ictus("list", "barrier", "-m", "mpich")
    assert (
        answer.code,
        "-m mpich: only `ictus list algorithms`, `operations` and `mockups` ask libraries" in answer.err,
    ) == (2, True)
    assert "did you mean 'algorithms'" in ictus("list", "algoritms").err


def test_launches_that_can_decide_no_cell_are_said_before_they_are_measured(ictus: Ictus, tmp_path: Path) -> None:
    """Five launches: the smallest p of the signed-rank test is 2 / 2^5. Two sizes, two libraries, two starts beside the
    reference are eight cells.
    """
    answer = impact(ictus, tmp_path, FAIR, "--launches", "5")
    needed = next(n for n in range(1, 20) if 8 * 2 / 2**n <= 0.05)
    said = f"5 launches cannot decide any of 8 tests (signed-rank, holm): at least {needed} can"
    assert f"{said}; give --launches {needed}" in answer.err
    headline = f"Nothing is proven yet: 5 launches are too few to tell any of 8 cases from window; {needed} can."
    assert headline in " ".join(answer.out.split())
    assert "cannot decide any" not in impact(ictus, tmp_path, FAIR, "--launches", str(needed), name="enough").err
