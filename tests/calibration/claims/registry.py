"""All rows, one line a file."""

from tests.calibration.claims import clocks, factors, launches, measured_clocks, samples, starts, trials, worlds
from tests.calibration.claims.row import CalibrationRow

ROWS: tuple[CalibrationRow, ...] = tuple(
    row for kind in (factors, samples, launches, starts, trials, clocks, measured_clocks, worlds) for row in kind.ROWS
)
