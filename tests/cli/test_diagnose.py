"""`ictus diagnose`: whole texts, rows for scripts, the page, and what is refused."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.conftest import check_golden
from tests.command_line import Ictus
from tests.diagnosed import PLANTED
from tests.page_text import read_aloud
from tests.synthetic import write_folder


@pytest.fixture
def camp(tmp_path: Path) -> Path:
    """A campaign with something planted in each operation."""
    write_folder(tmp_path / "camp", PLANTED)
    return Path("camp")


def test_the_table_and_what_it_means(ictus: Ictus, camp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In 100 columns, and in 60, where columns are given up and named."""
    answer = ictus("diagnose", camp)
    check_golden("diagnose.txt", answer.out)
    assert (answer.code, answer.err) == (0, "")
    monkeypatch.setenv("COLUMNS", "60")
    narrow = ictus("diagnose", camp).out
    check_golden("diagnose_60_columns.txt", narrow)
    assert all(len(line) <= 60 for line in narrow.splitlines())


def test_one_case_is_shown_launch_by_launch(ictus: Ictus, camp: Path) -> None:
    """Chosen by operation, by size, or by its number."""
    text = ictus("diagnose", camp, "--op", "bcast").out
    check_golden("diagnose_one_case.txt", text)
    assert ictus("diagnose", camp, "--case", "0").out == text
    assert ictus("diagnose", camp, "--op", "bcast", "--sizes", "64", "--mpi", "mpich").out == text


def test_rows_for_scripts(ictus: Ictus, camp: Path) -> None:
    """JSON: a row a case with its launches; CSV: a row a launch. Both say the same."""
    document = json.loads(ictus("diagnose", camp, "--json").out)
    assert document["schema"] == "ictus.diagnose/1"
    bcast, allreduce, alltoall, barrier = document["rows"]
    assert (bcast["n_correlated"], allreduce["n_drifting"], barrier["n_drifting"]) == (10, 10, 0)
    assert alltoall["shapiro_p"] < 0.01 < barrier["shapiro_p"]
    assert [launch["slot"] for launch in bcast["launches"]] == list(range(10))
    rows = list(csv.DictReader(io.StringIO(ictus("diagnose", camp, "--csv").out)))
    assert len(rows) == 40
    assert [float(row["drift"]) for row in rows[:10]] == [launch["drift"] for launch in bcast["launches"]]
    assert rows[0]["operation"] == "bcast"


@pytest.mark.figures
def test_the_page_explains_every_figure(ictus: Ictus, camp: Path, tmp_path: Path) -> None:
    """All sections with words, figures after the papers' Fig. 12 to 18 for each case, the seed, nothing from
    elsewhere.
    """
    assert ictus("diagnose", camp, "-o", "page.html").code == 0
    page = read_aloud((tmp_path / "page.html").read_text("utf-8"))
    assert re.findall(r'<div class="about">\s*<h2>([^<]+)</h2>\s*<p>', page) == [
        "Overview", "Samples", "Autocorrelation", "Drift", "Means of samples", "Launch by launch", "Launch medians",
        "Understanding this page",
    ]  # fmt: skip
    titles = [f'aria-label="{kind} of MPI_Bcast, 64 B, mpich' for kind in ("Histogram", "Autocorrelation", "Bins")]
    titles += ['aria-label="Q-Q plot of means of MPI_Bcast', 'aria-label="Means of the launches of MPI_Barrier']
    titles += [
        'aria-label="Q-Q plot of the launch medians of MPI_Alltoall',
        'aria-label="Means of samples of MPI_Allred',
    ]
    for title in titles:
        assert title in page, title
    assert re.search(r"every \d+(st|nd|rd|th) sample: \d+", page)
    assert "1,000 of each size, seed 1" in page
    assert "<code>ictus diagnose camp -o page.html</code>" in page
    assert not re.search(r"(?:src|href)=\"(?!#)", page)
    assert len(page.encode()) < 1_500_000


@pytest.mark.figures
def test_the_page_is_the_same_when_it_is_made_again(ictus: Ictus, camp: Path, tmp_path: Path) -> None:
    """Byte for byte: even the means that are drawn at random have a recorded seed."""
    pages = []
    for _ in range(2):
        ictus("diagnose", camp, "--op", "barrier", "-o", "page.html")
        pages.append((tmp_path / "page.html").read_bytes())
    assert pages[0] == pages[1]


