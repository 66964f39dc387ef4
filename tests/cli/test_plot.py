"""`ictus plot`: figures of a campaign for a paper, in real colours, with their data."""

import csv
import io
import json
import re
import shutil
from pathlib import Path

import pytest
from tests.command_line import Ictus
from tests.synthetic import Scenario, write_folder

from ictus.render.paper import WIDTHS_MM


@pytest.fixture(scope="module")
def camp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two libraries, one operation, two sizes."""
    folder = tmp_path_factory.mktemp("plot") / "camp"
    return write_folder(folder, Scenario(operations=("bcast",), sizes=(8, 4096), nrep=20, launches=6))


@pytest.mark.figures
def test_a_figure_is_as_wide_as_a_column_with_its_fonts_and_data(ictus: Ictus, camp: Path) -> None:
    """88 or 181 mm by the box of the PDF; fonts as TrueType; the same bytes twice; medians as `ictus show` has them."""
    for columns, width_mm in WIDTHS_MM.items():
        answer = ictus("plot", "latency", camp, "-o", f"fig{columns}.pdf", "--columns", str(columns))
        assert (answer.code, answer.out) == (0, f"fig{columns}.pdf  MPI_Bcast, 2 processes\n"), answer.err
        content = Path(f"fig{columns}.pdf").read_bytes()
        box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+)", content)
        assert box is not None
        assert float(box[1]) == pytest.approx(width_mm / 25.4 * 72, rel=1e-6)
        assert b"/FontFile2" in content
    ictus("plot", "latency", camp, "-o", "again.pdf")
    assert Path("again.pdf").read_bytes() == Path("fig1.pdf").read_bytes()
    shown = json.loads(ictus("show", camp, "--json").out)["rows"]
    rows = list(csv.DictReader(io.StringIO(Path("fig1.csv").read_text("utf-8"))))
    found = sorted((row["mpi"], int(row["size_bytes"]), float(row["median_s"])) for row in rows)
    assert found == sorted((row["mpi"], row["case"]["size_bytes"], row["median_s"]) for row in shown)


@pytest.mark.figures
def test_an_svg_has_real_colours(ictus: Ictus, camp: Path) -> None:
    """No variable of CSS, which other programs do not know, and no sentinel; the series have those of the scheme. The
    page that is made afterwards has its variables.
    """
    assert ictus("plot", "ratio", camp, "-o", "fig.svg").code == 0
    text = Path("fig.svg").read_text("utf-8")
    assert "var(" not in text
    assert not re.search("#fe[0-9a-f]{2}01", text)
    assert "#1768ac" in text
    assert "#b8500a" in text
    assert ictus("report", camp, "-o", "page.html").code == 0
    assert "var(--series-1,#1768ac)" in Path("page.html").read_text("utf-8")


@pytest.mark.figures
def test_what_cannot_be_drawn_is_refused(ictus: Ictus, camp: Path) -> None:
    """Kind, ending, operation and factor by name, without a file; a pgf says that it needs LaTeX."""
    for words, said in (
        (("latencies", camp, "-o", "fig.pdf"), "unknown KIND 'latencies', did you mean 'latency'?"),
        (("latency", camp, "-o", "fig.gif"), "-o 'fig.gif': expected a file that ends with .pdf, .svg, .png, .pgf"),
        (("latency", camp, "-o", "fig.pdf", "--op", "gather"), "there is no such figure of --op gather"),
        (("ratio", camp, "-o", "fig.pdf", "--by", "size-bytes"), "the figures are over message sizes"),
        (("samples", "check", "none", "-o", "fig.pdf"), "'check none': no folder of this name is here"),
        (("samples", camp, "none", "-o", "fig.pdf"), "expected one campaign FOLDER, or a command with the folder"),
        (("samples", "show", camp, "-o", "fig.pdf"), "makes no page"),
    ):
        answer = ictus("plot", *words)
        assert (answer.code, said in answer.err) == (2, True), answer.err
    assert not Path("fig.pdf").exists()
    answer = ictus("plot", "ratio", camp, "-o", "fig.pgf")
    if shutil.which("xelatex") is None:
        assert (answer.code, "a pgf needs LaTeX" in answer.err) == (3, True), answer.err
        assert not Path("fig.pgf").exists()
    else:
        assert Path("fig.pgf").read_text("utf-8").count("\\begin{pgfpicture}") == 1
    assert ictus("plot", "latency", camp, "-o", "none/fig.png").code == 3


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))


def parts_with_figures(page: Path) -> dict[str, int]:
    """How many figures each part of a page has, by its address."""
    parts = re.split(r'<section[^>]* id="', page.read_text("utf-8"))[1:]
    counts = {part.partition('"')[0]: part.count('role="img"') for part in parts}
    return {name: number for name, number in counts.items() if number}


@pytest.mark.figures
def test_every_figure_of_the_report_is_drawn_with_its_data(ictus: Ictus, camp: Path) -> None:
    """As many files of each part as the page has figures, each beside a CSV with as many marks as are drawn."""
    assert ictus("report", camp, "-o", "page.html").code == 0
    parts = parts_with_figures(Path("page.html"))
    assert {"latency", "ratio", "launches", "samples", "start"} <= parts.keys()
    for kind, number in parts.items():
        answer = ictus("plot", kind, camp, "-o", f"{kind}.svg")
        assert answer.code == 0, answer.err
        drawn = [Path(line.partition("  ")[0]) for line in answer.out.splitlines()]
        assert len(drawn) == number, kind
        assert all(one.is_file() and one.with_suffix(".csv").stat().st_size > 100 for one in drawn)
    rows = table(next(Path().glob("samples-*.csv")))
    assert {row["kind"] for row in rows} >= {"line"}


@pytest.mark.figures
def test_the_figures_of_other_pages_are_drawn_and_no_page_is_written(ictus: Ictus, camp: Path) -> None:
    """Those of a study with its options, and of a history, which has a page only where one is asked for; the marks of
    the latter have the texts of the page.
    """
    words = ("--launcher", "simulated", "-m", "mpich", "--op", "bcast", "--sizes", "8", "-n", "2", "--nrep", "20")
    assert ictus("barriers", "impact", *words, "--launches", "6", "--quick", "-o", "imp").code == 0
    page = next(Path("imp").glob("*.html"))
    parts = parts_with_figures(page)
    page.unlink()
    for kind, number in parts.items():
        answer = ictus("plot", kind, "-o", f"{kind}.png", "--", "barriers", "impact", "imp")
        assert (answer.code, len(answer.out.splitlines())) == (0, number), answer.err
    answer = ictus("plot", "figures", "-o", "days.png", "--", "history", camp, "-o", "days.html")
    assert (answer.code, len(answer.out.splitlines())) == (0, 4), answer.err
    rows = table(next(Path().glob("days-*.csv")))
    assert any("camp: " in row["text"] and row["kind"] == "mark" for row in rows)
    assert not Path("days.html").exists()
    assert list(Path("imp").glob("*.html")) == []
