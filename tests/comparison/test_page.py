"""The page: one file, the same bytes for the same folder, nothing fetched, everything said."""

import json
import math
import re
import subprocess
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.launch_document import edit_head
from tests.page_text import read_aloud
from tests.synthetic import Scenario, write_folder

import ictus
from ictus.comparison.effect_sizes import effects
from ictus.comparison.page import campaign_page
from ictus.render.figures.scheme import COLOURS

_VOID = {"meta", "link", "br", "hr", "wbr", "img", "input", "path", "circle", "rect", "use"}


def page(folder: Path, by: str = "mpi") -> str:
    """The page of a folder; a campaign of one library has nothing to compare."""
    campaign = ictus.load(folder)
    cases = ictus.cases(campaign)
    alone = len(campaign.labels) == 1 and by == "mpi"
    return campaign_page(campaign, cases, None if alone else ictus.compare(campaign, by=by), "ictus report camp")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with a lost case and a disturbed launch."""
    world = Scenario(sizes=(8, 64, 512, 4096, 32768), lost=("bcast:64",), contended_slots=(3,), launch_spread=0.1)
    folder = write_folder(tmp_path_factory.mktemp("page") / "camp", world)
    core = {"compiler": "g++ 12.2.0", "flags": "-O2", "build_type": "Release", "source_hash": "0123456789abcdef"}
    for path in folder.glob("launches/*/launch.json"):
        (kind,) = json.loads(path.read_text("utf-8"))["kinds"]
        kind |= {"cpu_model": "A processor of arithmetic", "governor": "performance", "kernel": "6.1.0"}
        edit_head(path, core=core, environment={"OMPI_MCA_btl": "self,sm"}, kinds=[kind])
    return folder


@pytest.fixture(scope="module")
def html(folder: Path) -> str:
    """Its page, with plain blanks between numbers and units."""
    return read_aloud(page(folder))


class Outline(HTMLParser):
    """Tags opened and closed in order, ids and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An opened tag."""
        values = dict(attrs)
        self.ids += [value] if (value := values.get("id")) else []
        self.links += [value for key in ("href", "src", "action") if (value := values.get(key))]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag that closes itself."""
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """A closed tag is the one opened last."""
        if tag not in _VOID:
            assert self.open, f"</{tag}> without a beginning"
            assert self.open.pop() == tag


@pytest.mark.figures
def test_the_same_folder_gives_the_same_bytes(folder: Path, html: str) -> None:
    """Written twice, and from another copy of the process's state: equal to the byte."""
    assert html == read_aloud(page(folder))


def test_nothing_is_fetched(html: str) -> None:
    """Links lead into the page itself, and no address is in it but the namespace of SVG."""
    outline = Outline(html)
    assert all(link.startswith("#") for link in outline.links)
    assert re.findall(r"https?:(?!//www\.w3\.org/2000/svg)", html) == []
    assert re.findall(r"@import|url\((?!#)|<link|<iframe|<img", html) == []


def test_it_is_well_formed_and_ids_are_unique(html: str) -> None:
    """Every tag is closed in order; no id comes twice; every link has its target."""
    outline = Outline(html)
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    assert {link[1:] for link in outline.links} <= set(outline.ids)


def test_every_section_says_what_it_means(html: str) -> None:
    """All parts are there, each with a paragraph beside it."""
    titles = [
        "What could be wrong",
        "Comparison",
        "Latency",
        "Ratio",
        "Launch by launch",
        "Samples",
        "Start and clocks",
        "Which factors matter",
        "Factors",
        "Understanding this page",
    ]
    assert titles == re.findall(r'<div class="about">\s*<h2>([^<]+)</h2>\s*<p>', html)


def test_the_page_begins_with_the_question_and_an_answer_for_each_operation(folder: Path, html: str) -> None:
    """The question, the answer to it, how sure it is: before any table; each operation by the terminal's own words."""
    assert "Asked: which of mpich and openmpi is faster in MPI_Bcast and MPI_Allreduce of 8 B to 32 KiB." in html
    found = ictus.compare(ictus.load(folder))
    told = [(effect.title, effect.text) for effect in effects(found.rows)]
    assert sorted(title for title, _ in told) == ["MPI_Allreduce", "MPI_Bcast"]
    for title, text in told:
        assert f"<li><b>{title}</b> {text}.</li>" in html
    assert html.index("Asked:") < html.index('class="answers"') < html.index("how sure") < html.index("<table")


