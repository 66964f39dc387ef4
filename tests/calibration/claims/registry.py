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
    worlds,
)
from tests.calibration.claims.row import CalibrationRow

ROWS: tuple[CalibrationRow, ...] = tuple(
    row
    for kind in (factors, samples, launches, clocks, measured_clocks, worlds, guidelines, remedies, overheads)
    for row in kind.ROWS
)
