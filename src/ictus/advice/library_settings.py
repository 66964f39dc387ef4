"""Which settings of a library may be worth a try in the program, for its messages and for a collective that keeps its
guidelines: what the library's flavour declares, and the user's own variables without which it might be faster.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ictus.advice.calls import MESSAGES, CallPlace, CostlyCalls
from ictus.advice.screening import LibrarySetting
from ictus.engine.backend import prepare_backend
from ictus.engine.campaign import requested_libraries
from ictus.engine.event import Observer
from ictus.model.algorithm import COLLECTIVES, Knob, Setting
from ictus.model.environment import UNSET
from ictus.mpi.flavours import FLAVOURS
from ictus.store.campaign import load
from ictus.tuning.candidates import Way
from ictus.tuning.offers import Libraries
from ictus.tuning.tuning import bases_of

LEAST_SHARE = 0.05
"""Of the program's time: what could gain less, so few launches of the program would not show."""


def message_place(costly: CostlyCalls, n: int) -> CallPlace | None:
    """All messages of a program of `n` processes, where they cost enough."""
    enough = costly.messages_share >= max(LEAST_SHARE, costly.least)
    return CallPlace(MESSAGES, n, "", "") if enough else None


def collective_place(costly: CostlyCalls, unmended: Sequence[CallPlace]) -> CallPlace | None:
    """Of the places without a remedy the dearest, where it costs enough and libraries have algorithms for it."""
    able = [
        call_place for call_place in costly.places if call_place in unmended and call_place.operation in COLLECTIVES
    ]
    gains = {call_place: sum(call.mendable for call in costly.of(call_place)) for call_place in able}
    return next((call_place for call_place in able if gains[call_place] >= max(LEAST_SHARE, costly.least)), None)


def message_settings(
    flavour_name: str, cvars: Mapping[str, str], variables: Mapping[str, str]
) -> tuple[LibrarySetting, ...]:
    """Those for messages in a program that has these control variables, and these variables in its environment."""
    member = next((flavour for flavour in FLAVOURS if flavour.name == flavour_name), None)
    knobs = () if member is None else member.message_knobs(cvars)
    return (*_without(knobs, variables), *(LibrarySetting(knob.name, knob.setting) for knob in knobs))


def _without(knobs: Sequence[Knob], variables: Mapping[str, str]) -> Iterator[LibrarySetting]:
    """Without each of the user's variables that set the same: the library may know better."""
    names = dict.fromkeys(name for knob in knobs for name in knob.environment)
    for name in names:
        if variables.get(name, UNSET) != UNSET:
            yield LibrarySetting(f"without {name}", Knob(name, {name: UNSET}).setting)


def silent(flavour_name: str, setting: Setting) -> Setting:
    """The same without variables that make the library print what it does: a program's output is not ours."""
    telling = next((flavour.evidence_variables for flavour in FLAVOURS if flavour.name == flavour_name), ())
    return replace(setting, environment={k: v for k, v in setting.environment.items() if k not in telling})


def collective_settings(
    check: Path, call_place: CallPlace, launcher: str, observer: Observer
) -> tuple[LibrarySetting, ...]:
    """The library's algorithms for an operation with its check in the folder `check`, and its removed variables; in the
    order of their promise. Limits of messages and the places of ranks are not among them.
    """
    campaign = load(check)
    backend = prepare_backend(requested_libraries(campaign.plan), launcher, None, observer, campaign.plan)
    libraries = Libraries(backend, campaign, bases_of(backend, campaign), observer)
    (label,) = campaign.labels
    offers = libraries.offers(label, call_place.operation)
    flavour_name = libraries.installation(label).flavour
    return tuple(
        LibrarySetting(name, silent(flavour_name, variant.variant.setting))
        for name, variant in offers.items()
        if variant.way in (Way.REMOVAL, Way.ALGORITHM)
    )
