"""The texts of one compared case: verdict, ratio, interval, p."""

from ictus.comparison.rows import ComparisonRow
from ictus.render.table import NONE, UNKNOWN, short as shortened

SHORT_NAME = 12
"""Characters that the name of a side keeps in a narrow table."""
_OPEN = {"undecided": "undecided", "cannot-decide": "cannot decide"}


def apart(a: str, b: str) -> tuple[str, str]:
    """Two names short enough for a narrow table, without what they begin with in common: of `allreduce=ring` and
    `allreduce=tree` `ring` and `tree`.
    """
    # Where one text begins with the whole other one no letters differ, and both are shown from their beginning.
    alike = next((at for at, (letter, two) in enumerate(zip(a, b, strict=False)) if letter != two), 0)
    begin = max(a.rfind(sign, 0, alike) for sign in "=:(,") + 1
    return shortened(a[begin:], SHORT_NAME), shortened(b[begin:], SHORT_NAME)


def row_verdict(row: ComparisonRow, *, short: bool = False) -> str:
    """The whole verdict for people, who ask which side won: `mpich faster, within 5 %`."""
    text = row.result.verdict.text
    if row.winner is None:
        return text
    _, comma, after_comma = text.partition(",")
    name = apart(row.a, row.b)[row.winner == row.b] if short else row.winner
    return f"{name} faster{comma}{after_comma}"


def verdict_text(row: ComparisonRow, *, short: bool = False) -> str:
    """The verdict short enough for a table: `undecided: about 12 more`; in a narrow one `undecided: ~12 more`."""
    verdict = row.result.verdict
    if row.outcome == "apart":
        return verdict.text.replace(" the usual", "").replace(" times", "×") if short else verdict.text
    if row.missing:
        return verdict.text.partition("; ")[0]
    if row.outcome not in _OPEN:
        return row_verdict(row, short=short) if row.outcome != "not-comparable" else UNKNOWN
    about, least = ("~", "≥") if short else ("about ", "at least ")
    over = ">1,000 more" if short else "over 1,000 more"
    more_text = (
        f"{least if verdict.at_least else about}{verdict.more_launches:,} more"
        if verdict.more_launches is not None
        else over
    )
    return f"{_OPEN[row.outcome]}: {more_text}"


def ratio_text(ratio: float | None) -> str:
    """Three decimals; a ratio of ten and more has fewer."""
    if ratio is None:
        return UNKNOWN
    return f"{ratio:.3f}" if ratio < 9.9995 else f"{ratio:.3g}"


def interval_text(low: float | None, high: float | None) -> str:
    """`0.751 … 0.795`, or a dash where there is none."""
    return NONE if low is None or high is None else f"{ratio_text(low)} … {ratio_text(high)}"


def p_text(p_value: float | None) -> str:
    """Three or four decimals without an exponent; `<.0001` below one in ten thousand."""
    if p_value is None:
        return UNKNOWN
    if p_value < 1e-4:
        return "<.0001"
    return f"{p_value:.4f}" if p_value < 0.01 else f"{p_value:.3f}"
