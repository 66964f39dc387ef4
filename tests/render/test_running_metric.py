"""The figure of running metrics: every look has its tip, the count its line, and no numbers are no figure."""

import numpy as np
import pytest

from ictus.render.figures.stationarity import MetricLine, running_metric_figure


def line(values: list[float]) -> MetricLine:
    """The metric rse at 20, 30, 40 with a threshold of 2.5 %."""
    found = np.array(values)
    return MetricLine("rse", 0, (20, 30, 40), found, 0.025, (20, 30, 40), found)


def test_looks_and_count_can_be_read_from_the_figure() -> None:
    """Undefined looks are left out; what did not converge is said."""
    svg = running_metric_figure([line([np.nan, 0.04, 0.02])], 40, converged=True, label="metrics")
    assert "rse after 30 samples: 4 %" in svg
    assert "rse after 40 samples: 2 %" in svg
    assert "rse after 20 samples" not in svg
    assert "40 repetitions<" in svg
    assert "40 repetitions, not converged" in running_metric_figure(
        [line([0.05, 0.04, 0.03])], 40, converged=False, label="metrics"
    )


def test_a_metric_of_zero_is_drawn() -> None:
    """Constant samples: a logarithmic axis has no zero, the figure is made all the same."""
    assert "rse after 20 samples: 0 %" in running_metric_figure([line([0.0, 0.0, 0.0])], 20, True, "metrics")


def test_nothing_known_is_no_figure() -> None:
    """All undefined."""
    with pytest.raises(ValueError, match="needs a value"):
        running_metric_figure([line([np.nan] * 3)], 40, False, "metrics")
