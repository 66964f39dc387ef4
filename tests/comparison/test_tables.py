"""The tables of a comparison: what JSON and CSV call each column is a value of the rows for scripts."""

import csv
import io

import pytest
from tests.synthetic import Scenario, write_folder

import ictus
from ictus.comparison.comparison import Cases, Comparison
from ictus.comparison.tables import case_table, comparison_table, ranking_table
from ictus.render.output import as_csv
from ictus.render.table import records


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Cases, Comparison]:
    """Three libraries, compared and ranked."""
    world = Scenario(libraries=("mpich", "openmpi", "mvapich"), sizes=(8, 512), nrep=20, late_share=0.1)
    campaign = ictus.load(write_folder(tmp_path_factory.mktemp("tables") / "camp", world))
    return ictus.cases(campaign), ictus.compare(campaign)


def names(text: str) -> set[str]:
    """The header of a CSV."""
    return set(next(csv.reader(io.StringIO(text))))


def test_every_column_is_a_value_of_the_rows_for_scripts(found: tuple[Cases, Comparison]) -> None:
    """The keys of all three tables are columns of the CSV of the same rows."""
    cases, comparison = found
    ranked = [row for ranking in comparison.rankings for row in ranking.as_rows()]
    for table, rows in (
        (case_table(cases.rows, cases.confidence), records(cases.rows)),
        (comparison_table(comparison.rows, "two-sided", 0.05, 0.05), records(comparison.rows)),
        (ranking_table(comparison.rankings, comparison.by), ranked),
    ):
        assert {column.key for column in table.columns if column.key} <= names(as_csv(rows))


def test_terminal_and_page_show_the_same_texts(found: tuple[Cases, Comparison]) -> None:
    """Cell by cell, in all columns that both have."""
    _, comparison = found
    table = comparison_table(comparison.rows, "two-sided", 0.05, 0.05)
    terminal, page = table.view("terminal"), table.view("page")
    shared = [column for column in terminal.columns if column in page.columns]
    assert len(shared) == len(terminal.columns)
    places = [page.columns.index(column) for column in shared]
    for one, other in zip(terminal.blocks, page.blocks, strict=True):
        assert (one.title, one.detail) == (other.title, other.detail)
        for shown, drawn in zip(one.rows, other.rows, strict=True):
            assert [cell.shown for cell in shown] == [drawn[place].shown for place in places]
