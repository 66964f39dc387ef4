"""`ictus check` over the simulated launcher: what is violated is known beforehand."""

import contextlib
import csv
import io
import json
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import check_golden, without_world
from tests.cli.test_page_commands import command_of
from tests.command_line import Answer, Ictus
from tests.page_text import read_aloud

from ictus.cli.main import main
from ictus.guidelines.catalogue import catalogue
from ictus.guidelines.check.algorithm_trace import TracedCall, read_traces, write_traces
from ictus.guidelines.check.analysis import verdicts_of
from ictus.guidelines.check.explaining import alike, by_function, selected_algorithm_of, signature_of, tuning_of
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.model.algorithm import CallSignature
from ictus.model.errors import MeasurementError
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.store.campaign import load
from ictus.store.check import read_check, split_folders
from ictus.store.manifest import read_manifest

WORLD = {
    "factors": {"mpich": 1.0, "openmpi": 1.12},
    "launch_spread": 0.04,
    "noise": 0.05,
    "bandwidth": 4e9,
    "operation_factors": {
        "mpich:gather": 1.6,
        "openmpi:allreduce:512": 2.4,
        "mpich:bcast:4096": 12.0,
    },
}
"""A gather slower than its mock-ups at every size, an allreduce that its next size beats, a bcast worth splitting."""
GUIDELINES = "GL1,GL2,GL3,GL4,GL10,GL12"
SIMULATED = ("--launcher", "simulated", "--scenario", "world.json", "-m", "mpich", "-m", "openmpi")
PLAN = ("-n", "4", "--sizes", "8,512,4Ki", "--nrep", "20", "--launches", "12", "--seed", "3")
CHECK = ("check", *SIMULATED, *PLAN, "--guidelines", GUIDELINES)
GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.mark.long
def test_all_launches_of_a_check_and_its_tuning_are_placed_as_asked(ictus: Ictus) -> None:
    """Nodes, ranks on each and their order are those of both; a second number of nodes is refused."""
    Path("world.json").write_text(json.dumps({"operation_factors": {"mpich:allreduce": 20.0}}))
    world = ("--launcher", "simulated", "--scenario", "world.json")
    words = ("-m", "mpich", "--guidelines", "GL12", "--sizes", "8", "--launches", "7", "--nrep", "10", "--seed", "3")
    places = ("--nodes", "2", "--ppn", "2", "--map-by", "node")
    checked = ictus("check", *world, *words, *places, "--no-confirm", "-o", "chk", "--json")
    assert json.loads(checked.out)["rows"], checked.err
    assert ictus("tune", "chk", *world, "--launches", "6", "--limit", "3", "--json").code == 0
    found = [load(one.parent).plan for one in Path().glob("chk*/**/campaign.json")]
    assert len(found) > 1
    assert {(one.nodes, one.ppn, one.map_by, one.processes) for one in found} == {((2,), (2,), ("node",), (4,))}
    Path("plan.toml").write_text("nodes = [1, 2]\nn = 4\n")
    assert "nodes 1,2: guidelines are checked with one at a time" in ictus("check", "plan.toml", *world).err


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A check that was measured and confirmed, made once: copies of it are worked on."""
    folder = tmp_path_factory.mktemp("check")
    (folder / "world.json").write_text(json.dumps(WORLD))
    before = Path.cwd()
    os.chdir(folder)
    with contextlib.suppress(SystemExit), pytest.MonkeyPatch.context() as patched:
        patched.setattr("ictus.guidelines.check.command.check_page", lambda *_: "")
        main([*CHECK, "-o", "chk", "--csv"])
    os.chdir(before)
    return folder


@pytest.fixture(autouse=True)
def plain_page(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dozens of figures take longer than all the rest: only who looks at the page has it drawn."""
    if "page" not in request.node.name:
        monkeypatch.setattr("ictus.guidelines.check.command.check_page", lambda *_: "")


@pytest.fixture
def checked(whole: Path, tmp_path: Path, ictus: Ictus) -> Path:
    """The check as the folder `chk` of the current one."""
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    return Path("chk")


