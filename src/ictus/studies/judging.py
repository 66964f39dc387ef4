"""Measures the claims of studies and judges them: each in a folder of its own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ictus.engine.event import Note, Observer
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.plan_options import BY_KEY
from ictus.model.registries import Registries
from ictus.stats.claim_rules import Ruling, Seen
from ictus.store.campaign import Campaign
from ictus.studies.claim import Claim, ClaimResult
from ictus.studies.material import Provenance, StudyRequest
from ictus.studies.registry import ALL, named
from ictus.studies.study import Study, values_of


@dataclass(frozen=True)
class ClaimVerdict:
    """A claim and what was seen of it."""

    claim: Claim
    result: ClaimResult
    provenance: Provenance | None
    """None where nothing was measured, as nothing could be seen."""
    answer: Callable[[], Sequence[str]] = tuple
    """What the study itself says of the same record."""

    @property
    def seen(self) -> str:
        """`holds`, `does not hold` or `cannot be seen here`."""
        return self.result.ruling.seen.value

    @property
    def sentence(self) -> str:
        """The claim, whether it holds, and why that is said."""
        return f"{self.claim.sentence.rstrip('.')}: {self.outcome}"

    @property
    def outcome(self) -> str:
        """Whether it holds, and why that is said: `holds: 44 of 60 pairs of launches differ.`"""
        link = ", because " if self.result.ruling.seen is Seen.CANNOT_BE_SEEN else ": "
        return f"{self.seen}{link}{self.result.because}."

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of what was measured."""
        return () if self.provenance is None else self.provenance.warnings

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "name": self.claim.name,
            "claim": self.claim.sentence,
            "source": self.claim.source,
            "rule": self.claim.rule,
            "seen": self.seen,
            "p_value": self.result.ruling.p_value,
            "because": self.result.because,
            "launches": 0 if self.provenance is None else self.provenance.launches,
            "folder": None if self.provenance is None else str(self.provenance.folder),
        }


def accepts(study: Study[Any, Any], key: str) -> bool:
    """Whether an option, by TOML key, means something to the claims of a study; all say how ranks are started."""
    return study.material.accepts(key) or key in ("launcher", "scenario", *(option.keyword for option in study.options))


def check_accepted(study: Study[Any, Any], name: str, plan_values: Mapping[str, Any]) -> None:
    """UsageError for an option that means nothing to a study."""
    wrong = next((key for key in plan_values if not accepts(study, key)), None)
    if wrong is not None:
        option = BY_KEY[wrong].names[-1] if wrong in BY_KEY else f"--{wrong}"
        raise UsageError(f"{option}: study '{name}' is not a campaign and has no such option; leave it out")


