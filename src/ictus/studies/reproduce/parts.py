"""What a study of reproducibility measures: the plan of each way, and the campaigns of all trials in their order."""

from collections.abc import Callable, Mapping

from ictus.engine.series import Part
from ictus.model.case import expand
from ictus.model.design import Design
from ictus.model.plan import Plan
from ictus.model.platform import reseeded
from ictus.model.predicted import PredictedCount
from ictus.model.random import SplitMix64, shuffled_by
from ictus.model.registries import Registries
from ictus.model.spec import parse_spec
from ictus.studies.lens.suites.registry import Look, find_look
from ictus.studies.reproduce.record import OWN, Reproduction, rehearsal_folder, trial_folder

_OWN_CLOCK = ("none", "barrier")
"""Process synchronisations that need no global clock: suites that use them have none."""

Make = Callable[[Plan, bool], Design]
"""From a plan, and whether cases keep its order, to the design of a campaign."""


def parts_of(study: Reproduction, make: Make) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The rehearsals, and the campaigns of all trials: each trial holds every way once, in shuffled order.

    A trial depends on the study's seed and its own number only. Raises UsageError for what a way cannot measure.
    """
    plans = {way: way_plan(study.plan, way) for way in study.ways}
    generator = SplitMix64(study.plan.seed or 0)

    def part(folder: str, way: str, **changes: object) -> Part:
        seed = generator.next_u64() >> 11  # 53 bits: whole in every reader of JSON
        if plans[way].platform is not None:  # else the first launch of every campaign would be the same one
            changes["platform"] = reseeded(plans[way].platform or "", seed)
        return Part(folder, make(plans[way].model_copy(update={"seed": seed, **changes}), way != OWN))

    once: Mapping[str, object] = {"launches": 1, "contention_retries": 0}
    rehearsals = tuple(part(rehearsal_folder(way), way, **once) for way in study.ways)
    trials = [
        part(trial_folder(trial, way), way)
        for trial in range(study.trials)
        for way in shuffled_by(study.ways, generator)
    ]
    return rehearsals, tuple(trials)


def way_plan(own: Plan, way: str) -> Plan:
    """The plan of one campaign of a way: ours, or one run of a suite."""
    return own if way == OWN else suite_plan(own, find_look(way))


def suite_plan(own: Plan, look: Look) -> Plan:
    """One launch that does as the suite does: its synchronisation, its scheme, its numbers of calls and warm-ups, sizes
    in their order; disturbed or not, it is not done again.
    """
    registries = Registries.load()
    method = look.method(look.calls(0)).checked(registries)
    synchronised = parse_spec(method.procsync).name not in _OWN_CLOCK
    plan = own.model_copy(
        update={
            "procsync": (method.procsync,),
            "scheme": method.scheme,
            "repetition": method.repetition,
            "nrep": None,
            "predicted": (),
            "clocksync": own.clocksync if synchronised else "none",
            "clock_bound_s": own.clock_bound_s if synchronised else None,
            "launches": 1,
            "contention_retries": 0,
            "warmup": look.lens.warmup,
            "raw": look.lens.needs_raw,
        }
    ).checked(registries)
    counts = tuple(
        PredictedCount(
            operation=case.operation,
            size_bytes=case.size_bytes,
            n=case.n,
            procsync=case.procsync,
            scheme=case.scheme,
            nrep=look.calls(case.block_bytes),
        )
        for case in expand(plan, registries).cases
    )
    if parse_spec(method.scheme).name != "per-call" or len({one.nrep for one in counts}) == 1:
        return plan
    usual = str(registries.check("repetition", "fixed"))
    return plan.model_copy(update={"nrep": look.label, "repetition": usual, "predicted": counts})
