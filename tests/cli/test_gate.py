"""Gates: parsed strictly, hit by verdict and size of the difference together."""

from dataclasses import dataclass

import pytest

from ictus.cli.gate import parse_gate
from ictus.model.errors import UsageError


@dataclass(frozen=True)
class Row:
    """A verdict with its ratio."""

    outcome: str
    ratio: float


@pytest.mark.parametrize(
    ("gate", "hit", "missed"),
    [
        ("slower", Row("slower", 1.001), Row("faster", 0.9)),
        ("slower > 3 %", Row("slower", 1.031), Row("slower", 1.03)),
        ("faster>3%", Row("faster", 0.97), Row("faster", 0.98)),
        ("different > 2.5 %", Row("faster", 0.97), Row("undecided", 2.0)),
        ("undecided", Row("undecided", 1.0), Row("slower", 2.0)),
        ("undecided", Row("cannot-decide", 1.0), Row("not-comparable", 1.0)),
    ],
)
def test_a_gate_asks_for_verdict_and_size(gate: str, hit: Row, missed: Row) -> None:
    """A large ratio that is not proven hits no gate, nor does a proven one that is small."""
    assert parse_gate(gate).count([hit, missed, hit]) == 2


@pytest.mark.parametrize(
    "gate", ["", "slower > 3", "slower 3 %", "slow", "slower > -3 %", "undecided > 3 %", "slower > 3 % x"]
)
def test_anything_else_is_refused(gate: str) -> None:
    """The error shows what was typed and what is expected."""
    with pytest.raises(UsageError, match="expected 'slower > 3 %'"):
        parse_gate(gate)
