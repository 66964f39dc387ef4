"""All rows, one line a file."""

from tests.calibration.claims import clocks, factors, launches, samples
from tests.calibration.claims.row import CalibrationRow

ROWS: tuple[CalibrationRow, ...] = tuple(row for kind in (factors, samples, launches, clocks) for row in kind.ROWS)
