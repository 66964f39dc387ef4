"""`ictus clocks`: what the four commands say of a study that was kept, where they say it, and when they refuse."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.cli.conftest import check_golden
from tests.clock_documents import accuracy, drift, frequency, launches
from tests.command_line import Ictus
from tests.page_text import read_aloud

WAITS = (0, 1, 5, 20)
BOUND = [[0, 0.5, 0.5, 0.5], [0, 0.6, 0.6, 0.6], [0, 1, 1, 1], [0, 2.5, 2.5, 2.5]]
ERRORS = {
    "skampi": [[0, 0.1, -0.2, 0.1], [0, 8, -15, 3], [0, 40, -75, 15], [0, 160, -300, 60]],
    "hca3": [[0, 0.2, -0.1, 0.2], [0, 0.2, -0.1, 0.25], [0, 0.3, -0.2, 0.4], [0, 0.9, -0.4, 1.2]],
    "ictus": [[0, 0.02, -0.01, 0.03], [0, 0.02, -0.02, 0.03], [0, 0.03, -0.02, 0.04], [0, 0.05, -0.04, 2.6]],
}
"""Microseconds per wait per rank. The last error of `ictus` is beyond its bound of 2.5."""
COSTS = {"skampi": (0.012, 600), "hca3": (0.31, 200_000), "ictus": (0.1, 6_000)}

STUDY = accuracy(4, WAITS, [(name, *COSTS[name], ERRORS[name], BOUND if name == "ictus" else None) for name in ERRORS])

GRID = [
    ("none", 0.0, 0, [[0, 900]], None),
    ("hca3(fitpoints=10,exchanges=10)", 0.001, 400, [[0, 40]], None),
    ("hca3(fitpoints=100,exchanges=10)", 0.010, 4000, [[0, -2]], None),
    ("hca3(fitpoints=100,exchanges=100)", 0.100, 40000, [[0, 2.5]], None),
    ("hca3(span=0s,slope_test=off,fitpoints=100,exchanges=10)", 0.030, 4000, [[0, 0.5]], None),
]


def kept(name: str, document: dict[str, object]) -> str:
    """A folder with that clocks.json, in the working directory."""
    Path(name).mkdir()
    (Path(name) / "clocks.json").write_text(json.dumps(document))
    return name


@pytest.mark.parametrize("columns", [100, 80, 60])
def test_a_table_of_errors(ictus: Ictus, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Errors by algorithm and wait, then side by side; narrow terminals lose columns and say which, never digits."""
    monkeypatch.setenv("COLUMNS", str(columns))
    answer = ictus("clocks", "accuracy", kept("study", STUDY))
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= columns
    check_golden(f"clocks_accuracy_{columns}.txt", answer.out)


def test_a_table_of_costs(ictus: Ictus) -> None:
    """The frontier from the quickest to the most accurate; a setting that another beats has no star."""
    answer = ictus("clocks", "pareto", kept("study", accuracy(2, (5,), GRID)))
    assert (answer.code, answer.err) == (0, "")
    check_golden("clocks_pareto.txt", answer.out)


def test_a_table_of_drifts(ictus: Ictus) -> None:
    """7 and -3 ppm over ten seconds, the second one with a bend."""
    bend = [-3 * time - 0.1 * time * (10 - time) for time in range(11)]
    answer = ictus("clocks", "drift", kept("study", drift({1: [7 * time for time in range(11)], 2: bend})))
    assert (answer.code, answer.err) == (0, "")
    check_golden("clocks_drift.txt", answer.out)


def test_a_table_of_frequencies(ictus: Ictus) -> None:
    """Calibrations against what is stated, and the clocks that were watched with each."""
    ghz = 2e9
    study = frequency(ghz, [[ghz + 200, ghz], [ghz, ghz - 400]], [[ghz + 8000], [ghz - 2000]])
    watched = [watch("tsc(frequency=auto)", 0.0), watch("tsc(frequency=calibrated-per-rank)", 5.0)]
    answer = ictus("clocks", "frequency", kept("study", launches("frequency", study, *watched)))
    assert (answer.code, answer.err) == (0, "")
    check_golden("clocks_frequency.txt", answer.out)