def test_another_launch_is_drawn(ictus: Ictus, camp: Path, tmp_path: Path) -> None:
    """--launch chooses by slot, and the page says which."""
    answer = ictus("diagnose", camp, "--op", "bcast", "--launch", "7", "-o", "page.html")
    assert answer.code == 0
    page = read_aloud((tmp_path / "page.html").read_text("utf-8"))
    assert "slot 7, all " in page
    assert "slot 0, all " not in page
    assert "<code>ictus diagnose camp --op bcast --launch 7 -o page.html</code>" in page


@pytest.mark.long
@pytest.mark.figures
def test_many_cases_are_tabled_and_a_few_drawn(ictus: Ictus, tmp_path: Path) -> None:
    """Two libraries and four sizes: eight rows, six drawn, and a line that says how to see others."""
    world = replace(PLANTED, libraries=("mpich", "openmpi"), operations=("bcast",), sizes=(8, 16, 32, 64), launches=4)
    write_folder(tmp_path / "camp", replace(world, nrep=100))
    assert ictus("diagnose", "camp", "-o", "page.html").code == 0
    page = read_aloud((tmp_path / "page.html").read_text("utf-8"))
    assert "6 of 8 rows are drawn below; --op, --sizes, --mpi and --case choose others" in page
    assert page.count('aria-label="Histogram of MPI_Bcast') == 12


@pytest.mark.figures
def test_a_lost_case_is_na(ictus: Ictus, tmp_path: Path) -> None:
    """NA in the table, null in JSON, no figure on the page, and no error."""
    write_folder(tmp_path / "camp", replace(PLANTED, operations=("bcast",), lost=("bcast:64",), launches=3))
    answer = ictus("diagnose", "camp", "-o", "page.html")
    assert answer.code == 0
    assert "NA" in answer.out
    assert "there is nothing to diagnose" in answer.out
    row = json.loads(ictus("diagnose", "camp", "--json").out)["rows"][0]
    assert (row["effective_samples"], row["launches"]) == (None, [])
    assert "<figure>" not in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.figures
def test_few_repetitions_say_little_and_break_nothing(ictus: Ictus, tmp_path: Path) -> None:
    """Five repetitions, two launches: what cannot be known is NA, and the page has what can be drawn."""
    write_folder(tmp_path / "camp", replace(PLANTED, operations=("bcast",), launches=2, nrep=5))
    answer = ictus("diagnose", "camp", "-o", "page.html")
    assert answer.code == 0
    assert "0 of 2" in answer.out
    assert 'aria-label="Histogram of MPI_Bcast' in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--op", "bcats"), "--op 'bcats' in this campaign"),
        (("--mpi", "intel"), "--mpi 'intel' in this campaign"),
        (("--sizes", "8"), "no case matches the options; the campaign has the sizes 0, 64"),
        (("--sizes", "x"), "--sizes 'x'"),
        (("--case", "9"), "--case 9: the campaign has the cases 0 to 3"),
        (("--launch", "99"), "--launch 99: no kept sample of these cases in that slot; there are 0, 1, 2"),
        (("--json", "--csv"), "choose one"),
    ],
)
def test_what_cannot_be_is_refused(ictus: Ictus, camp: Path, words: tuple[str, ...], said: str) -> None:
    """Exit code 2, and a sentence that names option, value and what there is."""
    answer = ictus("diagnose", camp, *words)
    assert (answer.code, said in answer.err) == (2, True), answer.err


@pytest.mark.figures
def test_a_page_that_cannot_be_written_is_refused_at_once(ictus: Ictus, camp: Path, tmp_path: Path) -> None:
    """Exit code 2, before anything is computed: not even a table is shown."""
    (tmp_path / "pages").mkdir()
    for place, said in (("missing/page.html", "the folder 'missing' does not exist"), ("pages", "is a folder")):
        answer = ictus("diagnose", camp, "-o", place)
        assert (answer.code, answer.out) == (2, "")
        assert f"-o '{place}'" in answer.err
        assert said in answer.err