def test_the_tables_of_the_paper_at_a_hundred_columns(ictus: Ictus, checked: Path) -> None:
    """Counts, patterns by library, guidelines by size, costs, sentences; nothing is measured again."""
    answer = ictus("check", checked)
    out = without_world(answer.out)
    check_golden("check_100.txt", out)
    check_golden("check_100_errors.txt", answer.err)
    assert answer.code == 0
    assert all(len(line) <= 100 and line == line.rstrip() for line in out.splitlines())


def test_the_tables_at_eighty_columns(ictus: Ictus, checked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns are given up or names shortened; the dots stay."""
    monkeypatch.setenv("COLUMNS", "80")
    answer = ictus("check", checked)
    check_golden("check_80.txt", without_world(answer.out))
    assert all(len(line) <= 80 for line in without_world(answer.out).splitlines())


def test_what_was_made_slow_is_what_is_violated(checked: Path) -> None:
    """The guidelines of the scenario's factors, at their sizes, in their libraries, and no other."""
    found = {(one.place.library, one.rule.name, str(one.rule.left), one.size_bytes) for one in violated(checked)}
    gather = {("mpich", name, "gather", size) for name in ("GL3", "GL4") for size in (8, 512, 4096)}
    allreduce = {("openmpi", name, "allreduce", 512) for name in ("GL1", "GL12")}
    bcast = {("mpich", name, "bcast", 4096) for name in ("GL2", "GL10")}
    assert found == gather | allreduce | bcast


def violated(folder: Path) -> list[GuidelineVerdict]:
    """The violated verdicts of a check."""
    return [one for one in verdicts_of(folder) if one.state is State.VIOLATED]


def test_a_predicted_split_was_measured_as_one_operation(checked: Path) -> None:
    """The campaign of the confirmation has k calls in a row, and the call, in every launch; its verdict is a test's."""
    (split,) = split_folders(checked)
    manifest = read_manifest(split)
    assert {(str(case.operation), case.size_bytes) for case in manifest.cases} == {
        ("repeated(operation=bcast,times=8)", 512),
        ("bcast", 4096),
    }
    assert load(split).complete
    (one,) = [one for one in violated(checked) if one.kind is Kind.SPLIT]
    assert (one.confirmed, one.times, one.right_size_bytes) == (True, 8, 512)
    assert one.p_adjusted is not None
    assert one.p_adjusted < 0.05
    assert one.ratio == pytest.approx(12 * (1e-6 + 4096 / 4e9) / (8 * (1e-6 + 512 / 4e9)), rel=0.05)


def test_without_confirmation_it_is_only_predicted(ictus: Ictus, checked: Path) -> None:
    """No p-value, a warning with the command; `--step confirm` then measures it."""
    shutil.rmtree(checked / "split")
    answer = ictus("check", checked, "--no-confirm", "--json")
    document = json.loads(answer.out)
    (row,) = [row for row in document["rows"] if row["state"] == "predicted"]
    assert (row["kind"], row["p_value"], row["confirmed"]) == ("split", None, False)
    assert any("`ictus check chk --step confirm`" in text for text in document["warnings"])
    assert "○ predicted by medians" in ictus("check", checked, "--step", "analyze").out
    assert not split_folders(checked)
    confirmed = ictus("check", checked, "--step", "confirm", *SIMULATED[:4], "--json")
    assert not [row for row in json.loads(confirmed.out)["rows"] if row["state"] == "predicted"]
    assert load(checked / "split").complete


BROAD = {
    "noise": 0.02,
    "operation_factors": {"mpich:ialltoallv:512": 9.0, "mpich:pingpong:4096": 12.0, "mpich:bcast:512": 9.0},
}
"""A nonblocking v form that its next size beats, a round trip worth splitting, and a broadcast that nobody asks for."""
NAMED = "MPI_Ialltoallv,pingpong,neighbor_allgather,reduce_init,barrier"


def test_monotony_and_splits_are_checked_of_any_operation(ictus: Ictus, tmp_path: Path) -> None:
    """Of those named, and no other: what was planted is found, confirmed by k calls in a row, and nothing else blamed.
    What has no sizes, and a size of no data, are said to be left out.
    """
    (tmp_path / "world.json").write_text(json.dumps(BROAD))
    plan = ("-n", "4", "--sizes", "0,8,512,4Ki", "--nrep", "20", "--launches", "12", "--seed", "3")
    answer = ictus("check", *SIMULATED[:6], *plan, "--op", NAMED, "-o", "chk", "--json")
    document = json.loads(answer.out)
    found = {
        (row["guideline"], row["left"].partition("(")[0], row["size_bytes"])
        for row in document["rows"]
        if row["state"] == "violated"
    }
    assert found == {("GL1", "ialltoallv", 512), ("GL2", "pingpong", 4096)}
    assert {row["guideline"] for row in document["rows"]} == {"GL1", "GL2"}
    assert {row["left"].partition("(")[0] for row in document["rows"]} == {
        "ialltoallv",
        "pingpong",
        "neighbor_allgather",
        "reduce_init",
    }
    (split,) = [row for row in document["rows"] if row["confirmed"]]
    assert (split["times"], split["right_size_bytes"]) == (8, 512)
    assert document["left_out"] == [
        "GL1 of barrier: it moves no data, so that there is no larger size",
        "GL2 of barrier: it moves no data, so that there is nothing to split",
        "GL2 at 0 B: a call without data can neither be split nor be a part",
    ]
    assert ictus("check", "chk", "--op", NAMED).code == 0
    other = ictus("check", "chk", "--op", "bcast")
    assert (other.code, f"--op bcast: 'chk' holds a check with {NAMED}; give another -o" in other.err) == (2, True)


def test_an_operation_alone_is_checked_by_all_that_is_said_of_it(ictus: Ictus, tmp_path: Path) -> None:
    """`--op allreduce` asked two questions of five; those of other operations are not asked, and --guidelines decides
    where it is given.
    """
    (tmp_path / "world.json").write_text("{}")
    plan = ("-n", "4", "--sizes", "8,512", "--nrep", "5", "--launches", "6", "--op", "allreduce", "--dry-run")
    asked = ictus("check", *SIMULATED[:6], *plan).out.splitlines()[0].partition(": ")[2].split(", ")
    paper = [one for one in catalogue(Registries.load()) if one.source is Source.PAPER]
    said = {one.name for one in paper if one.left.name == "allreduce"}
    assert set(asked) == said
    assert {"GL1", "GL2", "GL12", "GL13"} <= said
    assert ictus("check", *SIMULATED[:6], *plan, "--guidelines", "GL1").out.startswith("1 guideline: GL1\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--op", "barrier"), "no guideline applies: GL1 of barrier: it moves no data"),
        (
            ("--op", "bcast", "--guidelines", "GL1,GL2", "--sizes", "8"),
            "GL1 of bcast: all sizes move 8 B; monotony needs two",
        ),
        (
            ("--op", "bcast", "--guidelines", "GL1,GL2", "--sizes", "0,8"),
            "GL2 of bcast: all sizes above 0 B move 8 B; splitting needs two",
        ),
        (("--op", "bcast", "--guidelines", "GL3"), "--guidelines GL3 has neither; name one, or leave --op out"),
        (("--op", "bcst"), "unknown operation 'bcst', did you mean"),
    ],
)
def test_where_nothing_can_grow_or_be_split_the_message_says_so(
    ictus: Ictus, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    """No data, one size, a size of no data, no such guideline, no such operation."""
    (tmp_path / "world.json").write_text("{}")
    plan = ("-n", "4", "--sizes", "8,512", "--nrep", "5", "--launches", "6", "--seed", "3", "--adjust", "none")
    answer = ictus("check", *SIMULATED[:6], *plan, *words, "-o", "a")
    assert said in answer.err
    assert answer.code == (0 if "0,8" in words else 2), answer.err


def test_a_layout_of_the_plan_is_that_of_all_guidelines(ictus: Ictus, tmp_path: Path) -> None:
    """Those of one call and patterns alike, at whole units; a barrier has none."""
    (tmp_path / "world.json").write_text("{}")
    words = ("--guidelines", "GL1,GL5,ibcast-bcast,barrier-*", "--op", "pingpong", "--layout", "vector(3,4)")
    plan = ("-n", "4", "--sizes", "8,512", "--nrep", "5", "--launches", "6", "--adjust", "none")
    answer = ictus("check", *SIMULATED[:6], *plan, *words, "-o", "a", "--json")
    assert answer.code == 0, answer.err
    found = {(row["guideline"], row["layout"].partition("(")[0], row["size_bytes"]) for row in rows(answer)}
    sizes = {"GL1": (9,), "GL5": (9, 513), "ibcast-bcast": (9, 513)}
    assert found == {
        *((name, "vector", size) for name, own in sizes.items() for size in own),
        ("barrier-allreduce", "basic", 0),
    }


def test_a_plan_file_names_operations_too(ictus: Ictus, tmp_path: Path) -> None:
    """As a list, with uneven counts and a guideline of the file's own."""
    (tmp_path / "world.json").write_text("{}")
    (tmp_path / "p.toml").write_text(
        'op = ["allgatherv", "igatherv"]\ncounts = "linear"\nn = 4\nsizes = "8,512"\nlaunches = 6\nnrep = 5\n'
        'adjust = "none"\n[[guideline]]\nname = "own"\nleft = "allgatherv"\nright = "alltoallv"\n'
    )
    answer = ictus("check", "p.toml", *SIMULATED[:6], "--json")
    assert answer.code == 0, answer.err
    assert {(row["guideline"], row["left"]) for row in json.loads(answer.out)["rows"]} == {
        *((name, left) for name in ("GL1", "GL2") for left in ("allgatherv", "igatherv")),
        ("own", "allgatherv"),
    }
    assert {str(case.counts) for case in read_manifest(Path("p")).cases} != {"equal"}


def test_json_has_every_verdict_and_how_it_was_judged(ictus: Ictus, checked: Path) -> None:
    """One object; rows as `verdicts_of` has them; numbers survive the way through text."""
    document = json.loads(ictus("check", checked, "--json").out)
    assert document["schema"] == "ictus.check/1"
    assert (document["test"], document["adjust"], document["launches"]) == ("signed-rank", "holm", 12)
    assert document["marks"] == ["simulated launches: numbers of a scenario, not of a machine"]
    assert document["evidence"]["sentence"] == "Evidence: side by side, in the same launches."
    verdicts = verdicts_of(checked)
    assert [row["loss_s"] for row in document["rows"]] == [one.loss_s for one in verdicts]
    assert [row["state"] for row in document["rows"]] == [one.state.value for one in verdicts]
    rows = list(csv.DictReader(io.StringIO(ictus("check", checked, "--csv").out)))
    assert [row["ratio"] for row in rows] == ["" if v.ratio is None else str(v.ratio) for v in verdicts]


def test_violations_are_a_gate_only_where_that_was_asked_for(ictus: Ictus, checked: Path) -> None:
    """Exit code 1 and how many; without the option 0."""
    assert ictus("check", checked).code == 0
    answer = ictus("check", checked, "--fail-on-violation")
    assert (answer.code, "guidelines are violated" in answer.err) == (1, True)


def test_a_side_without_a_valid_sample_is_no_pass(ictus: Ictus) -> None:
    """Nothing is violated and one size has no number: exit code 2, which says it, but for --allow-missing."""
    Path("world.json").write_text(json.dumps({"noise": 0.02, "late_shares": {"bcast:8:": 1.0}}))
    plan = ("-m", "mpich", "-n", "2", "--sizes", "8,512,4Ki", "--nrep", "10", "--launches", "8", "--seed", "3")
    words = ("check", *SIMULATED[:4], *plan, "--guidelines", "GL1", "--op", "bcast", "-o", "lost")
    assert ictus(*words).code == 0
    gate = ("check", "-o", "lost", "--fail-on-violation")
    answer = ictus(*gate)
    assert answer.code == 2
    assert "--fail-on-violation cannot be answered: nothing is known of 1 of 2 tests, first of " in answer.err
    assert ictus(*gate, "--allow-missing").code == 0
    assert "--allow-missing: only a gate passes over cases" in ictus("check", "-o", "lost", "--allow-missing").err


def test_other_tests_and_levels_can_be_tried_on_what_was_measured(ictus: Ictus, checked: Path) -> None:
    """The paper's rank-sum, Kolmogorov and Smirnov's, a level that nothing reaches; the folder keeps its own."""
    for test in ("rank-sum", "kolmogorov-smirnov"):
        document = json.loads(ictus("check", checked, "--test", test, "--json").out)
        assert document["test"] == test
        assert any(row["state"] == "violated" for row in document["rows"])
    strict = json.loads(ictus("check", checked, "--level", "1e-9", "--json").out)
    assert {row["state"] for row in strict["rows"] if row["p_value"] is not None} <= {"cannot-decide"}
    assert read_check(checked).options["test"] == "signed-rank"


@pytest.mark.long
@pytest.mark.figures
def test_the_page_has_the_tables_and_a_section_for_each_violation(ictus: Ictus, checked: Path) -> None:
    """The dearest first, with figures whose sizes are shaded."""
    ictus("check", checked)
    page = read_aloud((checked / "check.html").read_text("utf-8"))
    assert page.index("MPI_Bcast(n) ≤ MPI_Scatter(n)") < page.index("MPI_Gather(n) ≤ MPI_Allgather(n)")
    for text in ("Patterns by library", "By message size", "Violated sizes", "Simulated launches"):
        assert text in page
    assert "4 KiB: violated" in page


def test_a_check_goes_on_where_a_launch_was_killed(ictus: Ictus, checked: Path, whole: Path) -> None:
    """Launches that are gone are measured again, with the same numbers as before; the others are left alone."""
    before = verdicts_of(checked)
    for name in ("0004-openmpi", "0007-mpich", "0019-mpich"):
        for found in (checked / "launches").glob(f"{name[:4]}-*"):
            shutil.rmtree(found)
    kept = (checked / "launches").glob("0002-*")
    times = [path.stat().st_mtime_ns for path in kept]
    answer = ictus("check", checked, *SIMULATED[:4])
    assert answer.code == 0, answer.err
    assert "21 of 24 launches are there" in answer.err
    assert [path.stat().st_mtime_ns for path in (checked / "launches").glob("0002-*")] == times
    assert [(one.state, one.left_s) for one in verdicts_of(checked)] == [(one.state, one.left_s) for one in before]


def test_an_interrupted_check_says_how_to_go_on(ictus: Ictus, tmp_path: Path) -> None:
    """Exit code 3 and the command; that command ends it."""
    (tmp_path / "stopped.json").write_text(json.dumps({**WORLD, "faults": {"3": ["interrupt"]}}))
    (tmp_path / "world.json").write_text(json.dumps(WORLD))
    few = ("-m", "mpich", "-n", "2", "--sizes", "8", "--nrep", "5", "--launches", "6", "--guidelines", "GL8")
    stopped = ictus("check", "--launcher", "simulated", "--scenario", "stopped.json", *few, "-o", "a")
    assert stopped.code == 3
    said = "`ictus check -o a --launcher simulated --scenario stopped.json` continues with the rest"
    assert f"3 of 6 launches are complete; {said}" in stopped.err
    onward = ictus("check", "-o", "a", *SIMULATED[:4], "--json")
    assert (onward.code, len(json.loads(onward.out)["rows"])) == (0, 1)


def test_steps_one_by_one(ictus: Ictus, tmp_path: Path) -> None:
    """Step nrep predicts and ends, measure takes its counts, analyze shows; each says what comes next."""
    (tmp_path / "world.json").write_text(json.dumps(WORLD))
    few = (*SIMULATED, "-n", "2", "--sizes", "8,64", "--launches", "6", "--guidelines", "GL8", "--seed", "1")
    rule = ("--nrep", "auto(max=60,launches=2)")
    first = ictus("check", *few, *rule, "--step", "nrep", "-o", "a")
    assert (first.code, (tmp_path / "a" / "campaign.json").exists()) == (0, False)
    assert load(tmp_path / "a" / "nrep").complete
    assert "continues" in first.err
    early = ictus("check", "a", "--step", "analyze")
    assert early.code == 2
    second = ictus("check", "a", *SIMULATED[:4], "--step", "measure")
    assert second.code == 0, second.err
    counts = {one.nrep for one in read_manifest(tmp_path / "a").plan.predicted}
    assert counts
    assert max(counts) <= 60
    assert len(json.loads(ictus("check", "a", "--json").out)["rows"]) == 4


def test_a_plan_file_may_say_everything(ictus: Ictus, tmp_path: Path) -> None:
    """Plan, choice, test and guidelines of one's own in one file; the folder is named after it."""
    (tmp_path / "world.json").write_text(json.dumps(WORLD))
    (tmp_path / "mine.toml").write_text(
        """
        mpi = ["mpich"]
        n = 2
        sizes = "8,64"
        launches = 6
        nrep = 5
        seed = 2
        guidelines = "user"
        test = "rank-sum"
        tolerance = "10 %"

        [[guideline]]
        name = "bcast-scan"
        left = "bcast"
        right = "scan"
        """
    )
    answer = ictus("check", "mine.toml", *SIMULATED[:4], "--json")
    assert answer.code == 0, answer.err
    document = json.loads(answer.out)
    assert (document["test"], document["tolerance"]) == ("rank-sum", 0.1)
    assert {row["guideline"] for row in document["rows"]} == {"bcast-scan"}
    assert {str(case.operation) for case in read_manifest(tmp_path / "mine").cases} == {"bcast", "scan"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--step", "measur"), "unknown --step 'measur', did you mean 'measure'?"),
        (("--guidelines", "GL99"), "guideline 'GL99' (--guidelines)"),
        (("--guidelines", "user"), "name one by --user FILE"),
        (("--guidelines", ""), "--guidelines"),
        (("--guidelines", "GL3,,"), "a list has an empty item"),
        (("--user", "no.toml"), "--user 'no.toml' cannot be read: No such file or directory"),
        (("--test", "welch"), "unknown test 'welch' (--test)"),
        (("--tolerance", "5"), "--tolerance '5': write 5 % or 0.05"),
        (("--tolerance", "little"), "--tolerance 'little': expected a share"),
        (("--level", "2"), "level"),
        (("--adjust", "bonferroni"), "adjust"),
        (("--launches", "0"), "--launches"),
        (("--sizes", "8..x"), "size 'x'"),
        (("--procsync", "window,barrier"), "--procsync window,barrier: guidelines are checked with one at a time"),
        (("--datatype", "real"), "unknown datatype 'real'"),
        (("--operator", "sum"), "operator 'sum' with datatype 'byte'"),
        (("--json", "--csv"), "choose one"),
        (("--nrep", "nowhere"), "'nowhere' does not exist"),
        (("no.toml",), "plan 'no.toml'"),
    ],
)
def test_what_cannot_be_is_refused_with_option_value_and_what_is_allowed(
    ictus: Ictus, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    """Exit code 2, before anything is measured; nothing is left behind but what was there."""
    (tmp_path / "world.json").write_text(json.dumps(WORLD))
    plan = ("-n", "2", "--sizes", "8", "--nrep", "5") if not {"--sizes", "--nrep"} & set(words) else ()
    answer = ictus("check", *SIMULATED, *plan, *words, "-o", "a")
    assert (answer.code, said in answer.err) == (2, True), answer.err
    assert not (tmp_path / "a" / "launches").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--guidelines", "GL3,GL5"), "--guidelines GL3,GL5: 'chk' holds a check of GL1, GL2, GL3, GL4, GL10, GL12;"),
        (("--sizes", "8,16"), "sizes: 8,512,4096 there, 8,16 asked for"),
        (("--launches", "5"), "launches: 12 there, 5 asked for"),
        (("-o", "other"), "two folders"),
    ],
)
def test_another_check_is_not_mixed_with_the_one_of_the_folder(
    ictus: Ictus, checked: Path, words: tuple[str, ...], said: str
) -> None:
    """The error says what is there and what was asked for."""
    answer = ictus("check", checked, *words)
    assert (answer.code, said in answer.err) == (2, True), answer.err