def watch(clock: str, ppm: float) -> dict[str, object]:
    """Two ranks whose clocks run apart by that."""
    made = accuracy(2, (0, 10), [("netgauge", 0.001, 400, [[0, 0.1], [0, 0.1 + 10 * ppm]], None)], truth="ping-pong")
    made["clock"]["spec"] = clock
    return made


def test_a_disturbed_launch_is_told(ictus: Ictus) -> None:
    """A study repeats nothing, so its reader has to know what others may have done to it."""
    calm = {"share": 0.01, "contended": False}
    taken = {"share": 0.123, "contended": True}
    errors = [("hca3", 0.4, 9, [[0, 1]], None)]
    study = launches(
        "accuracy", accuracy(2, (0,), errors, contention=taken), accuracy(2, (0,), errors, contention=calm)
    )
    answer = ictus("clocks", "accuracy", kept("study", study))
    assert answer.err == (
        "warning: other processes used the ranks' cores for 12.3 % of the time of a launch: its errors and times may "
        "come from them\n"
    )


def test_rows_for_scripts_are_seconds(ictus: Ictus) -> None:
    """One row an algorithm and wait, all of them and not only those that a table has room for; null for no bound."""
    document = json.loads(ictus("clocks", "accuracy", kept("study", STUDY), "--json").out)
    assert document["schema"] == "ictus.clocks.accuracy/1"
    assert len(document["rows"]) == 3 * 4
    row = next(row for row in document["rows"] if (row["algorithm"], row["wait_s"]) == ("ictus", 20))
    assert (row["elapsed_s"], row["messages"], row["n"], row["truth"]) == (0.1, 6000, 4, "known")
    assert row["max_s"] == pytest.approx(2.6e-6)
    assert row["mean_s"] == pytest.approx(2.69e-6 / 3)
    assert row["p95_s"] == pytest.approx(0.05e-6 + 0.9 * 2.55e-6)  # of 0.04, 0.05, 2.6: place 1.9
    assert (row["bound_s"], row["bounded"], row["beyond"]) == (pytest.approx(2.5e-6), 3, 1)
    assert document["rows"][0]["bound_s"] is None
    assert document["barrier_s"] == [3e-6]


def test_errors_by_rank_are_signed(ictus: Ictus) -> None:
    """--per-rank: a row for each rank that was checked, and a table of them."""
    kept("study", STUDY)
    rows = json.loads(ictus("clocks", "accuracy", "study", "--per-rank", "--json").out)["rows"]
    last = [round(row["error_s"] * 1e6, 3) for row in rows if (row["algorithm"], row["wait_s"]) == ("skampi", 20)]
    assert last == [160, -300, 60]
    lines = [line.split() for line in ictus("clocks", "accuracy", "study", "--per-rank").out.splitlines()]
    assert ["2", "-0.200", "-15.0", "-75.0", "-300"] in lines


def test_rows_of_a_frontier(ictus: Ictus) -> None:
    """Times 0, 1, 10, 30 and 100 ms with errors 900, 40, 2, 0.5 and 2.5 us: the last is beaten twice."""
    document = json.loads(ictus("clocks", "pareto", kept("study", accuracy(2, (5,), GRID)), "--json").out)
    found = [(row["fitpoints"], row["exchanges"], row["on_frontier"]) for row in document["rows"]]
    assert found == [(None, None, True), (10, 10, True), (100, 10, True), (100, 10, True), (100, 100, False)]
    assert document["barrier_s"] == {"2": 3e-6}