def test_rows_and_figures_can_be_filtered(html: str) -> None:
    """Rows and figures say the operation, size, factors, sides and verdict that a filter compares."""
    rows, figures = (
        [json.loads(unescape(found)) for found in re.findall(f'<{tag} data-choices="([^"]*)"', html)]
        for tag in ("tr", "figure")
    )
    case = {"operation": ["MPI_Bcast"], "processes": ["2 processes"], "size": ["8 B"], "verdict": ["openmpi faster"]}
    assert case in rows
    assert len([one for one in rows if "verdict" in one]) == 10
    sized = {"operation": ["MPI_Allreduce"], "size": ["32 KiB"], "processes": ["2 processes"]}
    assert sized in figures
    assert series_of(html) == ["mpich", "openmpi"]
    assert 'data-compared="library"' in html
    assert html.count("data-series=") == 1 + 1 + 2  # the page's, its table's, and those of the two figures of ratios


def series_of(html: str) -> list[str]:
    """What a reader may choose one of."""
    found = re.search(r'<body data-compared="[^"]*" data-series="([^"]*)"', html)
    assert found
    names: list[str] = json.loads(unescape(found[1]))
    return names


CHOSEN = """<script>addEventListener("load", () => {
  const seen = (what) => [...document.querySelectorAll(what)].filter((one) => !one.closest("[hidden]"));
  const ranked = () => seen(".ranking tbody tr:not(.group)").map((row) => row.cells[0].textContent.trim()).join("|");
  const state = () => [".cases", ".cases tbody tr:not(.group)", ".ranking tbody tr:not(.group)", ".legend .off"]
    .map((what) => seen(what).length).concat(ranked());
  const states = [state()];
  for (const [name, value] of [["library", "openmpi"], ["size", "512\N{NO-BREAK SPACE}B"], ["operation", "MPI_Bcast"],
                               ["operation", ""], ["size", ""], ["library", ""]]) {
    const select = document.querySelector(`nav select[aria-label="Show one ${name}"]`);
    select.value = value;
    select.dispatchEvent(new Event("change"));
    states.push(state());
  }
  document.title = JSON.stringify(states);
});</script></body>"""


@pytest.mark.figures
@pytest.mark.engine("chromium")
def test_a_chosen_library_leaves_its_rows_and_tables(tmp_path: Path) -> None:
    """Three libraries, two operations of two sizes, in a browser: a pair's table has four rows, a ranking three a case.
    Whichever row of a size is the first that is seen names the size. What is chosen back shows all as before.
    """
    sizes = (8, 512)
    world = Scenario(libraries=("mpich", "openmpi", "mvapich"), sizes=sizes)
    text = page(write_folder(tmp_path / "camp", world))
    legends = text.count('class="legend"')
    (tmp_path / "page.html").write_text(text.replace("</body>", CHOSEN), "utf-8")
    words = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}")
    shown = subprocess.run(
        (*words, "--dump-dom", f"file://{tmp_path / 'page.html'}"), capture_output=True, text=True, check=True
    )
    title = re.search(r"<title>(.*?)</title>", shown.stdout, re.DOTALL)
    assert title
    every = [3, 12, 12, 0, "8 B|||512 B|||8 B|||512 B||"]
    off = 2 * legends
    assert json.loads(unescape(title[1]).replace("\N{NO-BREAK SPACE}", " ")) == [
        every,
        [2, 8, 4, off, "8 B|512 B|8 B|512 B"],
        [2, 4, 2, off, "512 B|512 B"],
        [2, 2, 1, off, "512 B"],
        [2, 4, 2, off, "512 B|512 B"],
        [2, 8, 4, off, "8 B|512 B|8 B|512 B"],
        every,
    ]


def test_the_headline_counts_the_verdicts(folder: Path, html: str) -> None:
    """The sentence on the page is the one of the terminal, and its numbers are those of the rows."""
    counts = ictus.compare(ictus.load(folder)).counts
    assert f"mpich is faster than openmpi in {counts.faster} of 10 cases and slower in {counts.slower}" in html
    assert f"<b>{counts.faster}</b> mpich faster" in html
    assert f"<b>{counts.slower}</b> openmpi faster" in html


def test_every_factor_that_was_recorded_is_on_the_page(html: str) -> None:
    """Versions, compilers, commands, clock and residuals, pinning in force, contention, environment, seed, host."""
    for text in (
        "Simulated MPI 1.0", "g++ 12.2.0", "0123456789abcdef", "/simulated/mpiexec", "simulated -n 2", "1 GHz",
        "hca3", "residual at the end, as learnt", "residual at the end, as stamps are mapped",
        "rank 1: simulated, CPU 1", "launches contended", "OMPI_MCA_btl=self,sm",
        "A processor of arithmetic", "performance", "6.1.0", "seed", "holm, over 10 cases", "21 November 2025",
    ):  # fmt: skip
        assert text in html, text


def test_a_lost_case_is_na(html: str) -> None:
    """In the table as NA with a verdict of NA, in the warnings by name, nowhere as 0."""
    row = re.search(r'<tr[^>]*>\s*<th[^>]*data-sort="64">.*?</tr>', html, re.DOTALL)
    assert row is not None
    assert row.group().count(">NA<") == 5
    assert "No valid sample at all, shown as NA: mpich MPI_Bcast 64 B n=2" in html


