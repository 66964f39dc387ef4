"""`ictus compare --baseline --gate`: what a continuous integration runs, over synthetic campaigns."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.conftest import check_golden
from tests.command_line import Ictus
from tests.comparison.junit_schema import check_junit
from tests.launch_document import edit_head
from tests.synthetic import Scenario, latency, write_folder

BASE = Scenario(libraries=("mpich", "openmpi"), sizes=(8, 4096), nrep=60, launches=12)


TOLD = ("--gate", "slower > 3 %", "--markdown", "s.md", "--junit", "j.xml")


def slowed(label: str, operation: str, size: int) -> float:
    """MPICH's allreduce became 10 % slower, its broadcast 1 %; Open MPI, the control, stayed."""
    change = {"allreduce": 1.10, "bcast": 1.01}[operation] if label == "mpich" else 1.0
    return latency(label, operation, size) * change


def regressed(label: str, operation: str, size: int) -> float:
    """`after` is 10 % slower."""
    return latency("mpich", operation, size) * (1.10 if label == "after" else 1.0)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """The baseline."""
    write_folder(tmp_path / "base", BASE)
    return Path("base")


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Earlier campaigns of both libraries, as words: they show how far the distance to the control spreads."""
    folder = tmp_path_factory.mktemp("earlier")
    paths = [write_folder(folder / f"day{number}", replace(BASE, seed=number)) for number in range(3, 9)]
    return tuple(word for path in paths for word in ("--history", str(path)))


def now(folder: Path, **changes: object) -> Path:
    """The campaign on trial, in other launches than the baseline's."""
    write_folder(folder / "now", replace(BASE, seed=2, **changes))  # type: ignore[arg-type]
    return Path("now")


def test_a_slow_down_is_found_and_ends_with_exit_code_1(
    ictus: Ictus, tmp_path: Path, base: Path, earlier: tuple[str, ...]
) -> None:
    """Both sizes of the operation that became 10 % slower hit the gate of 3 %; the other one does not."""
    answer = ictus("compare", now(tmp_path, latency=slowed), "--baseline", base, *earlier, "--gate", "slower > 3 %")
    assert (answer.code, answer.err) == (1, "ictus: gate 'slower > 3 %' is hit by 2 of 4 cases\n")


def test_summary_and_junit_say_the_same(ictus: Ictus, tmp_path: Path, base: Path, earlier: tuple[str, ...]) -> None:
    """Whole texts of the Markdown summary and the JUnit XML, which is valid."""
    folder = now(tmp_path, latency=slowed)
    answer = ictus("compare", folder, "--baseline", base, *earlier, *TOLD)
    assert answer.code == 1
    check_golden("gate.md", (tmp_path / "s.md").read_text("utf-8"))
    text = (tmp_path / "j.xml").read_text("utf-8")
    check_golden("gate.xml", text)
    suite = check_junit(text)
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")
    assert {test.get("classname") for test in suite.iter("testcase") if test.find("failure") is not None} == {
        "MPI_Allreduce"
    }


def test_no_slow_down_is_not_reported(ictus: Ictus, tmp_path: Path, base: Path, earlier: tuple[str, ...]) -> None:
    """The same world in other launches: exit code 0, no failure; one summary is appended to another."""
    folder = now(tmp_path)
    words = ("compare", folder, "--baseline", base, *earlier, *TOLD)
    assert [ictus(*words).code, ictus(*words).code] == [0, 0]
    assert check_junit((tmp_path / "j.xml").read_text("utf-8")).get("failures") == "0"
    summary = (tmp_path / "s.md").read_text("utf-8")
    assert summary.count("more than 3 %): not hit by any of 4 cases.") == 2


def test_a_proven_slow_down_inside_the_margin_does_not_hit(
    ictus: Ictus, tmp_path: Path, base: Path, earlier: tuple[str, ...]
) -> None:
    """At 10 % the gate of 9 % is not hit, although every estimate may lie beyond it: the interval reaches back."""
    folder = now(tmp_path, latency=slowed)
    rows = json.loads(ictus("compare", folder, "--baseline", base, *earlier, "--json").out)["rows"]
    ratios = [row["ratio"] for row in rows if row["case"]["operation"] == "allreduce"]
    share = f"{100 * (min(ratios) - 1) - 0.05:.2f} %"
    assert all(row["verdict"] == "slower" for row in rows if row["ratio"] in ratios)
    assert ictus("compare", folder, "--baseline", base, *earlier, "--gate", f"slower > {share}").code == 0


