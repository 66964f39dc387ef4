"""Simulated campaigns until a ratio is precise within modes of the machine."""

from tools.calibration.precision_goals import LEAST, WORLDS, pursue

TWO_MODES = WORLDS[2]


def test_intervals_within_modes_cover_at_the_end_and_are_narrow_soon() -> None:
    """One mode three times as slow as the other: regardless of modes the same launches take three times as many."""
    within, regardless = (pursue(TWO_MODES, 0.03, 60, 1, within=within) for within in (True, False))
    assert within.covered.holds
    assert within.covered.share > 0.85
    assert within.ended == 1.0
    assert LEAST <= within.launches < 18
    assert regardless.launches > 30


def test_one_mode_has_the_numbers_of_the_ordinary_interval() -> None:
    """Coverage and launches alike, to the last campaign."""
    assert pursue(WORLDS[0], 0.03, 40, 1, within=True) == pursue(WORLDS[0], 0.03, 40, 1, within=False)
