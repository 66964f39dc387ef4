"""Commands as they are typed: what they say, where they say it, and their exit codes."""

import csv
import io
import json
import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.conftest import PLAN, WORLD, simulate, without_world
from tests.command_line import Ictus

from ictus.cli.reference import reference
from ictus.comparison.warnings import campaign_warnings
from ictus.engine.preview import ASSUMED
from ictus.model.plan import Plan
from ictus.render.output import command as hint
from ictus.store.campaign import load

FEW = """4 launches are in camp
No difference between mpich and openmpi is proven: none of 8 cases can be decided by so few launches.
Of the 8 open cases, about 4 more launches of each library would decide all.
`ictus run camp --launches 8 --launcher simulated` measures more.
Launches grow in steps (2, 4, 8, ...): comparing at these alone keeps the chance of a wrong verdict.
Next: ictus compare camp
"""
SIMULATED = ("run", "--launcher", "simulated", "-m", "mpich", "-m", "openmpi")


def test_without_words_the_first_commands_are_named(ictus: Ictus) -> None:
    """In ten lines of a narrow terminal, on standard output, each command a real one."""
    answer = ictus()
    assert (answer.code, answer.err) == (0, "")
    told = answer.out.splitlines()
    assert len(told) <= 10
    assert max(map(len, told)) <= 100
    named = [line.split()[1] for line in told if line.startswith("  ictus ")]
    assert named == ["demo", "doctor", "run", "compare", "report"]
    for name in named:
        assert ictus("help", name).code == 0


@pytest.mark.figures
def test_the_page_of_the_command_line_is_what_the_command_line_is() -> None:
    """The page of commands is made from them; `make docs` makes it anew."""
    page = Path(__file__).parent.parent.parent / "docs" / "reference" / "cli.md"
    assert page.read_text("utf-8") == reference()