def test_campaigns_of_different_shape_are_matched_by_identity(
    ictus: Ictus, tmp_path: Path, base: Path, earlier: tuple[str, ...]
) -> None:
    """Cases and libraries that only one side has are rows of the table, the summary, JUnit and JSON; none is compared,
    and a gate passes over them only where it is told to.
    """
    folder = now(tmp_path, libraries=("mpich", "openmpi", "third"), sizes=(8, 512), operations=("bcast",))
    words = ("compare", folder, "--baseline", base, *earlier, *TOLD)
    answer = ictus(*words)
    assert answer.code == 2
    said = "gate 'slower > 3 %' cannot be answered: nothing is known of 6 of 7 pairs in 5 cases: MPI_Bcast 512 B n=2 ("
    assert said in " ".join(answer.err.split())
    summary = (tmp_path / "s.md").read_text("utf-8")
    assert "**cannot be answered**; nothing is known of 6." in summary
    assert "only in now:third; it is not in the plan of base:third" in summary
    assert check_junit((tmp_path / "j.xml").read_text("utf-8")).get("errors") == "6"
    allowed = ictus(*words, "--allow-missing", "--json")
    assert (allowed.code, "gate not hit; nothing is known of 6 of 7 pairs" in allowed.err) == (0, True)
    suite = check_junit((tmp_path / "j.xml").read_text("utf-8"))
    assert (suite.get("errors"), suite.get("skipped")) == ("0", "6")
    document = json.loads(allowed.out)
    assert document["gate"] == {
        "condition": "slower > 3 %",
        "judges": "now:mpich slower than base:mpich; now:third slower than base:third by more than 3 %",
        "hit_by": 0,
        "unanswered": 0,
    }
    rows = [(row["a"], row["case"]["operation"], row["case"]["size_bytes"], row["verdict"]) for row in document["rows"]]
    assert [row[:3] for row in rows if row[3] != "missing"] == [("now:mpich", "bcast", 8)]
    assert rows[:3] == [
        ("now:mpich", "bcast", 8, rows[0][3]),
        ("now:mpich", "bcast", 512, "missing"),
        ("now:mpich", "bcast", 4096, "missing"),
    ]


def test_what_else_changed_is_named(ictus: Ictus, tmp_path: Path, base: Path) -> None:
    """Another processor, kernel and library version: each by name with both values; what is unknown never differs."""
    folder = now(tmp_path)
    path = tmp_path / folder / "campaign.json"
    document = json.loads(path.read_text())
    document["machine"] |= {"cpu_model": "Another processor", "kernel": "6.2.0", "governor": "unknown"}
    document["libraries"][0]["version"] = "5.1.0"
    path.write_text(json.dumps(document))
    warned = " ".join(ictus("compare", folder, "--baseline", base).err.split())
    machine = "kernel 6.2.0 against 6.1.0, cpu model Another processor against A processor of arithmetic"
    assert f"the machine differs: {machine}" in warned
    assert "library mpich differs: version 5.1.0 against 5.0.2" in warned
    assert "governor" not in warned


def test_settings_that_changed_are_named_and_what_every_launch_has_anew_is_not(
    ictus: Ictus, tmp_path: Path, base: Path
) -> None:
    """A control variable that was set in all launches; not one that differs from launch to launch, nor a path."""
    folder = now(tmp_path)
    for number, path in enumerate(sorted((tmp_path / folder).glob("launches/*mpich*/launch.json"))):
        environment = {
            "MPIR_CVAR_BCAST_INTRA_ALGORITHM": "binomial",
            "OMPI_MCA_initial_wdir": "/here",
            "ICTUS_LAUNCH": f"a{number}",
            "UCX_RANDOM": str(number),
        }
        edit_head(path, environment=environment)
    warned = " ".join(ictus("compare", folder, "--baseline", base).err.split())
    expected = "the environment of mpich differs: MPIR_CVAR_BCAST_INTRA_ALGORITHM binomial against unset"
    assert warned == f"warning: {expected}"


def test_equal_campaigns_warn_of_nothing(ictus: Ictus, tmp_path: Path, base: Path) -> None:
    """Same machine, same library: no warning at all."""
    assert ictus("compare", now(tmp_path), "--baseline", base).err == ""


def test_undecided_cases_are_skipped_tests_and_said(ictus: Ictus, tmp_path: Path) -> None:
    """Two baselines of three launches decide nothing: the gate is not hit, and nobody can take that for a pass."""
    folder = now(tmp_path, launches=3)
    for number in (3, 4):
        write_folder(tmp_path / f"few{number}", replace(BASE, launches=3, seed=number))
    answer = ictus("compare", folder, "--against", "few3", "few4", "--gate", "slower > 3 %", "--junit", "j.xml")
    assert (answer.code, "4 of 4 cases are undecided or cannot be decided" in answer.err) == (0, True)
    suite = check_junit((tmp_path / "j.xml").read_text("utf-8"))
    assert (suite.get("skipped"), suite.get("failures")) == ("4", "0")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--junit", "j.xml"), "--junit 'j.xml': a test fails where it hits a gate; name one"),
        (("./base", "--baseline", "base"), "--baseline 'base': 'base' is there to be compared with already"),
        (("--baseline", "nowhere"), "'nowhere' does not exist"),
        (("--baseline", "now"), "'now' against itself"),
        (("--gate", "slower 3"), "--gate 'slower 3': expected 'slower > 3 %'"),
        (("--allow-missing",), "--allow-missing: only a gate passes over cases; name one"),
    ],
)
def test_what_cannot_be_is_refused(ictus: Ictus, tmp_path: Path, base: Path, words: tuple[str, ...], said: str) -> None:
    """Exit code 2, and a sentence that names option and value."""
    answer = ictus("compare", now(tmp_path), *words)
    assert (answer.code, said in answer.err) == (2, True), answer.err


