"""`ictus barriers skew` on a study that was kept: whole texts, rows for scripts, the page, and what is refused."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.cli.conftest import check_golden
from tests.command_line import Ictus
from tests.skew_documents import launch, start, study

from ictus.model.registries import Registries
from ictus.studies.exit_skew.study import every_start, parse_starts

LIBRARY = "barrier(algorithm=library)"
DISSEMINATION = "barrier(algorithm=dissemination)"
WINDOW = "window(size=auto,lead=auto,batch=20)"


def measured(shift: float, label: str = "mpich") -> dict[str, object]:
    """MPI_Barrier leaves ranks 20 us apart, dissemination 4, windows truly 0.1 where 0.05 is measured."""
    return launch(
        3,
        [
            start(LIBRARY, [[0, 9, 20 + shift], [1, 12, 21 + shift]], [[0, 9, 20 + shift], [1, 12, 21 + shift]]),
            start(DISSEMINATION, [[0, 4, 2], [4, 0, 3]], [[0, 4, 2], [4, 0, 3]]),
            start(
                WINDOW,
                [[0, 0.05, 0.02]] * 2,
                [[0, 0.1, 0.04]] * 2,
                attempted=5,
                late_entry=1,
                missed=2,
                clock_bound_s=0.2e-6,
            ),
        ],
        label,
    )


STUDY = study(measured(0), measured(2), measured(1), measured(40, "openmpi"))


def kept(document: dict[str, object]) -> str:
    """A folder with that skew.json, in the working directory."""
    Path("study").mkdir()
    (Path("study") / "skew.json").write_text(json.dumps(document))
    return "study"


@pytest.mark.parametrize("columns", [100, 80])
def test_a_table_of_skews(ictus: Ictus, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """The nearest start first, true beside measured; narrow terminals lose columns and say which."""
    monkeypatch.setenv("COLUMNS", str(columns))
    answer = ictus("barriers", "skew", kept(STUDY))
    assert answer.code == 0
    assert answer.err.count("warning:") == 2  # two of five windows were valid, with either library
    assert max(map(len, answer.out.splitlines())) <= columns
    check_golden(f"barriers_skew_{columns}.txt", answer.out)


@pytest.mark.figures
def test_bounds_of_a_skew_are_not_below_0(ictus: Ictus) -> None:
    """Three launches of which one is far off: the interval of the mean would begin below 0, which no skew can be."""
    folder = kept(study(measured(0), measured(0), measured(100)))
    row = next(one for one in json.loads(ictus("barriers", "skew", folder, "--json").out)["rows"]
               if one["start"] == "barrier(library)")  # fmt: skip
    low, mean, high = (row[f"true_skew_{name}_s"] for name in ("low", "mean", "high"))
    assert mean - (high - mean) < 0, "nothing to clip"
    assert low == 0
    answer = ictus("barriers", "skew", folder, "-o", "page")
    assert "0 … " in answer.out
    assert "-" not in "".join(line for line in answer.out.splitlines() if " … " in line)
    shown = re.findall(r"<td[^>]*>([^<]* … [^<]*)<", (Path("page") / "report.html").read_text("utf-8"))
    assert not any(text.startswith("-") for text in shown)


def test_what_does_not_synchronise_is_not_praised(ictus: Ictus) -> None:
    """Without a start ranks leave as they entered, which is the clock's doing: nearest is said of the others."""
    nothing = start("none()", [[0, 0.001, 0.001]] * 2, [[0, 0.001, 0.001]] * 2)
    window = start(WINDOW, [[0, 0.05, 0.02]] * 2, [[0, 0.1, 0.04]] * 2)
    said = ictus("barriers", "skew", kept(study(launch(3, [nothing, window], "mpich")))).out
    assert "none" in said
    assert "mpich, 3 processes: window starts ranks closest together" in " ".join(said.split())


def test_rows_for_scripts(ictus: Ictus) -> None:
    """A row a start, times in seconds; with --per-rank one a rank."""
    folder = kept(STUDY)
    rows = json.loads(ictus("barriers", "skew", folder, "--json").out)["rows"]
    found = {(row["mpi"], row["start"]): row for row in rows}
    assert found["mpich", "window"]["skew_median_s"] == pytest.approx(0.05e-6)
    assert found["mpich", "window"]["true_skew_median_s"] == pytest.approx(0.1e-6)
    assert found["mpich", "window"]["late_entry"] == 3
    assert found["openmpi", "barrier(library)"]["skew_mean_s"] == pytest.approx(60e-6)
    by_rank = json.loads(ictus("barriers", "skew", folder, "--per-rank", "--json").out)["rows"]
    exits = [row["exit_mean_s"] for row in by_rank if (row["mpi"], row["start"]) == ("mpich", "barrier(dissemination)")]
    assert exits == pytest.approx([2e-6, 2e-6, 2.5e-6])
    assert ictus("barriers", "skew", folder, "--per-rank", "--csv").out.count("\n") == 1 + 2 * 3 * 3