@pytest.mark.long
def test_guidelines_of_a_check_may_be_shown_alone(ictus: Ictus, checked: Path) -> None:
    """By name or pattern, judged as all of them were, which the gate heeds too."""
    every = {(row["guideline"], row["left"], row["size_bytes"]): row for row in rows(ictus("check", checked, "--json"))}
    some = rows(ictus("check", checked, "--guidelines", "gl3", "--json"))
    assert {row["guideline"] for row in some} == {"GL3"}
    assert all(row == every[row["guideline"], row["left"], row["size_bytes"]] or row["mpi"] == "mpich" for row in some)
    text = ictus("check", checked, "--guidelines", "GL12").out
    assert "Splits are predicted" not in text
    assert ictus("check", checked, "--guidelines", "GL1", "--fail-on-violation").code == 1


def rows(answer: Answer) -> list[dict[str, Any]]:
    """Of an answer in JSON."""
    return list(json.loads(answer.out)["rows"])


def test_more_launches_may_be_added(ictus: Ictus, tmp_path: Path) -> None:
    """Too few are named before anything is measured; the ones that are there stay, and then it can be decided."""
    (tmp_path / "world.json").write_text(json.dumps(WORLD))
    few = ("-m", "mpich", "-n", "4", "--sizes", "8,512,4Ki", "--nrep", "5", "--seed", "1", "--guidelines", "GL2,GL3")
    begun = ictus("check", *SIMULATED[:4], *few, "--launches", "4", "-o", "a", "--json")
    assert "4 launches cannot decide any of 3 tests (signed-rank, holm): at least 7 can; give --launches 7" in begun.err
    assert begun.err.index("cannot decide") < begun.err.index("confirming predicted")
    assert {row["state"] for row in rows(begun) if row["guideline"] == "GL3"} == {"cannot-decide"}
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "a" / "launches").iterdir()}
    refused = ictus("check", "a", *SIMULATED[:4], "--launches", "7")
    assert "grows in steps, and the next is 8 launches;" in refused.err
    more = ictus("check", "a", *SIMULATED[:4], "--launches", "8", "--json")
    assert more.code == 0, more.err
    assert "cannot decide" not in more.err
    assert {row["state"] for row in rows(more) if row["guideline"] == "GL3"} == {"violated"}
    assert [load(folder).plan.launches for folder in (tmp_path / "a", *split_folders(tmp_path / "a"))] == [8, 8]
    assert all(load(folder).complete for folder in (tmp_path / "a", *split_folders(tmp_path / "a")))
    assert before.items() <= {p.name: p.stat().st_mtime_ns for p in (tmp_path / "a" / "launches").iterdir()}.items()
    assert read_check(tmp_path / "a").plan.launches == 8


