"""Pages in Chromium: at 400 and 1280 pixels, on paper, under keys, as a screen reader is told them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.advice.made_up import ADVICE
from tests.browser import Tab, browser, pages_of, writes_of
from tests.cli.test_every_table import SHOWN
from tests.clock_documents import accuracy
from tests.command_line import run_ictus
from tests.comparison.test_page import page
from tests.render.test_prose import page as page_of
from tests.skew_documents import launch, start, study
from tests.synthetic import Scenario, write_folder

from ictus.advice.page import advice_page
from ictus.render.page import Panel, Section
from ictus.render.table import Block, Column, Table

pytestmark = [pytest.mark.figures, pytest.mark.engine("chromium")]

SIZES = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
"""As many cases as the demo has."""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """One browser for all."""
    with browser(tmp_path_factory.mktemp("browser")) as own:
        yield own


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three operations of fourteen sizes by two libraries."""
    world = Scenario(
        operations=("bcast", "allreduce", "alltoall"), sizes=SIZES, launches=8, nrep=20, launch_spread=0.05
    )
    folder = tmp_path_factory.mktemp("page")
    path = folder / "page.html"
    path.write_text(page(write_folder(folder / "camp", world)), "utf-8")
    return path


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_is_wider_than_the_window(width: int, tab: Tab, report: Path) -> None:
    """Neither the page nor a table in it; the links of the navigation are all seen."""
    tab.open(report, width)
    assert tab.run("document.documentElement.scrollWidth") == width
    assert (
        tab.run("[...document.querySelectorAll('.sheet')].filter((one) => one.scrollWidth > one.clientWidth).length")
        == 0
    )
    right = tab.run(
        "Math.max(...[...document.querySelectorAll('nav a')].map((one) => one.getBoundingClientRect().right))"
    )
    assert right <= width


def test_a_phone_shows_the_ratio_with_its_name_and_its_drawing(tab: Tab, report: Path) -> None:
    """Of each row that has one."""
    tab.open(report, 400)
    label = "getComputedStyle(document.querySelector('.cases td.ratio'), '::before').content"
    assert tab.run(label) == '"ratio "'
    assert tab.run("document.querySelector('.cases td.strip svg').getBoundingClientRect().width") > 150


def test_the_demo_prints_on_eight_sheets_with_its_drawings(tab: Tab, report: Path) -> None:
    """Headings of sortable columns are printed on each sheet, and the drawings of the table, too."""
    tab.open(report)
    assert pages_of(tab.pdf()) <= 8
    tab.call("Emulation.setEmulatedMedia", media="print")
    assert tab.run("getComputedStyle(document.querySelector('.cases thead button')).display") == "contents"
    assert tab.run("getComputedStyle(document.querySelector('.cases td.strip')).display") == "table-cell"
    tab.call("Emulation.setEmulatedMedia", media="")


def test_a_figure_is_enlarged_by_a_key_and_its_letters_keep_their_size(tab: Tab, report: Path) -> None:
    """The button has the focus and says its state; the drawing grows, the letters do not."""
    tab.open(report)
    tab.run("document.querySelector('#latency figure button').focus()")
    size = """(() => { const svg = document.querySelector('#latency figure svg');
      return [svg.getBoundingClientRect().width, svg.querySelector('text').getBoundingClientRect().height] })()"""
    width, letters = tab.run(size)
    tab.press("Enter")
    wide, after = tab.run(size)
    assert wide > 2 * width
    assert after == pytest.approx(letters, rel=0.1)
    assert tab.run("document.activeElement.getAttribute('aria-pressed')") == "true"
    tab.press(" ")
    assert tab.run(size) == pytest.approx([width, letters])


def test_a_screen_reader_is_told_figures_their_buttons_and_switches(tab: Tab, report: Path) -> None:
    """By role and name."""
    tab.open(report)
    spoken = tab.spoken()
    assert ("image", "Latency against message size, MPI_Bcast, 2\N{NO-BREAK SPACE}processes") in spoken
    assert any(role == "button" and name.startswith("Enlarge the figure MPI_Bcast") for role, name in spoken)
    assert ("switch", "mpich") in spoken
    assert any(role == "combobox" and name == "Show one verdict" for role, name in spoken)


def test_rows_are_chosen_by_verdict(tab: Tab, report: Path) -> None:
    """Only those of the chosen one are left, in the number that the head of the page says."""
    tab.open(report)
    counted = int(tab.run("document.querySelector('.key .faster b').textContent"))
    left = tab.run("""(() => { const select = document.querySelector('select[aria-label="Show one verdict"]');
      select.value = 'mpich faster';
      select.dispatchEvent(new Event('change'));
      const rows = [...document.querySelectorAll('.cases tbody:not([hidden]) tr:not(.group)')];
      return rows.filter((row) => !row.hidden).length })()""")
    assert left == counted > 0


