"""The usual spread between campaigns is that of the compared machine."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from tests.synthetic import MACHINE, Scenario, latency, write_folder

from ictus.comparison.history_store import add
from ictus.comparison.usual import usual_spreads
from ictus.store.campaign import Campaign, load

FIRST = datetime(2026, 3, 1, tzinfo=timezone.utc)


def measured(root: Path, host: str, day: int, factor: float) -> Campaign:
    """One campaign of a server, all latencies times `factor`."""
    scenario = Scenario(
        libraries=("mpich",), operations=("bcast",), sizes=(64,), launches=1, nrep=5, seed=day + 1,
        latency=lambda label, operation, size: factor * latency(label, operation, size),
        created=(FIRST + timedelta(days=day)).isoformat(), machine={**MACHINE, "host": host},
    )  # fmt: skip
    return load(write_folder(root / f"{host}{day}", scenario))


def test_campaigns_of_another_machine_do_not_count(tmp_path: Path) -> None:
    """A store of two servers, of which one spreads by 1 % and the other by a factor of 2; two machines have none."""
    quiet = [measured(tmp_path, "quiet", day, factor) for day, factor in enumerate((1.0, 1.01, 0.99, 1.0))]
    wild = [measured(tmp_path, "wild", day, factor) for day, factor in enumerate((1.0, 2.0, 0.5, 1.0), 10)]
    add(tmp_path / "store", [*quiet, *wild])
    (alone,) = usual_spreads(quiet[:3], quiet[3:]).values()
    (of_store,) = usual_spreads([tmp_path / "store"], quiet[3:]).values()
    assert of_store.n_campaigns == 3
    assert of_store.ratio == pytest.approx(alone.ratio)
    assert of_store.ratio < 1.2
    assert usual_spreads([tmp_path / "store"], [quiet[3], wild[3]]) == {}
