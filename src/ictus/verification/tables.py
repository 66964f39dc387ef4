"""The answer of `ictus verify`: a row for each thing that is wrong, and sentences on what was checked."""

from collections.abc import Iterator

from rich.text import Text

from ictus.render.output import width, wrapped
from ictus.render.table import Block, Cell, Column, Table
from ictus.render.terminal import lines
from ictus.verification.campaign import Verification
from ictus.verification.problem import Problem


def problem_table(verification: Verification) -> Table[Problem]:
    """What is wrong, in the order of the files."""
    column = Column[Problem]
    columns = (
        column("launch", "launch", lambda row: Cell(row.launch, "bold"), "left", once=True),
        column("file", "file", lambda row: row.file, "left"),
        column("case", "case", lambda row: row.case, "left"),
        column("field", "field", lambda row: row.field, "left"),
        column("found", "found", lambda row: row.found, "left"),
        column("expected", "expected", lambda row: row.expected, "left"),
    )
    blocks = [Block("What is wrong", str(verification.folder), verification.problems)] if verification.problems else []
    return Table(columns, blocks, title="What is wrong")


def sentences(verification: Verification) -> Iterator[str]:
    """What was checked, and what was not."""
    outcome = (
        f"{len(verification.problems)} things are wrong" if len(verification.problems) != 1 else "1 thing is wrong"
    )
    outcome = outcome if verification.problems else "Nothing is wrong"
    if verification.campaigns == 0:
        yield f"{outcome}: there is no campaign in it, so that documents were read and no number was computed again."
    else:
        yield (
            f"{outcome}: {verification.launches} launches, {verification.cases} summaries and "
            f"{verification.samples:,} samples were "
            f"computed again, {verification.from_stamps} launches from the stamps of every rank; "
            f"{verification.files} files have the "
            f"checksums of the journal."
        )
    yield from (f"Not checked: {text}." for text in verification.unchecked)


def answer_lines(verification: Verification) -> Iterator[Text]:
    """The whole answer."""
    columns = width()
    if verification.problems:
        yield from lines(problem_table(verification), columns)
        yield Text()
    for sentence in sentences(verification):
        yield from wrapped(sentence, "", columns)