@pytest.mark.figures
def test_a_setting_that_took_longer_than_the_budget_is_marked(ictus: Ictus) -> None:
    """Times are only predicted: of 0, 1, 10, 30 and 100 ms the last two are beyond 20; page and rows say so too."""
    study = {**launches("pareto", accuracy(2, (5,), GRID)), "budget_s": 0.02}
    answer = ictus("clocks", "pareto", kept("study", study), "-o", "out")
    marked = [line for line in answer.out.splitlines() if "ms‡" in line]
    assert {word for line in marked for word in line.split() if "‡" in word} == {"ms‡"}
    assert sorted({line.split("ms‡")[0].split()[-1] for line in marked}) == ["100", "30.0"]
    note = "‡ 2 of 5 settings took longer than predicted, and than the budget of 20.0 ms."
    assert note in answer.out
    page = read_aloud(Path("out/report.html").read_text())
    assert note in page
    assert "100 ms‡" in page
    rows = json.loads(ictus("clocks", "pareto", "study", "--json").out)["rows"]
    assert [row["over_budget"] for row in rows] == [False, False, False, True, True]


@pytest.mark.parametrize("command", ["accuracy", "pareto"])
def test_a_single_process_is_refused_before_anything_is_started(ictus: Ictus, command: str) -> None:
    """It would be praised with an error of 0 s."""
    answer = ictus("clocks", command, "-n", "1")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "ictus: -n '1': a single process has no other clock to compare with; use 2 or more\n"


def test_a_single_process_among_others_has_no_error(ictus: Ictus) -> None:
    """What it took is told, and dashes, and no smallest error of 0 s; a gate has nothing to judge where it is alone."""
    alone = accuracy(1, (0, 5), [("hca3", 0.001, 0, [[0], [0]], None)])
    pair = accuracy(2, (0, 5), [("hca3", 0.4, 9, [[0, 1], [0, 2]], None)])
    answer = ictus("clocks", "accuracy", kept("study", launches("accuracy", alone, pair)), "-o", "out")
    line = next(line for line in answer.out.splitlines() if line.split()[:3] == ["hca3", "1.00", "ms"])
    assert line.split()[3:] == ["0", "–", "–", "–"]
    assert "hca3, 1 process" not in answer.out, "a block without rows"
    assert "Smallest error 5 s after synchronising: 2.00 µs of hca3 (2 processes)." in answer.out
    assert "A single process has no other clock to compare with" in answer.out
    gated = ictus("clocks", "accuracy", kept("alone", alone), "--fail-above", "1us")
    assert (gated.code, "gate '--fail-above 1us' has nothing to judge" in gated.err) == (3, True)
    assert "Smallest error" not in gated.out
    assert ictus("clocks", "pareto", "alone").code == 2


def test_clocks_that_are_left_alone_are_not_praised(ictus: Ictus) -> None:
    """On one counter `none` errs by 0 s without having done anything: neither bold nor the smallest."""
    entries = [("none", 0.0, 0, [[0, 0]], None), ("hca3", 0.4, 9, [[0, 0.2]], None)]
    far = accuracy(2, (5,), [("none", 0.0, 0, [[0, 9e5]], None), entries[1]])
    assert "2 processes, in ns" in ictus("clocks", "accuracy", kept("far", far)).out, "the unit is not theirs"
    answer = ictus("clocks", "accuracy", kept("study", accuracy(2, (5,), entries)))
    assert "Smallest error 5 s after synchronising: 200 ns of hca3." in answer.out
    assert "none: nothing is synchronised, clocks are as they are." in " ".join(answer.out.split())
    only = ictus("clocks", "accuracy", kept("only", accuracy(2, (5,), entries[:1])))
    assert "Smallest error" not in only.out


@pytest.mark.parametrize(("limit", "code"), [("299us", 1), ("301us", 0)])
def test_a_gate_on_the_last_error(ictus: Ictus, limit: str, code: int) -> None:
    """The worst, skampi, errs by 300 us at 20 s; the table is shown all the same."""
    answer = ictus("clocks", "accuracy", kept("study", STUDY), "--fail-above", limit)
    assert answer.code == code
    assert "Largest error over ranks" in answer.out
    said = f"gate '--fail-above {limit}' is hit: 1 of 3 algorithms err by more; the worst is skampi with 300 µs 20 s"
    assert (said in answer.err) == bool(code)