def test_help_fits_eighty_columns_and_names_the_exit_codes(ictus: Ictus, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ictus -h` lists every command; the list of commands is not cut short."""
    monkeypatch.setenv("COLUMNS", "80")
    answer = ictus("-h")
    assert answer.code == 0
    assert all(len(line) <= 80 for line in answer.out.splitlines())
    assert "..." not in answer.out.partition("Commands:")[2]
    for command in ("doctor", "mpi", "run", "show", "compare", "report", "list", "demo"):
        assert re.search(rf"^  {command} ", answer.out, re.MULTILINE)
    assert "Exit codes: 0 done" in answer.out
    for group in ("clocks", "barriers", "procsync", "redirect", "profile", "mpi"):
        assert "..." not in ictus(group, "-h").out.partition("Commands:")[2], group


def test_a_default_that_is_left_open_is_not_shown() -> None:
    """Nobody can type None."""
    assert "None" not in reference()


def test_lists_are_as_wide_as_the_terminal(ictus: Ictus, monkeypatch: pytest.MonkeyPatch) -> None:
    """The overview and every family, long helps broken between words and nothing lost; wider terminals get 100."""
    monkeypatch.setenv("COLUMNS", "300")
    families = [row["family"] for row in json.loads(ictus("list", "--json").out)["rows"]]
    wide = {family: ictus("list", family).out for family in families}
    for columns in (100, 60):
        monkeypatch.setenv("COLUMNS", str(columns))
        shown = {family: ictus("list", family).out for family in families}
        for text in (ictus("list").out, *shown.values()):
            assert max(map(len, text.splitlines())) <= columns
        for family, text in shown.items():
            assert "".join(text.split()) == "".join(wide[family].split())


def test_a_mistyped_option_is_an_error_that_knows_better(ictus: Ictus) -> None:
    """Unknown options end with exit code 2 and name the one that was meant."""
    answer = ictus("run", "--lanches", "3")
    assert answer.code == 2
    assert "--launches" in answer.err
    assert answer.out == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--op", "bcst"), "unknown operation 'bcst', did you mean 'bcast'?"),
        (("run", "--sizes", "9"), "nearest are 8 and 16"),
        (("run", "missing.toml"), "missing.toml"),
        (("run", "--env", "A"), "expected NAME=VALUE"),
        (("run", "--launcher", "mpirun"), "unknown launcher 'mpirun'"),
        (("run", "--scenario", "x.json"), "--launcher simulated"),
        (("run", "-m", "mpich", "-m", "mpich"), "label 'mpich' is given twice"),
        (("show", "nowhere"), "'nowhere' does not exist"),
        (("compare", "."), "not a campaign folder"),
        (("run", "--sizes", "8K"), "did you mean '8Ki'?"),
        (("list", "clocksinc"), "did you mean 'clocksync'?"),
        (("compare", ".", "--gate", "slowest"), "--gate 'slowest'"),
        (("compare", ".", "--equivalence", "five"), "--equivalence 'five'"),
        (("run", "--launcher", "simulated", "-o", "/dev/null"), "-o '/dev/null' is a file, not a folder"),
        (("run", "--launcher", "simulated", "-o", "/dev/null/x"), "-o '/dev/null/x' cannot be created"),
        (("mpi", "add", "my"), "'my': expected LABEL WRAPPER or LABEL=WRAPPER"),
        (("mpi", "add", "my=nowhere/mpicxx"), "nowhere/mpicxx"),
        (("compare", ".", "--equivalence", "5"), "--equivalence '5': write 5 % or 0.05"),
    ],
)
def test_a_usage_error_is_one_message_without_traceback(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Exit code 2; option or field, value and next step on standard error; nothing on standard output."""
    answer = ictus(*words)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.startswith("ictus: ")
    assert "Traceback" not in answer.err


def test_a_word_that_is_no_number_is_refused_in_plain_words(ictus: Ictus) -> None:
    """What is expected, with an example; not what a parser could not do."""
    assert "'--launches': expected a whole number, such as 10\n" in ictus("run", "--launches", "ten").err
    assert "'--level': expected a number, such as 0.05\n" in ictus("compare", ".", "--level", "low").err


def test_two_forms_at_once_are_refused(ictus: Ictus, measured: Path) -> None:
    """--json with --csv has no meaning."""
    answer = ictus("show", measured, "--json", "--csv")
    assert (answer.code, answer.err) == (2, "ictus: --json and --csv: choose one\n")


def test_run_says_how_far_it_is_and_what_to_do_next(ictus: Ictus) -> None:
    """Off a terminal each launch is a line on standard error; the end names the folder and the next command."""
    answer = ictus(*SIMULATED, *PLAN, "--launches", "2", "-o", "camp")
    assert (answer.code, answer.out) == (0, FEW)
    warning, *lines = answer.err.splitlines()
    assert warning.startswith("warning: 2 launches cannot decide any of 8 tests")
    assert len(lines) == 4
    assert all(
        re.fullmatch(rf"{i}/4 (mpich|openmpi) n=2: \d+\.\d s; MPI_Allreduce 32 KiB [\d.]+ µs(; .* left)?", line)
        for i, line in enumerate(lines, 1)
    )


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ((), "show"),
        (("--procsync", "window,barrier"), "compare --by procsync"),
        (("--env", "FAST=unset", "--env", "FAST=on"), "compare --by env.FAST"),
    ],
)
def test_the_next_command_of_a_single_library_works(ictus: Ictus, more: tuple[str, ...], words: str) -> None:
    """One library cannot be compared with another; what was varied can, else what was measured is shown."""
    one = ("run", "--launcher", "simulated", "-m", "mpich", *PLAN, "--launches", "2", "-o", "camp")
    answer = ictus(*one, *more)
    assert answer.out.splitlines()[-1] == f"Next: ictus {words} camp"
    assert ictus(*words.split(), "camp").code == 0


def test_run_goes_on_with_what_is_missing(ictus: Ictus) -> None:
    """After a failure the same folder is resumed, by its name alone, with its own plan."""
    world = {"faults": {"2": ["fail", "fail", "fail"]}}
    Path("world.json").write_text(json.dumps(world))
    failed = ictus(*SIMULATED, "--scenario", "world.json", *PLAN, "--launches", "2", "-o", "camp")
    assert failed.code == 3
    assert "simulated measurement error" in failed.err
    assert "2 of 4 launches are complete" in failed.err
    resumed = ictus("run", "camp", "--launcher", "simulated")
    assert (resumed.code, without_world(resumed.out)) == (0, FEW)
    assert "going on with" in resumed.err
    assert len(re.findall(r"^\d/4 ", resumed.err, re.MULTILINE)) == 2


def test_another_plan_on_the_same_folder_is_refused(ictus: Ictus, measured: Path) -> None:
    """The error names the field that differs."""
    answer = ictus("run", measured, "--launcher", "simulated", "--nrep", "50")
    assert answer.code == 2
    assert "nrep: 40 there, 50 asked for" in answer.err


def test_an_interrupted_campaign_says_how_to_go_on(ictus: Ictus) -> None:
    """Ctrl-C in a launch: exit code 3, and the command that goes on."""
    Path("world.json").write_text(json.dumps({"faults": {"1": ["interrupt"]}}))
    answer = ictus(*SIMULATED, "--scenario", "world.json", *PLAN, "--launches", "2", "-o", "camp")
    assert answer.code == 3
    again = "ictus run -o camp --launcher simulated --scenario world.json"
    assert f"ictus: stopped: 1 of 4 launches are complete; `{again}` continues with the rest\n" in answer.err


def test_ctrl_c_is_one_line_wherever_it_comes(ictus: Ictus, monkeypatch: pytest.MonkeyPatch) -> None:
    """While modules are imported, and in a command that measures nothing: exit code 3, no traceback."""

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for name in ("ictus.cli.app.app", "ictus.comparison.load_options.load"):
        with monkeypatch.context() as patch:
            patch.setattr(name, stop)
            answer = ictus("show", "camp")
        assert (answer.code, answer.err) == (3, "ictus: stopped\n"), name
    with monkeypatch.context() as patch:
        patch.delitem(sys.modules, "ictus.cli.app")
        patch.setattr("builtins.__import__", stop)
        answer = ictus("show", "camp")
    assert (answer.code, answer.err) == (3, "ictus: stopped\n")


def test_contended_launches_are_left_out_unless_asked_for(ictus: Ictus, tmp_path: Path) -> None:
    """A disturbed try is repeated; its samples count only with --include-contended."""
    folder = simulate(ictus, tmp_path, "busy", {**WORLD, "faults": {"0": ["contended"]}})
    without = json.loads(ictus("show", folder, "--json").out)
    with_them = json.loads(ictus("show", folder, "--json", "--include-contended").out)
    counts = [sorted({row["n_launches"] for row in document["rows"]}) for document in (without, with_them)]
    assert counts == [[10], [10, 11]]
    assert without["warnings"] == []
    assert "disturbed" in with_them["warnings"][0]


@pytest.mark.long
def test_each_launch_may_stand_for_another_number(ictus: Ictus, measured: Path, tmp_path: Path) -> None:
    """Metric, summary and fences are in every output: caption, JSON, CSV, Markdown, JUnit, page, and its command."""
    asked = ("--metric", "mean", "--summary", "mean", "--outliers", "off")
    said = "Each launch stands for the mean of all its valid samples, each the mean of its processes' own durations."
    for command, key in (("show", "median_s"), ("compare", "median_a_s")):
        usual, found = (json.loads(ictus(command, measured, "--json", *more).out) for more in ((), asked))
        assert [usual[name] for name in ("metric", "summary", "outliers")] == ["auto", "median", 1.5]
        assert [found[name] for name in ("metric", "summary", "outliers")] == ["mean", "mean", None]
        assert {(row["metric"], row["summary"]) for row in usual["rows"]} == {("makespan", "median")}
        assert {(row["metric"], row["summary"]) for row in found["rows"]} == {("mean", "mean")}
        assert {row[key] for row in found["rows"]}.isdisjoint(row[key] for row in usual["rows"])
        texts = [" ".join(ictus(command, measured, *more).out.split()) for more in ((), asked)]
        assert [said in text for text in texts] == [False, True]
        values = next(csv.DictReader(io.StringIO(ictus(command, measured, "--csv", *asked).out)))
        assert (values["metric"], values["summary"]) == ("mean", "mean")
    written = ("--markdown", tmp_path / "out.md", "--junit", tmp_path / "out.xml")
    ictus("compare", measured, "mpich", "--reference", "openmpi", *asked, "--gate", "slower", *written)
    assert said in (tmp_path / "out.md").read_text()
    assert '<property name="summary" value="mean" />' in (tmp_path / "out.xml").read_text()
    assert ictus("report", measured, *asked).code == 0
    page = (measured / "report.html").read_text()
    assert said.replace("'", "&#39;") in page
    assert "--metric mean --summary mean --outliers off" in page


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--outliers", "-1"), "--outliers '-1'"),
        (("--summary", "mode"), "--summary 'mode': unknown summary; known: median, mean, min, p90, p95, p99"),
        (("--metric", "span"), "--metric 'span': unknown metric; known: auto, makespan, max, mean, min, root"),
        (("--average", "mean"), "--average"),
    ],
)
def test_a_number_that_launches_cannot_stand_for_is_refused(
    ictus: Ictus, measured: Path, words: tuple[str, str], expected: str
) -> None:
    """With what is known."""
    refused = ictus("show", measured, *words)
    assert (refused.code, expected in refused.err) == (2, True)


def test_a_tail_of_too_few_repetitions_is_no_number(ictus: Ictus, measured: Path) -> None:
    """Said in the table's warnings and in every verdict; no case can be compared, which ends with exit code 2."""
    n = json.loads((measured / "campaign.json").read_text())["plan"]["nrep"]
    said = f"too few repetitions for p99: {n}, at least 1,000"
    shown = json.loads(ictus("show", measured, "--summary", "p99", "--json").out)
    assert shown["warnings"][0].startswith(f"{said} in each launch; ")
    assert {(row["median_s"], row["too_few"]) for row in shown["rows"]} == {(None, n)}
    compared = ictus("compare", measured, "mpich", "openmpi", "--summary", "p99", "--json", "--gate", "different")
    rows = json.loads(compared.out)["rows"]
    assert {(row["verdict"], row["verdict_text"]) for row in rows} == {("not-comparable", f"NA: {said}")}
    assert (compared.code, f"no case can be compared: {said}" in compared.err) == (2, True)


def test_a_plan_file_gives_way_to_options(ictus: Ictus) -> None:
    """TOML keys are the names of the options; an option given wins."""
    Path("plan.toml").write_text('op = "bcast"\nsizes = "8"\nlaunches = 5\nnrep = 10\nmpi = ["a=mpich", "b=mpich"]\n')
    answer = ictus("run", "plan.toml", "--launcher", "simulated", "--launches", "1", "--seed", "3", "-o", "camp")
    assert answer.code == 0, answer.err
    plan = json.loads(Path("camp/campaign.json").read_text())["plan"]
    assert (plan["op"], plan["launches"], plan["nrep"], plan["mpi"]) == (["bcast"], 1, 10, ["a=mpich", "b=mpich"])


def test_the_clock_domain_reaches_every_launch(ictus: Ictus) -> None:
    """From the plan or the command line to the core's options, and into launch.json."""
    Path("plan.toml").write_text(
        'op = "bcast"\nsizes = "8"\nlaunches = 1\nnrep = 10\nclock-domain = "rank"\nmpi = "mpich"\n'
    )
    for words, expected in (((), "rank"), (("--clock-domain", "host"), "host")):
        answer = ictus("run", "plan.toml", "--launcher", "simulated", *words, "-o", expected)
        assert answer.code == 0, answer.err
        (launch,) = Path(expected).rglob("launch.json")
        assert json.loads(launch.read_text())["options"]["clock-domain"] == expected
    refused = ictus("run", "plan.toml", "--clock-domain", "node", "-o", "nowhere")
    assert refused.code == 2
    assert "--clock-domain 'node': must be 'auto', 'host' or 'rank'" in refused.err


def test_a_campaign_is_named_after_its_plan_and_gone_on_with(ictus: Ictus) -> None:
    """Without -o the folder is the plan's stem, so that the same command twice is one campaign."""
    Path("first.toml").write_text('op = "bcast"\nsizes = "8"\nlaunches = 1\nnrep = 10\nn = 2\n')
    command = ("run", "first.toml", "--launcher", "simulated")
    first, *found, onward = ictus(*command).out.splitlines()
    assert (first, onward) == ("2 launches are in first", "Next: ictus compare first")
    assert found[0].startswith("mpich against openmpi: cannot decide: 1 launch can never reach the level")
    again = ictus(*command)
    assert (again.code, "going on with" in again.err) == (0, True)
    assert not list(Path.cwd().glob("ictus-*"))


def test_what_is_wrong_in_a_plan_is_said_of_the_plan(ictus: Ictus) -> None:
    """The file is named, not the options that came with it."""
    Path("plan.toml").write_text("x = 3\n")
    answer = ictus("run", "plan.toml", "--launches", "3")
    assert (answer.code, "unknown field 'x' in plan 'plan.toml';" in answer.err) == (2, True)


def test_a_hint_is_the_program_as_it_was_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ictus` where the shell finds it, else its path from here; folders with blanks are quoted."""
    program = tmp_path / "bin" / "ictus"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(program)])
    monkeypatch.setenv("PATH", "/nowhere")
    assert hint("run", "-o", Path("with blank")) == "bin/ictus run -o 'with blank'"
    monkeypatch.setenv("PATH", str(program.parent))
    assert hint("show", "camp") == "ictus show camp"
    monkeypatch.setattr("sys.argv", ["-c"])
    assert hint("show", "camp") == "ictus show camp"


@pytest.mark.figures
def test_every_field_of_a_plan_is_an_option_of_the_same_name(ictus: Ictus) -> None:
    """What a TOML file can say, the command line can say: nothing is forgotten when a field is added."""
    said = ictus("run", "-h").out
    negated = {"validate": "no-validate", "page-faults": "no-page-faults"}
    written_by_us = {"predicted"}  # what `nrep` stood for when the campaign was begun
    in_files_only = {"subsets"}  # tables, which no option can be
    for name, field in Plan.model_fields.items():
        if name in written_by_us | in_files_only:
            continue
        key = field.alias or name
        option = f"-{key}" if len(key) == 1 else f"--{negated.get(key, key)}"
        assert re.search(rf"^ .*{option}\b", said, re.MULTILINE), option


def test_a_folder_may_have_blanks_in_its_name(ictus: Ictus) -> None:
    """The core works in the launch's folder, so no path has to be spelled in its plan."""
    answer = ictus(*SIMULATED, *PLAN, "--launches", "1", "-o", "with blank")
    assert (answer.code, answer.out.splitlines()[-1]) == (0, "Next: ictus compare 'with blank'")
    assert ictus("show", "with blank").code == 0


@pytest.mark.parametrize(
    ("gate", "code"),
    [("faster", 1), ("faster > 3 %", 1), ("faster > 30 %", 0), ("slower", 0), ("different > 3 %", 1), ("undecided", 0)],
)
def test_a_gate_that_is_hit_ends_with_exit_code_1(ictus: Ictus, measured: Path, gate: str, code: int) -> None:
    """Mpich is about 9 % faster in all cases: gates on that side are hit, the table is shown all the same."""
    answer = ictus("compare", measured, "mpich", "--reference", "openmpi", "--gate", gate)
    assert code == answer.code
    assert "MPI_Bcast" in answer.out
    assert (f"gate '{gate}' is hit by 8 of 8 cases" in answer.err) == bool(code)


def test_a_gate_that_open_cases_cannot_hit_says_so(ictus: Ictus, tmp_path: Path) -> None:
    """Three launches can never show a difference: the gate is not hit, and that it proves nothing is said."""
    folder = simulate(ictus, tmp_path, "few", WORLD, "--launches", "3")
    answer = ictus("compare", folder, "mpich", "--reference", "openmpi", "--gate", "slower > 3 %")
    assert answer.code == 0
    assert "gate not hit; 8 of 8 cases are undecided or cannot be decided\n" in answer.err


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("compare", "camp"), marks=pytest.mark.long),
        ("show", "camp", "--json"),
        ("list",),
        ("--version",),
    ],
)
def test_a_full_output_is_no_gate(measured: Path, words: tuple[str, ...]) -> None:
    """Where standard output takes no more: one line on standard error, exit code 3, no traceback."""
    assert measured.is_dir()
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "ictus", *words], check=False, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert ended.returncode == 3
    assert ended.stderr == "ictus: the output cannot be written: No space left on device\n"