def test_a_summary_that_cannot_be_written_is_no_gate(ictus: Ictus, tmp_path: Path, base: Path) -> None:
    """It is refused before anything is compared, by the option's name, although the gate would be hit too."""
    folder = now(tmp_path, latency=slowed)
    answer = ictus("compare", folder, "--baseline", base, "--gate", "slower", "--markdown", "missing/s.md")
    assert (answer.code, answer.out) == (2, "")
    assert "--markdown 'missing/s.md': the folder 'missing' does not exist" in answer.err


def test_a_baseline_of_another_library_is_refused_unless_both_are_named(
    ictus: Ictus, tmp_path: Path, base: Path
) -> None:
    """Library by library there is nothing to compare: exit code 2 and both names; named, they are compared."""
    folder = now(tmp_path, libraries=("mpich",))
    write_folder(tmp_path / "other", replace(BASE, libraries=("openmpi",)))
    refused = ictus("compare", folder, "--baseline", "other")
    assert refused.code == 2
    assert "the campaigns share no library: mpich against openmpi" in " ".join(refused.err.split())
    named = ictus("compare", folder, "mpich", "openmpi", "--baseline", "other")
    assert (named.code, "mpich / openmpi" in named.out) == (0, True), named.err


@pytest.fixture
def regression(tmp_path: Path) -> Path:
    """One campaign of `before` and `after`, in this order in the plan."""
    write_folder(tmp_path / "both", replace(BASE, libraries=("before", "after"), latency=regressed))
    return Path("both")


def test_a_gate_of_a_direction_does_not_guess_which_side_is_judged(ictus: Ictus, regression: Path) -> None:
    """Before the fix the order of the plan decided: `before` was not slower than `after`, and the regression passed."""
    answer = ictus("compare", regression, "--gate", "slower > 3 %")
    assert answer.code == 2
    assert "a gate with a direction needs a reference. Name the old library with --reference" in answer.err
    assert "ictus compare both --reference before --gate 'slower > 3 %'" in answer.err
    for order in (("before", "after"), ("after", "before")):  # of two names nobody knows which is the old one
        named = ictus("compare", regression, *order, "--gate", "slower > 3 %")
        assert named.code == 2
        assert "needs a reference" in named.err
        assert ictus("compare", regression, *order, "--gate", "different > 3 %").code == 1
    assert ictus("compare", regression, "after", "--reference", "before", "--gate", "slower > 3 %").code == 1
    assert ictus("compare", regression, "before", "--reference", "after", "--gate", "slower > 3 %").code == 0
    assert ictus("compare", regression, "before", "--reference", "after", "--gate", "faster > 3 %").code == 1


def test_a_gate_judges_all_others_against_its_reference_and_says_so(ictus: Ictus, regression: Path) -> None:
    """Whatever the order of the plan. The other way round `before` is not slower, and that is said too."""
    words = ("compare", regression, "--gate", "slower > 3 %", "--reference")
    found = ictus(*words, "before")
    assert (found.code, found.err) == (1, "ictus: gate 'slower > 3 %' is hit by 4 of 4 cases\n")
    assert "Gate: after slower than before by more than 3 %." in found.out
    assert "before faster" in found.out
    other = ictus(*words, "after")
    assert (other.code, "Gate: before slower than after by more than 3 %." in other.out) == (0, True)
    gate = json.loads(ictus(*words, "before", "--json").out)["gate"]
    judges = "after slower than before by more than 3 %"
    assert gate == {"condition": "slower > 3 %", "judges": judges, "hit_by": 4, "unanswered": 0}


def test_a_reference_is_compared_with_everything_else_and_nothing_twice(ictus: Ictus, tmp_path: Path) -> None:
    """Of three libraries two pairs; a reference that is not there, or is named besides, is refused."""
    write_folder(tmp_path / "three", replace(BASE, libraries=("mpich", "openmpi", "third")))
    document = json.loads(ictus("compare", "three", "--reference", "openmpi", "--json").out)
    assert {(row["a"], row["b"]) for row in document["rows"]} == {("mpich", "openmpi"), ("third", "openmpi")}
    assert document["ranking"] == []
    for more, said in (
        (("--reference", "openmpj"), "did you mean 'openmpi'"),
        (("mpich", "third", "--reference", "openmpi"), "'mpich' is compared with 'third' already"),
        (("mpich", "--reference", "mpich"), "the campaign has nothing else to compare with it"),
        (("--reference", "mpich", "--baseline", "both"), "'both' does not exist"),
    ):
        answer = ictus("compare", "three", *more)
        assert (answer.code, said in answer.err) == (2, True), answer.err


def test_a_gate_without_a_direction_needs_no_sides(ictus: Ictus, regression: Path) -> None:
    """Different is different both ways."""
    assert ictus("compare", regression, "--gate", "different > 3 %").code == 1
    assert ictus("compare", regression, "--gate", "undecided").code == 0