def test_launches_that_are_too_few_for_what_is_predicted_are_said_before_it_is_measured(
    ictus: Ictus, tmp_path: Path
) -> None:
    """Six decide the two tests that are known first, and none of three."""
    (tmp_path / "world.json").write_text(json.dumps(WORLD))
    words = ("-m", "mpich", "-n", "4", "--sizes", "512,4Ki", "--nrep", "5", "--seed", "1", "--guidelines", "GL2,GL3")
    answer = ictus("check", *SIMULATED[:4], *words, "--launches", "6", "-o", "a", "--json")
    assert answer.code == 0, answer.err
    (said,) = re.findall("warning: (.* cannot decide .*)", answer.err)
    assert said.startswith("with the predicted ones 6 launches cannot decide any of 3 tests (signed-rank, holm)")
    assert answer.err.index(said) < answer.err.index("confirming predicted")
    assert {row["state"] for row in rows(answer) if row["confirmed"] or row["kind"] == "pattern"} == {"cannot-decide"}


def test_a_guideline_that_changed_in_its_file_is_not_mixed(ictus: Ictus, tmp_path: Path) -> None:
    """The file has the same name, and another right side: the error says both."""
    (tmp_path / "world.json").write_text(json.dumps(WORLD))
    text = '[[guideline]]\nname = "mine"\nleft = "bcast"\nright = "scan"\n'
    (tmp_path / "mine.toml").write_text(text)
    words = (*SIMULATED[:6], "-n", "2", "--sizes", "8", "--nrep", "5", "--launches", "6", "--user", "mine.toml")
    assert ictus("check", *words, "--guidelines", "user", "-o", "a").code == 0
    assert ictus("check", "a", "--user", "mine.toml").code == 0
    (tmp_path / "mine.toml").write_text(text.replace("scan", "gather"))
    changed = ictus("check", "a", "--user", "mine.toml")
    assert changed.code == 2
    assert "guideline 'mine' is bcast <= gather now, and 'a' holds a check of bcast <= scan" in changed.err