@pytest.mark.figures
def test_a_study_is_kept_whole_and_gives_the_same_page_again(ictus: Ictus) -> None:
    """clocks.json, figures, one page; read again from where it was kept, it is the same to the byte."""
    kept("study", launches("accuracy", STUDY, accuracy(8, WAITS, [("hca3", 0.4, 9, [[0, *[1] * 7]] * 4, None)])))
    assert "kept in first: clocks.json, figures, report.html" in ictus("clocks", "accuracy", "study", "-o", "first").err
    assert ictus("clocks", "accuracy", "first", "-o", "first").code == 0
    page = Path("first/report.html").read_text()
    ictus("clocks", "accuracy", "study", "-o", "first")
    assert page == Path("first/report.html").read_text()
    figures = sorted(path.name for path in Path("first/figures").iterdir())
    assert [name.partition("-")[2] for name in figures[:3]] == [
        "error-over-time-4-processes.svg",
        "error-over-time-8-processes.svg",
        "error-over-ranks-directly-after-8-processes.svg",
    ]
    for known in ("duration-of-synchronising", "largest-error-0-s-after", "accuracy-of-all-ranks"):
        assert any(known in name for name in figures), known
    for name in figures:
        assert ET.parse(Path("first/figures") / name).getroot().tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.figures
