"""What `ictus check` says on the terminal."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from ictus.guidelines.check.explain_rows import short_explanation
from ictus.guidelines.check.rows import Checked
from ictus.guidelines.check.tables import count_table, guideline_table, legend, loss_table, size_tables
from ictus.guidelines.check.words import method_sentence, place_sentences
from ictus.guidelines.explain import Explanation
from ictus.render.console import width, wrapped

_EXPLAINED = 5
"""So many calls are explained on the terminal: the page has all."""


def lines(found: Checked, why: Sequence[Explanation] = ()) -> Iterator[Text]:
    """The three tables of the paper, what violations cost, which algorithms did, and the result in sentences."""
    columns = width()
    for mark in found.marks:
        yield from wrapped(f"{mark[0].upper()}{mark[1:]}.", "yellow", columns)
        yield Text()
    yield from count_table(found, columns)
    yield Text()
    patterns = guideline_table(found, columns)
    if patterns:
        yield from patterns
        yield Text()
    yield from size_tables(found, columns)
    costs = loss_table(found.verdicts, found, columns)
    if costs:
        yield from costs
        yield Text()
    if why:
        more = f"  of the dearest {_EXPLAINED} of {len(why)} calls" if len(why) > _EXPLAINED else ""
        yield Text.assemble(("Algorithms", "bold"), (more, "dim"))
        for one in why[:_EXPLAINED]:
            yield from wrapped(f"  {short_explanation(one)}", "", columns, "    ")
        yield Text()
    yield from legend(found, columns)
    yield from wrapped(method_sentence(found), "dim", columns)
    for text in found.left_out:
        yield from wrapped(f"Left out: {text}.", "dim", columns)
    for sentence in place_sentences(found):
        yield Text()
        yield from wrapped(sentence, "bold", columns)
