"""Texts of pages: numbers keep their units, commands are code, warnings are sentences; what rows are chosen by."""

import re
from pathlib import Path

import pytest

from ictus.comparison.case_titles import naming
from ictus.comparison.strip import _beyond, _clipped
from ictus.histories.figures import date_ticks
from ictus.mpi.environment import of_one_launch
from ictus.render.choices import heading_choices, row_choices
from ictus.render.figures.panel import beside
from ictus.render.page import Fact, Page, Section, render_page
from ictus.render.prose import breakable, sentence, unbroken, with_code
from ictus.render.table import Block, Column, Table

NB = "\N{NO-BREAK SPACE}"
SOURCE = Path(__file__).parents[2] / "src/ictus"


def test_a_number_stays_on_the_line_of_its_unit_and_a_command_as_it_was_typed() -> None:
    """A word that only begins like a unit is none."""
    assert unbroken("16 KiB in 3 µs, 5 % of 8 launches") == f"16{NB}KiB in 3{NB}µs, 5{NB}% of 8{NB}launches"
    assert unbroken("2 sides and 3 below") == "2 sides and 3 below"
    assert unbroken("<code>sleep 3 s</code> 3 s") == f"<code>sleep 3 s</code> 3{NB}s"


def test_commands_and_options_are_code_and_all_else_is_escaped() -> None:
    """Text in backquotes, and names of options."""
    option = '<code class="option">--nrep</code>'
    assert with_code("a < b: `ictus run x` or --nrep") == f"a &lt; b: <code>ictus run x</code> or {option}"
    assert with_code("window--size") == "window--size"


def test_a_long_spec_breaks_behind_its_commas() -> None:
    """And nowhere where the line has room; short words are whole."""
    spec = "skewed(base=tsc,offset=1s,drift=20ppm)"
    assert breakable(f"{spec} a,b <") == "skewed(<wbr>base=tsc,<wbr>offset=1s,<wbr>drift=20ppm) a,b &lt;"


def test_no_column_is_drawn_as_another_part_of_the_page() -> None:
    """The class of a cell is the key of its column: a rule for a class of that name alone would be for cells too, as
    the one for the facts of the head was for those of a change.
    """
    sources = "".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    keys = set(re.findall(r'[cC]olumn(?:\[\w+\])?\(\s*"([a-z]\w*)",', sources))
    style = (SOURCE / "render/template/style.css").read_text("utf-8")
    alone = set(re.findall(r"(?:^|[},{])\s*\.([a-z][\w-]*)(?=[,{])", style))
    assert {"facts", "ratio", "verdict"} <= keys
    assert keys & alone == set()


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("clocks drift apart", "Clocks drift apart."),
        ("mpich: two launches", "mpich: two launches."),
        ("mpich has two launches", "mpich has two launches."),
        ("/a/folder: grown", "/a/folder: grown."),
        ("Is whole.", "Is whole."),
    ],
)
def test_a_warning_is_a_sentence(text: str, whole: str) -> None:
    """Names of libraries, paths and labels are spelled as they are."""
    assert sentence(text, ("mpich",)) == whole


def page(*sections: Section) -> str:
    """A page of these sections."""
    return render_page(
        Page(
            title="T", where="", reproduce_command="r", ictus="1", question="Asked: why?", facts=(Fact("a", "b"),),
            sections=sections,
        )
    )  # fmt: skip


def test_every_page_has_its_question_and_explains_itself() -> None:
    """Without rows there is nothing to filter, and without figures nothing to enlarge."""
    text = page()
    assert '<p class="asked">Asked: why?</p>' in text
    assert "<h2>Understanding this page</h2>" in text
    understanding = text.partition("Understanding this page</h2>")[2].partition("</section>")[0]
    assert "filters" not in understanding
    assert "enlarge" not in understanding