def test_the_report_is_written_into_the_folder_or_where_asked(ictus: Ictus, measured: Path) -> None:
    """Its path is the result; -o names another place."""
    answer = ictus("report", measured)
    assert (answer.code, answer.out) == (0, "camp/report.html\n")
    ictus("report", measured, "-o", "other.html")
    assert Path("camp/report.html").read_bytes() == Path("other.html").read_bytes()


def test_the_demo_measures_judges_and_reports(ictus: Ictus) -> None:
    """Introduction, table, sentence, report, next command: the whole way over simulated libraries."""
    Path("world.json").write_text(json.dumps(WORLD))
    answer = ictus("demo", "--launcher", "simulated", "--scenario", "world.json", "--seed", "2", "-o", "demo")
    assert answer.code == 0, answer.err
    lines = answer.out.splitlines()
    assert "Comparing mpich 1.0 and openmpi 1.0: 3 operations, 8 B to 64 KiB, 2 processes, 41 cases" in lines[0]
    for operation in ("MPI_Bcast", "MPI_Allreduce", "MPI_Alltoall"):
        assert f"{operation}  2 processes, times in µs" in lines
    assert lines[-3] == "Report: demo/report.html"
    assert lines[-2].startswith("Launches grow in steps (10, 20, 40, ...)")
    assert lines[-1].startswith("Next: ictus run demo --launches 20")  # the same folder
    assert Path("demo/report.html").is_file()


