"""What is said of settings that were tried in the program. Values in, values out."""

from collections.abc import Iterator, Sequence
from typing import Any

from ictus.advice.screening import WORTH, TriedSetting


def tried_in_vain(tried: Sequence[TriedSetting]) -> str:
    """Of settings none of which is worth a proof; empty where none was tried."""
    return f"of {len(tried)} settings of the library none makes the program {1 - WORTH:.0%} faster" if tried else ""


def tried_sentences(tried: Sequence[TriedSetting]) -> Iterator[str]:
    """For each kind of calls whose settings were tried in the program: how many, and the best."""
    for call in dict.fromkeys(setting.place for setting in tried):
        settings = [tried_setting for tried_setting in tried if tried_setting.place == call]
        best = min(
            (setting for setting in settings if setting.ratio is not None),
            key=lambda setting: setting.ratio or 0.0,
            default=None,
        )
        out = sum(setting.ratio is None for setting in settings)
        failed = f"; {out} failed, or were not in force" if out else ""
        fastest = "" if best is None else f"; the fastest, {best.name}: run time {best.ratio:.3f} of what it was"
        worth = ", which these launches do not prove" if best is not None and best.is_worth_a_proof else ""
        yield f"Settings of the library tried in the program for {call.text}: {len(settings)}{failed}{fastest}{worth}."


def tried_row(setting: TriedSetting) -> dict[str, Any]:
    """A setting that was tried in the program, for scripts."""
    return {
        "tried_for": setting.place.text,
        "setting": setting.name,
        "ratio": setting.ratio,
        "is_worth_a_proof": setting.is_worth_a_proof,
        "reason": setting.reason,
    }
