"""All rows, one line a file."""

from tests.calibration.claims import (
    clocks,
    factors,
    guidelines,
    launches,
    measured_clocks,
    overheads,
    remedies,
    samples,
    starts,
    trials,
    worlds,
)
from tests.calibration.claims.row import CalibrationRow

_KINDS = (
    factors,
    samples,
    launches,
    starts,
    trials,
    clocks,
    measured_clocks,
    worlds,
    guidelines,
    remedies,
    overheads,
)
ROWS: tuple[CalibrationRow, ...] = tuple(row for kind in _KINDS for row in kind.ROWS)