def rows_of_figures(tab: Tab, *sections: str) -> list[list[int]]:
    """Of each section how many figures stand in each row."""
    rows = tab.run(f"""JSON.stringify({json.dumps(sections)}.map((id) => {{
      const figures = [...document.querySelectorAll(`#${{id}} figure`)];
      const tops = figures.map((one) => Math.round(one.getBoundingClientRect().top));
      return [...new Set(tops)].map((top) => tops.filter((one) => one === top).length) }}))""")
    found: list[list[int]] = json.loads(rows)
    return found


def test_no_figure_stands_alone_in_its_row(tab: Tab, report: Path) -> None:
    """Three of latency, and ten launch by launch: rows of three and of two."""
    tab.open(report)
    assert rows_of_figures(tab, "latency", "launches") == [[3], [3, 3, 2, 2]]


LONGEST = "barrier(algorithm=recursive-doubling)"
SKEWS = study(
    *(
        launch(2, [start(spec, [[0, 9], [0, 12]], [[0, 1609], [0, 1612]]) for spec in (LONGEST, "window")], seed=seed)
        for seed in (1, 2, 3)
    )
)
ALGORITHMS = ("hierarchical(within=hca3,between=hca3)", "hca3")
ERRORS = accuracy(2, (0, 1), [(name, 0.1, 99, [[0, 1], [0, 2]], [[0, 3], [0, 4]]) for name in ALGORITHMS])
LONG = "hierarchical(between=hca3(span=0s,slope_test=off,fitpoints=500),within=skampi(exchanges=100))"
SETTINGS = accuracy(2, (0, 5), [(name, 0.1, 99, [[0, 1], [0, 2]], None) for name in (LONG, "hca3", "none")])


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Pages with the widest tables and the longest names of their kinds."""
    home = tmp_path_factory.mktemp("pages")
    world = Scenario(operations=("bcast",), sizes=(8, 1024), launches=11, nrep=50)
    campaign = write_folder(home / "camp", world)
    documents = {"skew": ("skew.json", SKEWS), "clocks": ("clocks.json", ERRORS), "pareto": ("clocks.json", SETTINGS)}
    for name, (file, document) in documents.items():
        (home / name).mkdir()
        (home / name / file).write_text(json.dumps(document), "utf-8")
    lens, check = home / "lens", home / "check"
    for words in (
        ("barriers", "skew", home / "skew", "-o", home / "skew"),
        ("clocks", "accuracy", home / "clocks", "-o", home / "clocks"),
        ("clocks", "pareto", home / "pareto", "-o", home / "pareto"),
        ("nrep", campaign),
        ("lens", *_SMALL, "--sizes", "8", "-o", lens),
        ("check", *_SMALL, "--sizes", "8,16", "-o", check),
    ):
        answer = run_ictus(*words)
        assert answer.code == 0, answer.err
    made = {}
    for name, (page_file, more) in AS_SHOWN.items():
        (home / name).mkdir()
        make, words, _ = SHOWN[name]
        with pytest.MonkeyPatch.context() as inside:
            inside.chdir(home / name)
            make(run_ictus)
            answer = run_ictus(*words, *more)
        assert answer.code == 0, answer.err
        made[name] = home / name / page_file
    (home / "advice.html").write_text(advice_page(ADVICE, "ictus advise -- ./solver"), "utf-8")
    return {
        "advice": home / "advice.html",
        "pareto": home / "pareto/report.html",
        "skew": home / "skew/report.html",
        "clocks": home / "clocks/report.html",
        "nrep": campaign / "nrep.html",
        "lens": lens / "lenses.html",
        "check": check / "check.html",
        **made,
    }


_SMALL = ("--launcher", "simulated", "-m", "mpich", "--op", "bcast", "-n", "2", "--launches", "8", "--seed", "1")
AS_SHOWN: dict[str, tuple[str, tuple[str, ...]]] = {
    "overlap": ("study/report.html", ()),
    "reproduce": ("again/reproduce.html", ()),
    "window": ("camp/windows.html", ()),
    "times": ("camp/times.html", ()),
    "frequency": ("out/report.html", ("-o", "out")),
    "drift": ("out/report.html", ("-o", "out")),
    "rtt": ("out/report.html", ("-o", "out")),
    "network": ("out/report.html", ("-o", "out")),
    "diagnose": ("page.html", ("-o", "page.html")),
    "history": ("page.html", ("-o", "page.html")),
}
"""Pages of what tests/cli/test_every_table.py shows: the file, and the words that ask for it."""
KINDS = ("advice", "pareto", "skew", "clocks", "nrep", "lens", "check", *AS_SHOWN)


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("kind", KINDS)
def test_every_table_and_label_is_seen_whole(kind: str, width: int, tab: Tab, pages: dict[str, Path]) -> None:
    """No page and no table, folded ones too, is wider than its place; no text of a figure ends beyond its drawing."""
    tab.open(pages[kind], width)
    tab.run("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    tab.run("new Promise((done) => setTimeout(done, 50))")  # what is opened is told a moment later
    assert tab.run("document.documentElement.scrollWidth") == width
    assert tab.run("document.querySelectorAll('.sheet').length") > 0
    cut = "[...document.querySelectorAll('.sheet')].filter((one) => one.scrollWidth > one.clientWidth)"
    assert tab.run(f"JSON.stringify({cut}.map((one) => one.textContent.trim().slice(0, 60)))") == "[]"
    beyond = """[...document.querySelectorAll('figure svg text')].filter((text) => {
      const own = text.getBoundingClientRect(), all = text.closest('svg').getBoundingClientRect();
      return own.width > 0 && (own.right > all.right + 1 || own.left < all.left - 1) })"""
    assert tab.run(f"JSON.stringify({beyond}.map((one) => one.textContent))") == "[]"


@pytest.mark.parametrize("kind", KINDS)
def test_the_footer_is_not_alone_on_a_sheet(kind: str, tab: Tab, pages: dict[str, Path]) -> None:
    """Where its letters are hidden, the last sheet has others."""
    tab.open(pages[kind])
    last = str(pages_of(tab.pdf()))
    tab.run("document.querySelector('footer').style.visibility = 'hidden'")
    assert writes_of(tab.pdf(last)) > 0


def test_a_caption_is_as_wide_as_the_page_lets_it(tab: Tab, pages: dict[str, Path]) -> None:
    """Not as its table: above three narrow columns it stands on one line."""
    tab.open(pages["drift"])
    lines = "[...document.querySelectorAll('caption')].map((one) => Math.round(one.getClientRects()[0].height))"
    heights = tab.run(lines)
    assert len(heights) == 2
    assert heights[0] == heights[1]


def test_what_changed_with_a_level_is_a_cell_as_all_others(tab: Tab, pages: dict[str, Path]) -> None:
    """Not drawn as the list of facts at the head of the page."""
    tab.open(pages["history"])
    assert tab.run("getComputedStyle(document.querySelector('td.facts')).display") == "table-cell"


def test_a_name_of_a_barrier_is_written_whole(tab: Tab, pages: dict[str, Path]) -> None:
    """Beside its bar."""
    tab.open(pages["skew"])
    names = tab.run("JSON.stringify([...document.querySelectorAll('#skew figure text')].map((one) => one.textContent))")
    assert "barrier(recursive-doubling)" in json.loads(names)


def test_settings_that_differ_by_their_seed_are_said_once(tab: Tab, pages: dict[str, Path]) -> None:
    """With all seeds."""
    tab.open(pages["skew"])
    assert tab.run("document.querySelectorAll('#setting section').length") == 1
    assert tab.run("[...document.querySelectorAll('#setting dd')].at(-1).textContent") == "1, 2, 3"


@pytest.mark.parametrize(("figures", "rows"), [(1, [1]), (2, [2]), (3, [3]), (5, [3, 2])])
def test_figures_below_a_narrow_table_are_never_a_lone_third(
    figures: int, rows: list[int], tab: Tab, tmp_path: Path
) -> None:
    """Beside the text there is room for two; more take the width of the page."""
    panel = Panel("A figure", "", '<svg viewBox="0 0 380 250"></svg>')
    table = Table((Column[str]("key", "name", str, "left"),), [Block("", "", ["a", "b"])])
    path = tmp_path / "page.html"
    path.write_text(page_of(Section("shown", "Shown", (), tables=(table,), panels=(panel,) * figures)), "utf-8")
    tab.open(path)
    assert rows_of_figures(tab, "shown") == [rows]


def test_on_paper_no_figure_is_a_lone_third(tab: Tab, report: Path) -> None:
    """Three make a row of three, ten go in pairs, nine in three pairs and a row of three; headings of columns are not
    larger than what is below them.
    """
    tab.open(report, 695)  # A4 without its margins
    tab.call("Emulation.setEmulatedMedia", media="print")
    rows = rows_of_figures(tab, "latency", "launches", "samples")
    size = "parseFloat(getComputedStyle(document.querySelector('.cases {}')).fontSize)"
    heading, cell = tab.run(size.format("thead th")), tab.run(size.format("td"))
    tab.call("Emulation.setEmulatedMedia", media="")
    assert rows == [[3], [2, 2, 2, 2, 2], [2, 2, 2, 3]]
    assert heading <= cell