def test_families_are_listed_from_the_registries(ictus: Ictus) -> None:
    """Every family with its members; one family with parameters and defaults; both as JSON."""
    assert "  clocksync  " in ictus("list").out
    document = json.loads(ictus("list", "clocksync", "--json").out)
    assert "hca3" in [row["name"] for row in document["rows"]]
    families = json.loads(ictus("list", "--json").out)["rows"]
    assert {"clock", "procsync", "operation", "launcher", "flavour", "test"} <= {row["family"] for row in families}


def test_the_version_is_one_line(ictus: Ictus) -> None:
    """`ictus --version`."""
    assert re.fullmatch(r"ictus \S+\n", ictus("--version").out)


def test_launches_that_can_decide_nothing_are_said_before_they_are_measured(ictus: Ictus) -> None:
    """The smallest p of n launches against n is 2 / (2n over n), times the number of cases by Holm. What is said first
    comes true; with as many launches as it names nothing is said, nor where the campaign exists, nor of one library.
    """
    plan = ("--op", "bcast,allreduce", "--sizes", "8..32Ki*16", "--nrep", "5", "--seed", "7", "--launcher", "simulated")
    both = ("-m", "mpich", "-m", "openmpi")
    needed = next(n for n in range(2, 20) if 8 * 2 / math.comb(2 * n, n) <= 0.05)
    said = f"3 launches cannot decide any of 8 tests (rank-sum, holm): at least {needed} can; give --launches {needed}"
    assert said in ictus("run", *plan, *both, "--launches", "3", "-o", "few").err
    assert "cannot decide any" not in ictus("run", *plan, *both, "--launches", "3", "-o", "few").err
    rows = json.loads(ictus("compare", "few", "--json").out)["rows"]
    assert [row["verdict"] for row in rows] == ["cannot-decide"] * 8
    assert "cannot decide any" not in ictus("run", *plan, *both, "--launches", str(needed), "-o", "enough").err
    assert "cannot decide any" not in ictus("run", *plan, "-m", "mpich", "--launches", "3", "-o", "alone").err


