"""What a launch is expected to take, from one that was measured."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from ictus.engine.launch_times import _case
from ictus.model.design import Slot
from ictus.store.launch_record import MeasuredCase

SLOT = Slot(slot=0, block=0, mpi="mpich", n=2, seed=1, cases=(0,))


@pytest.mark.parametrize(("valid", "each_s"), [(100, 0.03), (240, 0.0125), (5, 0.0375)])
def test_where_hardly_any_sample_is_valid_a_launch_takes_its_attempts(valid: int, each_s: float) -> None:
    """240 samples in 3 s, and 80 were asked for: as many again take 3 s. With 5 valid ones the launch was expected to
    take 48 s, so that a budget of 25 minutes had no time for most candidates of a tuning (busy cores).
    """
    flags = np.where(np.arange(240) < valid, 0, 1)
    samples = {"case_id": np.zeros(240), "flags": flags, "start": np.arange(240) * 0.0125, "makespan": np.ones(240)}
    case = cast("MeasuredCase", SimpleNamespace(case_id=0, headline="makespan", elapsed_s=3.0))
    assert _case(case, samples, 1.0, valid, SLOT).repetition_s == pytest.approx(each_s)