def test_filters_are_explained_where_rows_differ_in_what_they_are_chosen_by() -> None:
    """Two functions, or two sizes; not two rows of one size, which a page without filters had explained, too."""

    def explained(title: str, *values: str) -> bool:
        columns = (Column[str]("key", title, lambda row: row, "left"), Column[str]("other", "calls", lambda _: "1"))
        return "The bar at the top" in page(Section("s", "S", (), tables=(Table(columns, [Block("", "", values)]),)))

    assert explained("function", "Bcast", "Sendrecv")
    assert explained("size", "8 B", "16 B")
    assert not explained("size", "8 B", "8 B")
    assert not explained("host", "a", "b")


def test_a_warning_names_all_cases_on_demand() -> None:
    """Three in the sentence, all of them where it is opened."""
    names = [f"case {number}" for number in range(5)]
    text = page(Section("warnings", "Warnings", (), items=(naming("no sample of {}", names),)))
    assert "No sample of case 0, case 1, case 2 and 2 more." in text
    assert "<summary>All 5</summary><p>case 0, case 1, case 2, case 3, case 4</p>" in text


def test_what_a_row_or_a_figure_is_chosen_by() -> None:
    """Operation, size, processes, other factors, library and verdict, the last without its numbers; a blank that
    continues the row above counts as that.
    """
    assert heading_choices("MPI_Bcast, 8 B", "2 processes, procsync window, times in µs") == {
        "operation": ["MPI_Bcast"],
        "size": ["8 B"],
        "processes": ["2 processes"],
        "setting": ["procsync window"],
    }
    assert heading_choices("MPI_Scan", "library mpich, 4 processes") == {
        "operation": ["MPI_Scan"],
        "library": ["mpich"],
        "processes": ["4 processes"],
    }
    assert heading_choices("MPI_Bcast", "8 B, makespan in µs: mpich 1.01, openmpi 1.12") == {
        "operation": ["MPI_Bcast"],
        "size": ["8 B"],
    }
    assert heading_choices("MPI_Bcast 4 KiB") == {"operation": ["MPI_Bcast"], "size": ["4 KiB"]}
    columns = (
        Column[dict[str, str]]("size", "size", once=True),
        Column[dict[str, str]]("mpi", "library"),
        Column[dict[str, str]]("verdict", "verdict"),
    )
    rows = [{"size": "8 B", "mpi": mpi, "verdict": "undecided: about 3 more"} for mpi in ("mpich", "openmpi")]
    view = Table(columns, [Block("", "", rows)]).view("page")
    (block,) = view.blocks
    assert [row_choices(view, block, row) for row in block.rows] == [
        {"size": ["8 B"], "library": [mpi], "verdict": ["undecided"]} for mpi in ("mpich", "openmpi")
    ]


def test_variables_that_a_launcher_sets_anew_are_known() -> None:
    """Addresses and ranks; not what the user tunes."""
    assert all(map(of_one_launch, ("PMIX_SERVER_URI41", "PMIX_NAMESPACE", "OMPI_COMM_WORLD_RANK", "ICTUS_LAUNCH")))
    assert not any(map(of_one_launch, ("OMPI_MCA_btl", "UCX_TLS", "PMIX_MCA_gds", "LD_LIBRARY_PATH")))


def test_dates_of_an_axis_do_not_overlap() -> None:
    """A day after the first has no room; two campaigns of one day have one label."""
    assert date_ticks([0, 5, 100, 300], ["2026-01-01", "2026-01-02", "2026-02-01", "2026-06-01"]) == [0, 2, 3]
    assert date_ticks([0, 150], ["2026-01-01", "2026-01-01"]) == [0]


def test_a_long_label_is_whole_on_two_lines() -> None:
    """It used to end in dots."""
    assert beside("barrier(recursive-doubling)") == "barrier(\nrecursive-doubling)"
    assert beside("window") == "window"


def test_an_interval_that_leaves_the_axis_ends_in_an_arrow() -> None:
    """On its side, and neither where the axis reaches."""
    assert _beyond(0.5, 4.0, 2.0) == [(4.0, 1)]
    assert _beyond(0.4, 4.0, 2.0) == [(0.4, -1), (4.0, 1)]
    assert _beyond(0.6, 1.9, 2.0) == []
    assert "M100 6l5 4l-5 4" in _clipped(100, 10, 1)
