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
        (("latency", camp, "-o", "fig.pdf", "--op", "gather"), "the campaign has no such figure of --op gather"),
        (("ratio", camp, "-o", "fig.pdf", "--by", "size-bytes"), "the figures are over message sizes"),
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