@pytest.mark.parametrize(
    ("command", "document", "figures"),
    [
        ("pareto", accuracy(2, (5,), GRID), 1),
        ("drift", drift({1: (0, 2, 4, 7)}), 3),
        ("frequency", frequency(2e9, [[2e9], [2e9]], [[2e9], [2.1e9]]), 1),
    ],
)
def test_every_study_has_a_page(ictus: Ictus, command: str, document: dict[str, object], figures: int) -> None:
    """Nothing is fetched, and every figure of the folder is in the page."""
    kept("study", document)
    assert ictus("clocks", command, "study", "-o", "out").code == 0
    page = Path("out/report.html").read_text()
    assert len(list(Path("out/figures").glob("*.svg"))) == figures
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg"') == figures
    assert '<ul class="legend">' not in page, "figures name their series themselves"
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("accuracy", "nowhere"), "'nowhere' is not a study: there is no nowhere"),
        (("accuracy", "--waits", "5..1"), "--waits '5..1': the range ends before it begins"),
        (("accuracy", "--waits", "soon"), "--waits: duration 'soon'"),
        (("accuracy", "-n", "0"), "-n '0': expected whole numbers of 1 or more"),
        (("accuracy", "-n", "two"), "-n 'two': expected whole numbers of 1 or more"),
        (("accuracy", "--waits", ""), "--waits '': it is blank"),
        (("accuracy", "-n", ""), "-n '': it is blank"),
        (("accuracy", "--clocksync", "hca33"), "--clocksync: unknown clocksync 'hca33', did you mean 'hca3'?"),
        (("accuracy", "--clock", "sundial"), "--clock: unknown clock 'sundial'"),
        (
            ("accuracy", "--launcher", "slurm"),
            "unknown --launcher 'slurm'; known: mpiexec, srun, flux, pals, jsrun, ssh, template, namespaces",
        ),
        (("accuracy", "--clock-domain", "node"), "--clock-domain 'node': expected one of auto, host, rank"),
        (("pareto", "--clock-domain", "node"), "--clock-domain 'node': expected one of auto, host, rank"),
        (("accuracy", "--truth", "faith"), "--truth 'faith': expected one of auto, known, ping-pong"),
        (("accuracy", "--fail-above", "5 parsec"), "--fail-above: duration '5 parsec'"),
        (("accuracy", "--platform", "mars"), "--platform 'mars'"),
        (("accuracy", "--platform", "flat", "--clock", "tsc"), "clock 'tsc' reads real time"),
        (("pareto", "--platform", "flat", "--clock", "skewed(base=tsc)"), "clock 'skewed(base=tsc)' reads real time"),
        (("accuracy", "--platform", "flat", "--launcher", "srun"), "--launcher 'srun': on platform 'flat'"),
        (("drift", "--launcher", "namespaces"), "--launcher 'namespaces': give platform namespaces instead"),
        (("frequency", "--platform", "flat"), "--platform 'flat': a simulator has no counter whose frequency"),
        (("accuracy", "--platform", "namespaces", "--clock", "tsc"), "use --clock monotonic"),
        (("pareto", "--grid", "papers"), "--grid 'papers', did you mean 'paper'"),
        (("pareto", "--budget", "0"), "--budget '0': a time above 0 s is expected"),
        (("drift", "--interval", "20s"), "--interval '20s' leaves fewer than 4 offsets in --duration '50s'"),
        (("drift", "--offset", "guess"), "--offset: unknown offset 'guess'"),
        (("frequency", "--durations", "0"), "--durations '0': times above 0 s are expected"),
        (("frequency", "--clocksync", "sundial"), "--clocksync: unknown clocksync 'sundial'"),
    ],
)
def test_a_mistake_is_one_message(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Exit code 2; option, value and what is allowed; nothing is built or started for it."""
    answer = ictus("clocks", *words)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.startswith("ictus: ")


@pytest.mark.parametrize(
    ("command", "option", "value"),
    [
        ("accuracy", "--waits", "0..3"),
        ("accuracy", "--clocksync", "hca3"),
        ("accuracy", "-n", "4"),
        ("accuracy", "--clock", "monotonic"),
        ("pareto", "--budget", "1s"),
        ("drift", "--duration", "20s"),
        ("frequency", "--durations", "1s"),
    ],
)
def test_a_kept_study_takes_no_option_that_says_how_to_measure(
    ictus: Ictus, command: str, option: str, value: str
) -> None:
    """Nothing that was asked for is passed over in silence, not even where it repeats a default."""
    answer = ictus("clocks", command, kept("study", STUDY), option, value)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"ictus: {option} with 'study': what was measured is shown as it is")


def test_two_forms_at_once_are_refused_before_anything_is_looked_for(ictus: Ictus) -> None:
    """Not after minutes of measuring; a library that is not there would be said of next."""
    for words in (("clocks", "accuracy", "-m", "nowhere"), ("show", "nowhere"), ("compare", "nowhere")):
        answer = ictus(*words, "--json", "--csv")
        assert (answer.code, answer.out, answer.err) == (2, "", "ictus: --json and --csv: choose one\n")


def test_a_study_of_another_kind_says_which_command_shows_it(ictus: Ictus) -> None:
    """Never an empty table."""
    answer = ictus("clocks", "accuracy", kept("study", drift({1: (0, 1, 2, 3)})))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "ictus: 'study' holds a study of drift: `ictus clocks drift study` shows it\n"


def test_a_wait_that_was_not_measured_lists_those_that_were(ictus: Ictus) -> None:
    """A frontier at another time is another study."""
    answer = ictus("clocks", "pareto", kept("study", STUDY), "--wait", "7s")
    assert (answer.code, answer.err) == (2, "ictus: --wait '7s' was not measured there; known are 0s, 1s, 5s, 20s\n")


def test_a_damaged_study_names_the_file(ictus: Ictus) -> None:
    """Exit code 3: nobody typed that."""
    kept("study", {**STUDY, "synchronisations": [{"repeat": 0}]})
    answer = ictus("clocks", "accuracy", "study")
    assert (answer.code, answer.err) == (3, "ictus: study/clocks.json: key 'synchronisations.0.algorithm' is missing\n")


@pytest.mark.figures
def test_a_kept_study_is_not_overwritten_by_a_new_one(ictus: Ictus) -> None:
    """Found out before anything is measured."""
    kept("study", STUDY)
    answer = ictus("clocks", "accuracy", "-o", "study")
    assert (answer.code, answer.out) == (2, "")
    assert "-o 'study' holds a study already" in answer.err
    assert not Path("study/report.html").exists()
