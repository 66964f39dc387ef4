"""Facts of imported tables in a comparison: where buffers were, how many threads, what the launcher was told.

They are arguments of operations, so that cases which differ in one do not match. `--allow NAMES` leaves them out, which
says that the difference is meant. How many calls a number is of, and the launcher's words, are conditions of campaigns
too: nothing that two imports differ in is compared in silence.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from ictus.comparison.case_titles import IDENTITY
from ictus.comparison.matching import MatchedCase
from ictus.model.errors import UsageError
from ictus.model.imported import CALLS, VERSION
from ictus.model.spec import Spec, parse_spec
from ictus.store.campaign import Campaign

_NONE = "none"
"""The value of a fact that a table does not have."""


def allowable_facts(campaigns: Sequence[Campaign]) -> tuple[str, ...]:
    """Names that `--allow` may have for these campaigns: none where none is imported."""
    imported = [campaign for campaign in campaigns if campaign.imported is not None]
    names = (argument.key for campaign in imported for spec in _operations(campaign) for argument in spec.arguments)
    return (*((CALLS, VERSION) if imported else ()), *dict.fromkeys(name.replace("_", "-") for name in names if name))


def without_facts(campaign: Campaign, names: Sequence[str]) -> Campaign:
    """An imported campaign whose operations lack the facts of these names. UsageError where two cases of one library
    would become one.
    """
    left_out = _keys(names)
    if campaign.imported is None or not any(left_out & set(_facts(spec)) for spec in _operations(campaign)):
        return campaign
    shortened = {text: _without(text, left_out) for text in campaign.cases["operation"].to_list()}
    cases = campaign.cases.with_columns(pl.col("operation").replace(shortened))
    _check_apart(campaign, cases, names)
    return replace(campaign, cases=cases)


def _check_apart(campaign: Campaign, cases: pl.DataFrame, names: Sequence[str]) -> None:
    columns = [name for name in IDENTITY if name in cases.columns]
    keys = dict(zip(cases["case_id"].to_list(), cases.select(columns).rows(), strict=True))
    texts = dict(campaign.cases.select("case_id", "operation").rows())
    case_of: dict[tuple[str, object], int] = {}
    for slot in campaign.slots:
        for case_id in slot.cases:
            earlier_case = case_of.setdefault((slot.mpi, keys[case_id]), case_id)
            if earlier_case != case_id:
                raise UsageError(
                    f"--allow {','.join(names)}: '{campaign.folder}' has {texts[earlier_case]} and {texts[case_id]} of "
                    f"{slot.mpi}, which would become one case; import them apart"
                )


def allowed_facts(sides: Iterable[tuple[str, Campaign]], names: Sequence[str]) -> Iterator[str]:
    """What is compared though it differs, a sentence for each fact. A side is a library of a campaign with its name."""
    keys = _keys(names)
    values: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for label, campaign in sides:
        if campaign.imported is None:
            continue
        case_ids = {case_id for slot in campaign.slots if slot.mpi == label for case_id in slot.cases}
        for case_id, text in campaign.cases.select("case_id", "operation").rows():
            facts = _facts(parse_spec(text))
            for key in keys if case_id in case_ids else ():
                values[key][f"{campaign.folder.name}:{label}"].add(facts.get(key, _NONE))
    for key, of_side in values.items():
        texts = {side: " or ".join(sorted(names_of_side)) for side, names_of_side in of_side.items()}
        if len(set(texts.values())) > 1:
            sides_text = ", ".join(f"{text} in {side}" for side, text in texts.items())
            yield f"unlike cases are compared, which --allow says is meant: {key.replace('_', '-')} is {sides_text}"


def unlike_facts(matched: Iterable[MatchedCase]) -> dict[str, str]:
    """By the name of a fact what cases differ in that are alike in everything else, and lie on one side each."""
    groups: dict[object, tuple[list[Spec], list[Spec]]] = defaultdict(lambda: ([], []))
    for case in matched:
        if case.missing and "operation" in case.case and bool(case.a) != bool(case.b):
            spec = parse_spec(str(case.case["operation"]))
            factors = tuple((name, case.case[name]) for name in IDENTITY if name != "operation" and name in case.case)
            groups[spec.name, factors][0 if case.a else 1].append(spec)
    texts_by_name: dict[str, str] = {}
    for here, baseline_specs in groups.values():
        for name, text in _differing(here, baseline_specs).items():
            texts_by_name.setdefault(name, text)
    return texts_by_name


def not_compared(unlike: Mapping[str, str], allow: Sequence[str]) -> str:
    """What `unlike_facts` found, and how to compare it all the same."""
    texts = ", ".join(f"{name} ({text})" for name, text in unlike.items())
    return (
        f"cases that differ in {texts} are not compared; say that it is meant with --allow "
        f"{','.join((*allow, *unlike))}"
    )


def _differing(here: Sequence[Spec], baseline_specs: Sequence[Spec]) -> dict[str, str]:
    if not here or not baseline_specs:
        return {}
    current_facts, baseline_facts = _facts(here[0]), _facts(baseline_specs[0])
    both = {
        name: (current_facts.get(name, _NONE), baseline_facts.get(name, _NONE))
        for name in dict.fromkeys((*current_facts, *baseline_facts))
    }
    return {name.replace("_", "-"): f"{a} against {b}" for name, (a, b) in both.items() if a != b}


def differing_records(current: Campaign, baseline: Campaign) -> dict[str, tuple[str, str]]:
    """What two imports state unlike that is in no operation: the version of the suite, and the number of calls."""
    record, baseline_record = current.imported, baseline.imported
    if record is None or baseline_record is None or record.suite != baseline_record.suite:
        return {}
    unlike = record.version and baseline_record.version and record.version != baseline_record.version
    versions = {VERSION: (record.version, baseline_record.version)} if unlike else {}
    return {**versions, **_differing_calls(current, baseline)}


def _differing_calls(current: Campaign, baseline: Campaign) -> dict[str, tuple[str, str]]:
    """How many calls the numbers of a case are of, where two imports state different numbers: those of the first such
    case. A suite that chooses the number for itself states nothing.
    """
    records = (current.imported, baseline.imported)
    if (
        any(record is None or record.adapts_calls or record.summary is None for record in records)
        or current.summary != baseline.summary
    ):
        return {}
    here, baseline_calls = _calls(current), _calls(baseline)
    for key, numbers in here.items():
        others = baseline_calls.get(key, numbers)
        if numbers != others:
            return {CALLS: tuple(" or ".join(f"{number:,}" for number in sorted(both)) for both in (numbers, others))}  # type: ignore[dict-item]
    return {}


def _calls(campaign: Campaign) -> Mapping[object, set[int]]:
    rows: dict[int, tuple[Any, ...]] = dict(
        zip(
            campaign.cases["case_id"].to_list(),
            campaign.cases.select("operation", "size_bytes", "n").rows(),
            strict=True,
        )
    )
    numbers_by_case: dict[object, set[int]] = defaultdict(set)
    for launch in campaign.launches:
        for case in launch.record.cases:
            if case.calls:
                numbers_by_case[rows[case.case_id]].add(case.calls)
    return numbers_by_case


def _operations(campaign: Campaign) -> list[Spec]:
    return [parse_spec(text) for text in campaign.cases["operation"].unique(maintain_order=True).to_list()]


def _keys(names: Iterable[str]) -> set[str]:
    return {name.replace("-", "_") for name in names}


def _facts(spec: Spec) -> dict[str, str]:
    return {argument.key: str(argument.value) for argument in spec.arguments if argument.key}


def _without(text: str, names: set[str]) -> str:
    spec = parse_spec(text)
    return str(Spec(spec.name, tuple(argument for argument in spec.arguments if argument.key not in names)))
