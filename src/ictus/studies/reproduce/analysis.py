"""How far apart whole campaigns, and single runs of other suites, are: one row for each library, case and way."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ictus.comparison.case_titles import ALGORITHM
from ictus.comparison.matching import medians
from ictus.comparison.modes import machine_modes
from ictus.comparison.times import Stretch, over_times, stretches
from ictus.comparison.warnings import campaign_warnings
from ictus.model.case import FACTORS
from ictus.model.plan_parts import FAMILIES
from ictus.stats.reproducibility import TrialSpread, spread, trial_value
from ictus.stats.stratum_effects import without_strata
from ictus.store.campaign import Campaign
from ictus.studies.lens.material import measured_cases
from ictus.studies.lens.suites.registry import Look, find_look
from ictus.studies.reproduce.record import OWN, Reproduction

SHARED = (*(name for name in FACTORS if name not in (*FAMILIES, "clocksync", "warmup")), ALGORITHM)
"""Factors that all ways have in common; the others are what makes the ways."""

Key = tuple[object, ...]
Found = dict[Key, float | None]
"""The results of one campaign, or one run, for each (library, shared factors); None without a valid sample."""


@dataclass(frozen=True)
class TrialRow:
    """One case of one library by one way, over all trials. Times in seconds."""

    mpi: str
    case: Mapping[str, Any]
    """The factors that all ways share."""
    way: str
    """`ictus`, or a lens: `osu`, `skampi(window)`."""
    launches: int
    """Launches behind one result."""
    results_s: tuple[float | None, ...]
    """By trial, None without a valid sample."""
    launches_s: tuple[tuple[float, ...], ...]
    """By trial, what its launches say; of a lens, whose trials are single launches, nothing."""
    spread: TrialSpread | None
    """The spread of the known results; None without any."""
    within_modes: float | None
    """The largest difference, of launches less what the mode of the machine adds; None where they had one mode, and
    for a lens, whose trials are single launches."""

    @property
    def n_trials(self) -> int:
        """Trials with a result."""
        return 0 if self.spread is None else self.spread.n

    @property
    def normalised(self) -> tuple[float, ...]:
        """Every result over the smallest."""
        return () if self.spread is None else tuple(self.spread.normalised)


@dataclass(frozen=True)
class Trials:
    """What all trials say."""

    study: Reproduction
    rows: tuple[TrialRow, ...]
    complete: int
    """Trials of which every part is there."""
    warnings: tuple[str, ...]
    machine: Mapping[str, Any]
    labels: tuple[str, ...]
    """Libraries, in the order of the plan."""
    times: tuple[Stretch, ...] = ()
    """When the campaigns were measured."""

    @property
    def evidence(self) -> str:
        """What the results rest on: states of the machine, and no libraries, are what differs between trials."""
        when = over_times(self.times)
        return (
            f"Evidence: several campaigns, {self.complete}{f', {when}' if when else ''}; a campaign counts once. It "
            "shows how far campaigns differ with nothing changed; it judges no library."
        )

    def evidence_row(self) -> dict[str, Any]:
        """The same for scripts."""
        times = [[time.begin.isoformat(), time.end.isoformat()] for time in self.times]
        return {"kind": "several campaigns", "times": times, "sentence": self.evidence}


def trials_of(study: Reproduction, complete: Sequence[Mapping[str, Campaign]]) -> Trials:
    """What the complete trials of a study say, one or more; each has a campaign for every way."""
    own_campaigns = [campaigns[OWN] for campaigns in complete]
    results_by_way = {
        way: [_ours(campaigns[way]) if way == OWN else _run(campaigns[way], find_look(way)) for campaigns in complete]
        for way in study.ways
    }
    return Trials(
        study=study,
        rows=tuple(
            _rows(
                study,
                results_by_way,
                [_by_launch(own_campaign) for own_campaign in own_campaigns],
                _within_modes(own_campaigns),
            )
        ),
        complete=len(own_campaigns),
        warnings=tuple(_warnings(study, own_campaigns)),
        machine=own_campaigns[0].machine,
        labels=own_campaigns[0].labels,
        times=stretches([launch for campaign in own_campaigns for launch in campaign.launches]),
    )


def _ours(campaign: Campaign) -> Found:
    """The mean over launches of what each launch says."""
    return {key: trial_value(list(values.values())) for key, values in _by_launch(campaign).items()}


def _by_launch(campaign: Campaign) -> dict[Key, dict[int, float | None]]:
    """What each launch says, by its running number, from 1."""
    medians_by_case: dict[Key, dict[int, float | None]] = {}
    for row in medians(campaign).iter_rows(named=True):
        medians_by_case.setdefault((row["mpi"], *(row[name] for name in SHARED)), {})[row["launch"]] = row["value"]
    return medians_by_case


def _within_modes(campaigns: Sequence[Campaign]) -> dict[Key, float]:
    """The largest difference of trials whose launches are less what the mode of the machine adds; empty where all
    launches were in one mode.
    """
    of_launches = machine_modes(*campaigns).of_launches
    if len({mode for of_launch in of_launches for mode in of_launch}) < 2:
        return {}
    values: dict[Key, list[tuple[float, int, int]]] = {}
    for trial, (campaign, modes) in enumerate(zip(campaigns, of_launches, strict=True)):
        for key, launches in _by_launch(campaign).items():
            in_modes = ((value, modes[launch - 1], trial) for launch, value in launches.items() if value is not None)
            values.setdefault(key, []).extend(in_modes)
    spreads = {}
    for key, entries in values.items():
        if entries:
            times, modes_, trials = zip(*entries, strict=True)
            adjusted = without_strata(times, modes_, trials)
            results = [trial_value(list(adjusted[np.array(trials) == trial])) for trial in dict.fromkeys(trials)]
            spreads[key] = spread([result for result in results if result is not None]).diff
    return spreads


def _run(campaign: Campaign, look: Look) -> Found:
    """The report that the suite would have printed at the end of its one run, for each library."""
    headlines: Found = {}
    cases = {row["case_id"]: row for row in campaign.cases.iter_rows(named=True)}
    for launch, source in zip(campaign.launches, campaign.sources, strict=True):
        measured = measured_cases(launch, source)
        for case_id in launch.slot.cases:
            case = {**cases[case_id], ALGORITHM: launch.algorithm}
            key = (launch.mpi, *(case[name] for name in SHARED))
            headlines[key] = look.report(measured[case_id]).headline_s if case_id in measured else None
    return headlines


def _rows(
    study: Reproduction,
    results_by_way: Mapping[str, list[Found]],
    by_launch: Sequence[Mapping[Key, Mapping[int, float | None]]],
    within_modes: Mapping[Key, float],
) -> Iterator[TrialRow]:
    keys = sorted(dict.fromkeys(key for trial in results_by_way[OWN] for key in trial), key=_order)
    for key in keys:
        for way in study.ways:
            results = tuple(trial.get(key) for trial in results_by_way[way])
            measured = [value for value in results if value is not None]
            yield TrialRow(
                mpi=str(key[0]),
                case=dict(zip(SHARED, key[1:], strict=True)),
                way=way,
                launches=study.plan.launches if way == OWN else 1,
                results_s=results,
                launches_s=tuple(_known(medians_by_case.get(key, {})) for medians_by_case in by_launch)
                if way == OWN
                else (),
                spread=spread(measured) if measured else None,
                within_modes=within_modes.get(key) if way == OWN else None,
            )


def _known(launches: Mapping[int, float | None]) -> tuple[float, ...]:
    return tuple(launch for launch in launches.values() if launch is not None)


def _order(key: Key) -> tuple[object, ...]:
    """By operation, number of processes, library, size."""
    case = dict(zip(SHARED, key[1:], strict=True))
    return case["operation"], case["n"], key[0], case["size_bytes"]


def _warnings(study: Reproduction, campaigns: Sequence[Campaign]) -> Iterator[str]:
    """The warnings of campaigns, each once; and what is missing."""
    if len(campaigns) < study.trials:
        yield f"{len(campaigns)} of {study.trials} trials are complete: the largest differences grow with their number"
    counts: dict[str, int] = {}
    for campaign in campaigns:
        for text in campaign_warnings(campaign, contention=False):  # counted together below
            counts[text] = counts.get(text, 0) + 1
    contended = sum(launch.contended for campaign in campaigns for launch in campaign.launches)
    for text, count in counts.items():
        yield text if count == len(campaigns) else f"in {count} of {len(campaigns)} campaigns: {text}"
    if contended:
        total = sum(len(campaign.launches) for campaign in campaigns)
        yield f"{contended} of {total} launches of the campaigns were disturbed by others, even after being repeated"
