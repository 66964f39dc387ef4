"""The libraries' answers to MPI_Dims_create, for scripts and for the terminal."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ictus.guidelines.dims.analysis import DimsViolation, Factors, Fault
from ictus.render.table import Block, Cell, Column, Table, records, row_columns

_SHOWN = 12
"""Answers of a library and number of dimensions that are listed: the farthest from balanced."""
_SAID = {
    Fault.PRODUCT: "no factors of it",
    Fault.ORDER: "not in falling order",
    Fault.SPREAD: "first and last differ needlessly",
    Fault.TIE: "inner ones could be closer",
}


@dataclass(frozen=True)
class Answers:
    """All answers of one library in this number of dimensions, for 1 to `up_to` processes."""

    library: str
    dimensions: int
    up_to: int
    violations: tuple[DimsViolation, ...]


COLUMNS = row_columns("mpi=0.library 0.dimensions 1.*", "ictus.dims/1")


def dims_rows(answers: Sequence[Answers]) -> list[Mapping[str, Any]]:
    """A row for each answer that could be better, for scripts."""
    return records(((answer, violation) for answer in answers for violation in answer.violations), COLUMNS)


def totals(answers: Sequence[Answers]) -> list[dict[str, Any]]:
    """How many answers of each kind are at fault."""
    return [
        {"mpi": answer.library, "dimensions": answer.dimensions, "checked": answer.up_to, **_counted(answer)}
        for answer in answers
    ]


def _counted(answers: Answers) -> dict[str, int]:
    counts = Counter(each.fault for each in answers.violations)
    return {fault.value: counts[fault] for fault in Fault}


_total = Column[Mapping[str, Any]]
_TOTALS = (
    _total("mpi", "library", align="left"),
    _total("dimensions", "dimensions"),
    _total("checked", "checked"),
    *(_total(fault.value, fault.value) for fault in Fault),
)
_answer = Column[DimsViolation]
_ANSWERS = (
    _answer("processes", "processes", lambda violation: str(violation.processes)),
    _answer("answer", "answer", lambda violation: Cell(_text(violation.answer), "magenta"), "left"),
    _answer("best", "most balanced", lambda violation: _text(violation.best), "left"),
    _answer("fault", "", lambda violation: _SAID[violation.fault], "left", 1),
)


def total_table(answers: Sequence[Answers]) -> Table[Mapping[str, Any]]:
    """How many answers could be better."""
    return Table(_TOTALS, [Block("MPI_Dims_create", "answers that could be better", totals(answers))])


def answer_table(answers: Sequence[Answers]) -> Table[DimsViolation]:
    """The answers that are farthest from balanced."""
    blocks = [
        Block(f"{answer.library}, {answer.dimensions} dimensions", _detail(answer), _farthest(answer))
        for answer in answers
        if answer.violations
    ]
    return Table(_ANSWERS, blocks)


def dims_sentences(answers: Sequence[Answers]) -> tuple[str, ...]:
    """One for each library."""
    sentences = []
    for library in dict.fromkeys(answer.library for answer in answers):
        of_library = [library_answers for library_answers in answers if library_answers.library == library]
        wrong = sum(len(library_answers.violations) for library_answers in of_library)
        ties = sum(_counted(library_answers)[Fault.TIE.value] for library_answers in of_library)
        total = sum(library_answers.up_to for library_answers in of_library)
        if not wrong:
            sentences.append(f"{library}: all {total:,} answers are the most balanced ones.")
            continue
        worth = f", of which {ties:,} are matters of ties" if ties else ""
        sentences.append(f"{library}: {wrong:,} of {total:,} answers could be better balanced{worth}.")
    return tuple(sentences)


def _farthest(answers: Answers) -> list[DimsViolation]:
    """By how much larger the difference of first and last is than it need be, in relation; ties at the end."""
    return sorted(answers.violations, key=lambda each: (-_excess(each), each.processes))[:_SHOWN]


def _excess(each: DimsViolation) -> float:
    if each.fault in (Fault.PRODUCT, Fault.ORDER):
        return float("inf")
    return (each.answer[0] - each.answer[-1]) / max(each.best[0] - each.best[-1], 1)


def _detail(answers: Answers) -> str:
    return f"the {_SHOWN} farthest of {len(answers.violations)}" if len(answers.violations) > _SHOWN else ""


def _text(factors: Factors) -> str:
    return " x ".join(map(str, factors))