def test_warnings_about_contention_are_left_out_by_their_kind(ictus: Ictus, tmp_path: Path) -> None:
    """Another warning with the same words stays."""
    folder = simulate(ictus, tmp_path, "busy", {**WORLD, "faults": {"0": ["contended"]}})
    alike = "2 launches were disturbed by others, says somebody else"
    campaign = replace(load(folder, contended=True), warnings=(alike,))
    disturbed = [text for text in campaign_warnings(campaign) if "disturbed" in text]
    assert len(disturbed) == 2
    assert [text for text in campaign_warnings(campaign, contention=False) if "disturbed" in text] == [alike]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "-np", "4"), "-np: the number of processes is -n COUNT[,COUNT...], such as -n 4"),
        (("run", "--sizes", "8:1024"), "--sizes '8:1024': a range has two dots, such as '8..1024'"),
        (("list", "launcher", "srn"), "unknown launcher 'srn', did you mean 'srun'?"),
        (("list", "operations", "bcast"), "'bcast': `ictus list operations` lists all of them; leave the name out"),
        (("help", "rum"), "unknown command 'rum', did you mean 'run'?"),
    ],
)
def test_habits_of_other_tools_get_the_right_hint(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """One line, exit code 2."""
    answer = ictus(*words)
    assert answer.code == 2
    assert said in answer.err


def test_help_is_also_a_command(ictus: Ictus) -> None:
    """Of the whole, of a command, of one in a group."""
    assert ictus("help").out == ictus("-h").out
    assert ictus("help", "run").out == ictus("run", "-h").out
    assert ictus("help", "barriers", "impact").out == ictus("barriers", "impact", "-h").out


def test_one_member_is_listed_alone(ictus: Ictus) -> None:
    """For people and for scripts."""
    (row,) = json.loads(ictus("list", "clocksync", "hca3", "--json").out)["rows"]
    assert row["name"] == "hca3"
    assert "hca2" not in ictus("list", "clocksync", "hca3").out


def test_a_dry_run_says_what_would_be_measured_and_writes_nothing(ictus: Ictus) -> None:
    """Cases by operation, and launches of each library; a wrong plan is wrong there too."""
    words = (
        "--launcher",
        "simulated",
        "-m",
        "mpich",
        "-m",
        "openmpi",
        "--op",
        "bcast,barrier",
        "--sizes",
        "8..32",
        "-n",
        "2,4",
        "-o",
        "camp",
    )
    answer = ictus("run", "--dry-run", *words, "--env", "A=1", "--env", "A=2")
    assert answer.code == 0
    assert answer.out.splitlines() == [
        "camp: 8 cases on these libraries: mpich 1.0, openmpi 1.0",
        "  bcast: 6 cases; sizes 8, 16, 32; 2, 4 processes",
        "  barrier: 2 cases; sizes 0; 2, 4 processes",
        "Launches: 40 of each library, 80 in all",
        f"Time: about 1 min 36 s, {ASSUMED}; the first launch shows it",
        "Disk: about 24 MB of samples",
    ]
    assert not Path("camp").exists()
    assert ictus("run", "--dry-run", "--op", "bcats").code == 2


def test_a_dry_run_looks_libraries_up_as_the_real_run_does(ictus: Ictus) -> None:
    """What cannot run is not approved."""
    dry, real = (ictus("run", *words, "-m", "nosuchlib", "-o", "camp") for words in (("--dry-run",), ()))
    assert dry.code == real.code == 2
    assert "'nosuchlib'" in dry.err
    assert dry.err == real.err
    assert not Path("camp").exists()


def test_the_end_of_a_run_repeats_what_was_wrong_with_the_hosts(ictus: Ictus, monkeypatch: pytest.MonkeyPatch) -> None:
    """On one CPU two ranks take turns: it was said before the first launch alone, and the result stood without it."""
    monkeypatch.setattr("ictus.comparison.warnings._host_state", lambda _: (("2 ranks on 1 CPU take turns",), ()))
    answer = ictus(*SIMULATED, *PLAN, "--launches", "2", "-o", "camp")
    assert (answer.code, answer.out) == (0, FEW)
    assert answer.err.splitlines()[-1] == "warning: 2 ranks on 1 CPU take turns"
