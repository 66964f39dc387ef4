"""`ictus-bench clocks drift`, launched for real, against the drifts that its clocks have."""

import math
from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES
from tests.native.study_launches import DRIFTING, document, skew

pytestmark = pytest.mark.mpi


@pytest.mark.parametrize("label", LIBRARIES)
@pytest.mark.parametrize("n_ranks", [2, 3])
def test_drift_finds_the_skews(n_ranks: int, label: str, tmp_path: Path) -> None:
    """The offsets over time rise by the difference of the drifts, as far as each offset is proven."""
    words = ("--clock", DRIFTING, "--duration", "1s", "--interval", "100ms", "--windows", "0.5s,7s")
    found = document(label, n_ranks, "drift", *words, folder=tmp_path)
    root = skew(0)
    assert [series["rank"] for series in found["series"]] == list(range(1, n_ranks))
    for series in found["series"]:
        own = skew(series["rank"])
        rate = (own.drift - root.drift) / (1 + root.drift)
        assert len(series["at_s"]) == 11
        bounds = series["bound_s"]
        for at_s, offset_s, bound_s in zip(series["at_s"], series["offset_s"], bounds, strict=True):
            grown = rate * (at_s - series["at_s"][0])
            assert abs(offset_s - grown) <= bound_s + bounds[0] + 5e-6  # 50 ppm while it was measured: 0.1 s at worst
        whole = [fit for fit in found["fits"] if fit["rank"] == series["rank"]]
        assert [(fit["window_s"], len(fit["slope"])) for fit in whole] == [(0.5, 2), (1, 1)]
        assert whole[1]["slope"][0] == pytest.approx(rate, abs=4 * max(bounds) + 20e-6)
        assert math.isfinite(whole[0]["residual_max_s"][0])
