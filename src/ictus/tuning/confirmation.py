"""What is recommended: a remedy that, in fresh launches, makes the call faster than it was and keeps its guidelines.

Three conditions, in launches of which none took part in the race:

- faster: the call with the remedy in force against the call as it was, one-sided, by ranks; Holm's adjustment over all
  remedies that are confirmed together. Rank-sum between launches; signed-rank where only the program's author can apply
  it, so that both are other calls of the same launches;
- kept: each guideline that the call broke is judged again, in launches with the remedy in force, by the test of the
  check and without adjustment, which is stricter than the check. A mock-up is besides compared with what the guideline
  names as it is without the redirect library, so that what deciding costs counts; where that is the mock-up itself,
  which nothing rerouted can keep up with for ever, up to the check's tolerance;
- no harm: a remedy that holds for a whole operation makes no other size of it slower, one that holds for the program no
  call that the check has (Holm again).

So an equal candidate that won a race by chance is recommended in at most a `level` of all tunings.
"""

from collections.abc import Sequence

import numpy as np

from ictus.guidelines.options import Options
from ictus.guidelines.verdict import State, Verdict
from ictus.stats.interval import hodges_lehmann
from ictus.tuning.before_after import adjusted, sides_of
from ictus.tuning.outcome import Call, Confirmation, Fresh, Remedy, Result
from ictus.tuning.recheck import judged_again
from ictus.tuning.side_effects import harm_of, harmed


def confirm(remedies: Sequence[Remedy], fresh: Fresh, options: Options) -> tuple[Confirmation, ...]:
    """What fresh launches say of each remedy, all judged together."""
    sides = [sides_of(remedy, fresh) for remedy in remedies]
    p_values = [None if side is None else side.p_faster for side in sides]
    known = [p_value for p_value in p_values if p_value is not None]
    p_together = iter(adjusted(known))
    harm = harmed(remedies, fresh, options.level)
    found = []
    for remedy, side in zip(remedies, sides, strict=True):
        p_adjusted = None if side is None else next(p_together)
        if side is None or p_adjusted is None or len(known) * side.smallest_p > options.level:
            found.append(Confirmation(remedy, Result.NO_DATA))
            continue
        verdicts = judged_again(remedy, fresh, options)
        harms = () if side.paired else harm_of(remedy, harm)
        known_again = bool(verdicts) or remedy in fresh.other_calls
        result = _result(p_adjusted <= options.level, verdicts, harms) if known_again else Result.NO_DATA
        interval = hodges_lehmann(side.after, side.before, paired=side.paired)
        middle = (float(np.median(side.before)), float(np.median(side.after)))
        ratios = (interval.ratio, interval.low, interval.high)
        found.append(Confirmation(remedy, result, *middle, *ratios, p_adjusted, verdicts, harms))
    return tuple(found)


def _result(faster: bool, verdicts: Sequence[Verdict], harmed: Sequence[Call]) -> Result:
    if not faster:
        return Result.NOT_FASTER
    if any(one.state not in (State.HOLDS, State.REFUTED) for one in verdicts):
        return Result.STILL_VIOLATED
    return Result.HARMS if harmed else Result.CONFIRMED