def test_a_call_is_known_by_what_a_library_chooses_by(checked: Path) -> None:
    """Blocks and elements as they are really moved; what was forced is told by the name of the variant."""
    campaign, (gather, *_) = load(checked), [one for one in violated(checked) if one.rule.left.name == "gather"]
    asked = replace(gather, size_bytes=512)
    assert signature_of(campaign, asked) == CallSignature("gather", 4, total_bytes=512, block_bytes=128, count=128)
    forced = replace(asked, place=replace(asked.place, algorithm="bcast=ring,gather=binomial"))
    assert selected_algorithm_of(campaign, forced).algorithm == "binomial"
    assert selected_algorithm_of(campaign, asked).remark == "the library is simulated"


def test_a_function_that_was_entered_names_the_algorithm(tmp_path: Path) -> None:
    """Of that library, number of processes, operation and block, as it is; of two functions, or in place, none."""
    place, call = (
        Configuration("openmpi", "default", 2),
        CallSignature("gather", 2, total_bytes=64, block_bytes=32, count=32),
    )
    known = {
        TracedCall("openmpi", 2, "gather", 32): ("intra_binomial",),
        TracedCall("openmpi", 2, "gather", 4): ("a", "b"),
    }
    write_traces(tmp_path, known)
    entered = read_traces(tmp_path)
    assert entered == known
    told = by_function(entered, place, call)
    assert told is not None
    assert (told.algorithm, told.where.split()[-1]) == ("binomial", "ompi_coll_base_gather_intra_binomial")
    others = (replace(call, block_bytes=4), replace(call, block_bytes=64), replace(call, in_place=True))
    assert [by_function(entered, place, other) for other in others] == [None, None, None]
    assert by_function(entered, replace(place, n=4), call) is None
    assert by_function(entered, replace(place, algorithm="gather=linear"), call) is None
    (tmp_path / "entered.json").write_text('{"format": 1, "calls": [{"mpi": "openmpi"}]}')
    with pytest.raises(MeasurementError, match=r"entered\.json: key 'calls\.0\.n' is missing"):
        read_traces(tmp_path)
    assert read_traces(tmp_path / "nowhere") == {}


