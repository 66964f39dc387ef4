"""`ictus-bench clocks drift`, launched for real, against the drifts that its clocks have."""

import math
from pathlib import Path

import pytest
from tests.native.launching import EITHER
from tests.native.study_launches import DRIFTING, document, skew

from ictus.model.written_rows import rows_of

pytestmark = pytest.mark.mpi


def test_a_share_of_the_ranks_is_watched_and_a_pass_that_is_too_long_is_said(tmp_path: Path) -> None:
    """Of three ranks' other two the last; a microsecond is too short for any exchange."""
    words = ("--clock", DRIFTING, "--duration", "20us", "--interval", "1us", "--windows", "10us", "--sample", "0.5")
    found = document("mpich", 3, "drift", *words, folder=tmp_path)
    assert found["series"]["rank"] == [2]
    assert [len(one) for one in found["series"]["at_s"]] == [21]
    assert found["longest_pass_s"] > 1e-6
    (said,) = [text for text in found["warnings"] if "a pass over 1 rank took" in text]
    assert said.endswith(
        "longer than the interval of 1.00 us: the offsets are further apart in time than requested; give a smaller "
        "--sample or a longer --interval"
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("label", EITHER)
@pytest.mark.parametrize("n_ranks", [2, 3])
def test_drift_finds_the_skews(n_ranks: int, label: str, tmp_path: Path) -> None:
    """The offsets over time rise by the difference of the drifts, as far as each offset is proven."""
    words = ("--clock", DRIFTING, "--duration", "1s", "--interval", "100ms", "--windows", "0.5s,7s")
    found = document(label, n_ranks, "drift", *words, folder=tmp_path)
    root = skew(0)
    assert found["series"]["rank"] == list(range(1, n_ranks))
    for series in rows_of(found["series"]):
        own = skew(series["rank"])
        rate = (own.drift - root.drift) / (1 + root.drift)
        assert len(series["at_s"]) == 11
        # None where others had the cores for so long that exchanges of drifting clocks contradict each other.
        bounds = [bound_s for bound_s in series["bound_s"] if bound_s is not None]
        for at_s, offset_s, bound_s in zip(series["at_s"], series["offset_s"], series["bound_s"], strict=True):
            grown = rate * (at_s - series["at_s"][0])
            own_s = max(bounds) if bound_s is None else bound_s
            assert abs(offset_s - grown) <= own_s + max(bounds) + 5e-6  # 50 ppm while it was measured: 0.1 s at worst
        whole = [fit for fit in rows_of(found["fits"]) if fit["rank"] == series["rank"]]
        assert [(fit["window_s"], len(fit["slope"])) for fit in whole] == [(0.5, 2), (1, 1)]
        assert whole[1]["slope"][0] == pytest.approx(rate, abs=4 * max(bounds) + 20e-6)
        assert math.isfinite(whole[0]["residual_max_s"][0])
