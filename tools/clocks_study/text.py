"""Numbers and tables in Markdown."""

from collections.abc import Iterable, Sequence

from ictus.model.quantity import format_duration


def table(head: Sequence[str], rows: Iterable[Sequence[object]], numbers_from: int = 1) -> str:
    """A Markdown table; columns from `numbers_from` on are aligned to the right."""
    rule = ["---" if i < numbers_from else "---:" for i in range(len(head))]
    lines = [head, rule, *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def time(seconds: float | None) -> str:
    """`12.3 ns`; a dash where there is none."""
    return "-" if seconds is None else format_duration(seconds)


def count(number: float) -> str:
    """`12,600`."""
    return f"{round(number):,}"


def times(ratio: float | None) -> str:
    """`12`, `3.4`: two digits."""
    if ratio is None:
        return "-"
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}"