def test_races_of_a_tuning_say_what_takes_as_long(ictus: Ictus, tmp_path: Path) -> None:
    """Forced algorithms within 5 % of the call as it is, at its size; of another library or operation none."""
    world = {"algorithm_factors": {"bcast=binomial": 1.01, "bcast=chain": 1.5}, "noise": 0.001}
    (tmp_path / "world.json").write_text(json.dumps(world))
    forced = ("--algorithm", "bcast=default,binomial,chain")
    words = (*SIMULATED[:6], "-n", "4", "--op", "bcast", "--sizes", "64", "--nrep", "20", "--launches", "3")
    answer = ictus("run", *words, *forced, "-o", "chk-tune/race/01-bcast/look-1")
    assert answer.code == 0, answer.err
    rule = Rule("GL1", Kind.MONOTONY, Source.PAPER, Spec("bcast"), Spec("bcast"))
    one = GuidelineVerdict(
        rule,
        Configuration("mpich", "default", 4),
        64,
        128,
        1,
        2e-6,
        1e-6,
        2,
        1.9,
        2.1,
        12,
        1e-4,
        1e-3,
        "***",
        State.VIOLATED,
    )
    assert list(alike(tuning_of(Path("chk")), one)) == ["binomial"]
    assert alike(tuning_of(Path("chk")), replace(one, size_bytes=128)) == {}
    assert alike(tuning_of(Path("chk")), replace(one, place=Configuration("openmpi", "default", 4))) == {}


@pytest.mark.long
def test_the_command_on_the_page_judges_as_the_page_does(ictus: Ictus, checked: Path) -> None:
    """With the options that its verdicts came from, and the same bytes again."""
    assert ictus("check", checked, "--level", "0.01", "--tolerance", "20 %", "--json").code == 0
    page = (checked / "check.html").read_bytes()
    again = command_of(checked / "check.html")
    assert again == ["ictus", "check", checked.name, "--tolerance", "20 %", "--level", "0.01"]
    assert ictus(*again[1:]).code == 0
    assert (checked / "check.html").read_bytes() == page
    assert ictus("check", checked).code == 0
    assert (checked / "check.html").read_bytes() != page
