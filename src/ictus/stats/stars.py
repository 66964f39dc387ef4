"""Significance stars as the papers print them."""

LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
"""Largest p of each mark, strictest first (papers/mpi-benchmarking-revisited, section 6.2)."""


def stars(p_value: float | None) -> str:
    """`***` for p <= 0.001, `**` for p <= 0.01, `*` for p <= 0.05, nothing otherwise or where there is no p (None,
    NaN).
    """
    if p_value is None:
        return ""
    return next((mark for largest, mark in LEVELS if p_value <= largest), "")