def measure_claim(
    study: Study[Any, Any],
    claim: Claim,
    plan_values: Mapping[str, Any],
    folder: Path | None,
    observer: Observer,
    *,
    quick: bool,
) -> ClaimVerdict:
    """Measure what a claim of the study is about, or continue what its folder holds, and judge it. `plan_values` are
    values of the plan by TOML key, which replace the claim's own, with `launcher` and `scenario`. Raises OptionError
    for a value that no plan takes, UsageError for an option that means nothing here.
    """
    path = folder or Path(f"{claim.name}-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
    request = _asked(study, claim, plan_values, path, quick=quick)
    if isinstance(request, str):
        return ClaimVerdict(claim, ClaimResult(Ruling(Seen.CANNOT_BE_SEEN, None), request), None)
    return _verdict(study, claim, study.material.measure(request, observer), path)


def _asked(
    study: Study[Any, Any], claim: Claim, plan_values: Mapping[str, Any], path: Path, *, quick: bool
) -> StudyRequest | str:
    """What is measured for a claim; why nothing can be seen here. Raises as `measure_claim`."""
    request = StudyRequest(plan_values, {}, path, claim=claim.name, read=claim.read)
    libraries = Plan.from_values(request.typed).libraries
    if 0 < len(libraries) < claim.libraries:
        return _too_few(str(libraries[0]))
    plan = claim.plan_of(request.typed, quick=quick)
    reason = claim.hidden({**plan, **request.typed})
    if reason is not None:
        return reason.rstrip(".")
    check_accepted(study, claim.name, request.typed)
    own_keywords = {option.keyword for option in study.options}
    values = values_of(study, {**plan, **request.typed}, python=True)
    options, claim_plan = (
        {key: value for key, value in values_by_key.items() if key not in own_keywords}
        for values_by_key in (plan_values, plan)
    )
    return replace(request, options=options, values=values, claim_plan=claim_plan)


def preview_named(name: str, plan_values: Mapping[str, Any], folder: Path | None, *, quick: bool) -> Iterator[str]:
    """What `measure_named` would measure, in lines; nothing is built, launched or written. Raises UsageError."""
    _, claims = named(name)
    for entry, claim in claims:
        taken = {key: value for key, value in plan_values.items() if name != ALL or accepts(entry.study, key)}
        path = _folder_of(claim, folder, claims) or Path(f"{claim.name}-DATE")
        request = _asked(entry.study, claim, taken, path, quick=quick)
        yield f"{claim.name}: {claim.sentence}"
        if isinstance(request, str):
            yield f"{Seen.CANNOT_BE_SEEN.value}, because {request}"
        else:
            yield from entry.study.material.preview(request)


def measure_named(
    name: str,
    plan_values: Mapping[str, Any],
    folder: Path | None,
    observers: Callable[[str], AbstractContextManager[Observer]],
    *,
    quick: bool,
) -> list[ClaimVerdict]:
    """Measure and judge what a name means: a claim, all of a study, or `all`, of which each takes what means something
    to it. Several claims have a folder each, in the one that is given.
    """
    verdicts = []
    _, claims = named(name)
    for entry, claim in claims:
        taken = {key: value for key, value in plan_values.items() if name != ALL or accepts(entry.study, key)}
        with observers(claim.name) as observer:
            if len(claims) > 1:
                observer(Note(f"{claim.name}: {claim.sentence}"))
            path = _folder_of(claim, folder, claims)
            verdicts.append(measure_claim(entry.study, claim, taken, path, observer, quick=quick))
    return verdicts


def judge_named(name: str, folder: Path) -> list[ClaimVerdict]:
    """Judge again what a name means, from the folder that was given when it was measured: of several claims those that
    have a folder in it, as what cannot be seen on a machine has none.
    """
    _, claims = named(name)
    kept = [(entry, claim, _folder_of(claim, folder, claims) or folder) for entry, claim in claims]
    if len(claims) > 1:
        kept = [(entry, claim, path) for entry, claim, path in kept if path.is_dir()]
        if not kept:
            names = ", ".join(claim.name for _, claim in claims[:3])
            raise UsageError(f"'{folder}': it has no folder of a claim of '{name}', such as {names}")
    return [judge_claim(entry.study, claim, path) for entry, claim, path in kept]


def _folder_of(claim: Claim, folder: Path | None, claims: Sequence[Any]) -> Path | None:
    return folder / claim.name if folder is not None and len(claims) > 1 else folder


def judge_claim(study: Study[Any, Any], claim: Claim, folder: Path) -> ClaimVerdict:
    """Judge what was measured for a claim. Raises UsageError for data that lack what it is about."""
    record = study.material.read(folder, **study.shown()) if claim.read is None else claim.read(folder)
    return _verdict(study, claim, record, folder)


_FAMILIES = ("procsync", "scheme", "cache", "clock", "clocksync")
_DEFINING = (*_FAMILIES, "pin", "core-flags", "governor")
"""Keys of a plan that say what an experiment is, not how large it is."""


def unlike_plan(claim: Claim, campaign: Campaign) -> Iterator[str]:
    """A warning where a campaign was measured otherwise than the claim's plan says, as for another claim."""
    platform = None if campaign.plan.platform is None else str(campaign.plan.platform)
    place = {"n": ",".join(map(str, campaign.plan.processes)), "platform": platform}
    plans = [claim.plan_of(place, quick=quick) for quick in (True, False)]
    keys = [key for key in _DEFINING if key in plans[0]]
    measured = _in_brief(campaign.plan, keys)
    planned = [_in_brief(Plan.from_values({key: plan[key] for key in keys}), keys) for plan in plans]
    differing = [key for key in keys if all(measured[key] != values[key] for values in planned)]
    if differing:
        words = ", ".join(f"{key} {_as_words(plans[0][key])}" for key in differing)
        yield f"the campaign was not measured for '{claim.name}', whose plan has {words}: what is said may not hold"


def _in_brief(plan: Plan, keys: Sequence[str]) -> dict[str, list[str]]:
    """The values of these keys, members of families as short as can be, in the same order for the same set."""
    registries, values = Registries.load(), plan.values()
    words = {key: values[key] if isinstance(values[key], list) else [values[key]] for key in keys}
    return {
        key: sorted(str(registries.brief(key, word)) if key in _FAMILIES else str(word) for word in words[key])
        for key in keys
    }


def _as_words(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _too_few(library: str) -> str:
    return f"it compares two libraries, and {library} is the only one; -m mpich -m openmpi names two"


def _verdict(study: Study[Any, Any], claim: Claim, record: Any, folder: Path) -> ClaimVerdict:
    provenance = study.material.provenance(record, folder)
    if len(provenance.labels) < claim.libraries:
        unseen = ClaimResult(Ruling(Seen.CANNOT_BE_SEEN, None), _too_few(provenance.labels[0]))
        return ClaimVerdict(claim, unseen, provenance)

    def answer() -> Sequence[str]:
        shown_values = study.shown()
        return study.answer(record, study.analyse(record, **shown_values), **shown_values).sentences

    if isinstance(record, Campaign):
        provenance = replace(provenance, warnings=(*provenance.warnings, *unlike_plan(claim, record)))
    result = claim.judge(record)
    if claim.planted:
        result = replace(result, because=f"{result.because} (planted: {claim.planted})")
    return ClaimVerdict(claim, result, provenance, answer)
