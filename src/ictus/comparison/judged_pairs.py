"""The rows of judged pairs, and their answer in sentences: who is faster, how often, by how much and at which sizes."""

from html import escape
from typing import TYPE_CHECKING

import polars as pl

from ictus.comparison.axes import ratio_axes
from ictus.comparison.case_row import frame_of
from ictus.comparison.effect_sizes import effects
from ictus.comparison.pair_words import outlook, sentence
from ictus.comparison.ranking import CaseRanking
from ictus.comparison.ranking_words import first_places
from ictus.comparison.rows import ComparisonRow, Counts, compared, comparison_record, count
from ictus.stats.hypothesis import Alternative

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class JudgedPairs:
    """What a comparison found. Printed, it is its answer."""

    rows: tuple[ComparisonRow, ...]
    by: str
    equivalence: float
    alternative: Alternative
    rankings: tuple[CaseRanking, ...]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The (a, b) that were compared, in order."""
        return tuple(dict.fromkeys((row.a, row.b) for row in self.rows))

    @property
    def compared(self) -> tuple[ComparisonRow, ...]:
        """The rows without the cases that a side lacks."""
        return tuple(row for row in self.rows if not row.missing)

    @property
    def counts(self) -> Counts:
        """How many cases have each verdict."""
        return count(self.rows)

    @property
    def summary(self) -> str:
        """The answer as `ictus compare` gives it, one sentence a line."""
        return "\n".join(summary_sentences(self))

    def __str__(self) -> str:
        return self.summary

    def __repr__(self) -> str:
        return f"<Comparison by {self.by}, {compared(self.rows)}: {self.summary.partition(chr(10))[0]}>"

    def _repr_html_(self) -> str:
        """In a notebook: the answer, and the rows below it."""
        answer = "".join(f"<p>{escape(sentence)}</p>" for sentence in summary_sentences(self))
        return f"{answer}{self.to_frame()._repr_html_()}"

    def to_frame(self) -> pl.DataFrame:
        """One row per case: a column for every factor of the case, then the columns of `--json`."""
        return frame_of(comparison_record(row, self.alternative) for row in self.rows)

    def plot(self, kind: str = "ratio") -> "tuple[Axes, ...]":
        """The ratio over message sizes, as the report draws it: axes of matplotlib, one for each pair, operation and
        number of processes. `axes[0].figure` shows it in a notebook, `axes[0].figure.savefig("ratio.pdf")` writes it.

        Raises UsageError for another kind than `ratio`.
        """
        return ratio_axes(kind, self.rows, self.equivalence)


MOST_SENTENCES = 6
"""Of an answer: what is more is told behind the tables."""


def pair_sentences(pairs: JudgedPairs) -> tuple[str, ...]:
    """For each pair its result, how large it is and where, and what more launches would decide."""
    return tuple(text for pair in pairs.pairs for text in _of_pair(pairs, *pair))


def _of_pair(pairs: JudgedPairs, a: str, b: str, room: int | None = None) -> tuple[str, ...]:
    """With the effects of so many operations as there is `room` for."""
    rows = [row for row in pairs.rows if (row.a, row.b) == (a, b)]
    sizes = [effect.sentence for effect in effects(rows, named=len(pairs.pairs) > 1)]
    return (sentence(rows, a, b, pairs.equivalence), *sizes[:room], *filter(None, (outlook(rows),)))


def result_sentences(pairs: JudgedPairs) -> tuple[str, ...]:
    """The result in few lines: of three and more values who is first, and each pair as far as there is room."""
    first = (first_places(pairs.rankings),) if pairs.rankings else ()
    sentences = (*first, *(text for pair in pairs.pairs for text in _of_pair(pairs, *pair, room=0)))
    if len(sentences) > MOST_SENTENCES:
        return first or sentences[:MOST_SENTENCES]
    if len(pairs.pairs) > 1:
        return sentences
    return tuple(_of_pair(pairs, *pairs.pairs[0], room=MOST_SENTENCES - len(sentences))) if pairs.pairs else sentences


def summary_sentences(pairs: JudgedPairs) -> tuple[str, ...]:
    """The whole answer: who is first, and every sentence of every pair."""
    return (*((first_places(pairs.rankings),) if pairs.rankings else ()), *pair_sentences(pairs))
