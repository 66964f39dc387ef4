"""`ictus show`: each library's cases over its launches."""

from pathlib import Path
from typing import Annotated

from ictus.cli.console import width
from ictus.cli.output import Answer, Csv, Json, give
from ictus.cli.reading import FOLDER, IncludeContended


def show(
    folder: Annotated[Path, FOLDER],
    include_contended: IncludeContended = False,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Show each library's cases.

    The median of the launch medians, its interval over launches, and how many samples were valid.
    """
    from ictus import api  # noqa: PLC0415 (polars and scipy take most of a second, which --help does not need)
    from ictus.report.tables import case_table  # noqa: PLC0415

    campaign = api.load(folder, contended=include_contended)
    cases = api.cases(campaign)
    rows = [row.flat() for row in cases.rows]
    give(
        Answer("ictus.show/1", rows, cases.warnings, lambda: case_table(cases.rows, cases.confidence, width())),
        json,
        csv,
    )