def test_repeated_launches_are_a_warning(html: str) -> None:
    """That of slot 3, whose first try was disturbed."""
    assert re.search(
        r"1 of \d+ launches were repeated, and 1 disturbed try was set aside: launch 3 \(\w+, n=2\)\.", html
    )


def test_factors_are_folded_behind_what_matters_in_plain_words(html: str) -> None:
    """The sentence comes before the table, and both behind the figures."""
    said = re.search(r"The library matters most: it explains .{1,15} of what differs\.", html)
    assert said
    assert html.rindex("<figure") < said.start() < html.index('<details class="fold"><summary>Campaign <span>')


def test_latencies_near_the_error_of_the_clocks_are_marked(tmp_path: Path) -> None:
    """A proven error of 100 ns: under 1 µs there is a mark, and a line under the table says what it means. Without a
    bound there is neither.
    """
    world = Scenario(operations=("bcast",), sizes=(8, 32768), launches=6, nrep=20, clock_bound_s=100e-9)
    text = read_aloud(page(write_folder(tmp_path / "marked", world)))
    cells = re.findall(r'<td class="median_[ab]_s[^>]*>([^<]+)</td>', text)
    assert [cell.endswith("†") for cell in cells] == [True, True, False, False]
    assert "† less than ten times the proven error of the clocks." in text
    assert "The latency is less than ten times the proven error of the clocks: mpich MPI_Bcast 8 B" in text
    unproved = page(write_folder(tmp_path / "unproved", replace(world, clock_bound_s=math.nan)))
    assert "†" not in unproved


def test_the_page_stays_small(html: str) -> None:
    """Far below 3 MB, although 13 figures of every kind are in it."""
    assert len(html.encode()) < 600_000
    assert html.count("<figure ") >= 12


@pytest.mark.figures
def test_texts_from_the_folder_are_escaped(tmp_path: Path) -> None:
    """What a folder says is text, never markup."""
    folder = write_folder(tmp_path / "camp", Scenario(sizes=(8,), launches=2, nrep=10))
    campaign = (folder / "campaign.json").read_text()
    (folder / "campaign.json").write_text(campaign.replace('"node01"', '"<script>alert(1)</script>"'))
    text = page(folder)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


@pytest.mark.figures
def test_one_library_has_a_page_without_a_comparison(tmp_path: Path) -> None:
    """Latency, launches, samples, start and factors remain; nothing is claimed to be faster."""
    text = page(write_folder(tmp_path / "camp", Scenario(libraries=("mpich",), sizes=(8, 64), nrep=20)))
    assert "faster" not in re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    assert re.findall(r'<div class="about">\s*<h2>([^<]+)', text) == [
        "Latency",
        "Launch by launch",
        "Samples",
        "Start and clocks",
        "Factors",
        "Understanding this page",
    ]


def test_without_synchronised_clocks_the_page_says_what_the_latency_is(tmp_path: Path) -> None:
    """The longest local duration, not the makespan; no start skew is drawn."""
    text = page(
        write_folder(tmp_path / "camp", Scenario(clocksync="none", procsyncs=("barrier",), sizes=(8, 64), nrep=20))
    )
    assert "longest of the ranks&#39; own durations" in text
    assert "Start and clocks" not in text


def test_a_page_by_another_factor_names_its_values(tmp_path: Path) -> None:
    """Compared by procsync: the series are the synchronisations, paired by launch."""
    world = Scenario(procsyncs=("window", "barrier"), procsync_factor={"barrier": 1.2}, sizes=(8, 64), nrep=20)
    text = page(write_folder(tmp_path / "camp", world), by="procsync")
    assert "<h1>window against barrier(dissemination)</h1>" in text
    assert "signed-rank, paired by launch" in text
    assert "launches that both sides share, pair by pair" in text


@pytest.mark.figures
def test_every_kind_of_campaign_stays_below_three_megabytes(tmp_path: Path) -> None:
    """Many operations, sizes and process counts: the figures launch by launch are limited, and the page says so."""
    operations = ("bcast", "allreduce", "alltoall", "barrier")
    world = Scenario(
        operations=operations, sizes=tuple(8 << i for i in range(14)), processes=(2, 4, 8), launches=4, nrep=10
    )
    assert len(page(write_folder(tmp_path / "camp", world)).encode()) < 3_000_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_both_schemes(scheme: str) -> None:
    """Contrast of every text and series colour against page and card is at least 4.5 (WCAG AA)."""
    values = {colour.name: getattr(colour, scheme) for colour in COLOURS}
    for name, value in values.items():
        if name not in ("paper", "card", "line", "band"):
            for ground in ("paper", "card"):
                assert contrast(value, values[ground]) >= 4.5, f"{name} on {ground}"


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours as WCAG 2 defines it."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