@pytest.mark.figures
def test_starts_at_several_times_have_a_block_each(ictus: Ictus) -> None:
    """Each is held against MPI_Barrier of the same time, in table, rows and figures."""
    late = [start(LIBRARY, [[0, 20]] * 2, wait_s=30.0), start(WINDOW, [[0, 4]] * 2, wait_s=30.0)]
    folder = kept(study(launch(2, [start(LIBRARY, [[0, 20]] * 2), start(WINDOW, [[0, 2]] * 2), *late])))
    answer = ictus("barriers", "skew", folder, "-o", "page")
    said = " ".join(answer.out.split())
    assert "mpich, 2 processes, 30.0 s after synchronising: window starts ranks closest together, 4.00 µs apart" in said
    assert "mpich, 2 processes: window starts ranks closest together, 2.00 µs apart" in said
    rows = json.loads(ictus("barriers", "skew", folder, "--json").out)["rows"]
    medians = {(row["start"], row["wait_s"]): row["skew_median_s"] for row in rows}
    assert medians["window", 0.0] == pytest.approx(2e-6)
    assert medians["window", 30.0] == pytest.approx(4e-6)
    assert len(list(Path("page").glob("figures/*.svg"))) == 4, "bars and exits of each time"


@pytest.mark.figures
def test_a_page_with_its_figures(ictus: Ictus) -> None:
    """Bars and exits for each library; every figure is XML; the same document gives the same bytes."""
    folder = kept(STUDY)
    for out in ("one", "two"):
        assert ictus("barriers", "skew", folder, "-o", out).code == 0
    figures = sorted((Path("one") / "figures").iterdir())
    assert [path.name for path in figures] == [
        "01-exit-skew-mpich-3-processes.svg",
        "02-exit-skew-openmpi-3-processes.svg",
        "03-exits-by-rank-mpich-3-processes.svg",
        "04-exits-by-rank-openmpi-3-processes.svg",
    ]
    for path in figures:
        assert ET.fromstring(path.read_text("utf-8")).tag.endswith("svg")
    page = (Path("one") / "report.html").read_text("utf-8")
    assert "barrier(dissemination)" in page
    assert "by at most twice the clock bound." in page  # a remark for reading the table is no warning
    warnings = re.search(r'<section [^>]*id="warnings">.*?</section>', page, re.DOTALL)
    assert warnings is None or "clock bound" not in warnings[0]
    again = (Path("two") / "report.html").read_text("utf-8")
    assert page.replace("skew one -o one", "skew two -o two") == again


def test_every_barrier_of_the_registry_is_entered_by_default() -> None:
    """No list of our own: a barrier that is added is studied."""
    registries = Registries.load()
    names = every_start()
    assert {f"barrier({one.name})" for one in registries.family("barrier").members} <= set(names)
    assert not {"none", "arrival", "barrier"} & set(names)
    for name in names:
        registries.check("procsync", name)
    assert parse_starts("barrier(all)") == tuple(name for name in names if name.startswith("barrier("))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--procsync", "barrier(linaer)"), "--procsync: "),
        (("--procsync", "harmonise"), "did you mean 'harmonize'"),
        (("--entry", "window(bach=1)"), "--entry: "),
        (("--entry-tolerance", "0"), "--entry-tolerance '0': a time above 0 s is expected"),
        (("--entry-tolerance", "5"), "--entry-tolerance '5': 5 s is longer than the 1 s that is allowed"),
        (("--clocksync", "hca9"), "--clocksync: "),
        (("-n", "0"), "-n '0': expected whole numbers of 1 or more"),
        (("-n", "1,4"), "-n '1,4': one process has no skew; 2 or more are allowed"),
        (("nowhere",), "'nowhere' is not a study"),
        (("study", "--nrep", "3"), "what was measured is shown as it is"),
        (("study", "-m", "mpich"), "what was measured is shown as it is"),
        (("--json", "--csv"), "choose one"),
    ],
)
def test_what_is_refused(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Usage errors name the option and what is allowed, before anything is measured."""
    kept(STUDY)
    answer = ictus("barriers", "skew", *words)
    assert answer.code == 2
    assert said in " ".join(answer.err.split())
