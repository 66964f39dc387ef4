"""Gates: parsed strictly, hit by adjusted verdict and interval together."""

from dataclasses import dataclass

import pytest

from ictus.comparison.gate import parse_gate
from ictus.model.errors import UsageError


@dataclass(frozen=True)
class Row:
    """A verdict with the interval of its ratio."""

    outcome: str
    ratio_low: float | None
    ratio_high: float | None
    beyond_usual: bool | None = None

    @property
    def result(self) -> "Row":
        """The interval is here."""
        return self


@pytest.mark.parametrize(
    ("gate", "hit", "missed"),
    [
        ("slower", Row("slower", 1.001, 1.1), Row("faster", 0.8, 0.9)),
        ("slower > 3 %", Row("slower", 1.031, 1.2), Row("slower", 1.03, 1.2)),
        ("faster>3%", Row("faster", 0.9, 0.97), Row("faster", 0.9, 0.98)),
        ("different > 2.5 %", Row("faster", 0.8, 0.97), Row("undecided", 1.5, 3.0)),
        ("different", Row("slower", 1.01, 1.2), Row("same", 1.01, 1.02)),
        ("different", Row("faster", 0.8, 0.97), Row("distributions-differ", 0.9, 1.2)),
        ("undecided", Row("undecided", 0.9, 1.1), Row("slower", 2.0, 3.0)),
        ("undecided", Row("apart", 1.1, 1.2), Row("slower", 2.0, 3.0)),
        ("slower > 3 %", Row("apart", 1.031, 1.2), Row("apart", 1.03, 1.2)),
        ("slower > 3 %", Row("apart", 1.1, 1.2, beyond_usual=True), Row("apart", 1.1, 1.2, beyond_usual=False)),
        ("faster > 3 %", Row("apart", 0.8, 0.9), Row("apart", 1.1, 1.2)),
        ("different > 3 %", Row("apart", 0.8, 0.9), Row("apart", 0.9, 1.2)),
        ("undecided", Row("cannot-decide", None, None), Row("not-comparable", None, None)),
    ],
)
def test_a_gate_asks_for_verdict_and_interval(gate: str, hit: Row, missed: Row) -> None:
    """A large ratio that is not proven after adjustment hits no gate, nor an interval that reaches back over it."""
    assert parse_gate(gate).count([hit, missed, hit]) == 2


def test_no_interval_hits_no_gate_of_a_direction() -> None:
    """A verdict without an interval shows no size."""
    assert not parse_gate("slower > 3 %").hits(Row("slower", None, None))
    assert not parse_gate("faster").hits(Row("faster", None, None))


@pytest.mark.parametrize(
    "gate", ["", "slower > 3", "slower 3 %", "slow", "slower > -3 %", "undecided > 3 %", "slower > 3 % x"]
)
def test_anything_else_is_refused(gate: str) -> None:
    """The error shows what was typed and what is expected."""
    with pytest.raises(UsageError, match="expected 'slower > 3 %'"):
        parse_gate(gate)
