"""The trials of a study, from its folder."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ictus.model.errors import UsageError
from ictus.model.reduction import USUAL, Reduction, parse_reduction
from ictus.store.campaign import Campaign, load
from ictus.studies.reproduce.analysis import Trials, trials_of
from ictus.studies.reproduce.record import OWN, Reproduction, read_reproduction, trial_folder


@dataclass(frozen=True)
class TrialRecord:
    """A study, read."""

    folder: Path
    trials: Trials


def read_trials(folder: Path) -> TrialRecord:
    """All trials of which every part is complete. Raises UsageError where there is no study or no trial in it."""
    study = read_reproduction(folder)
    complete = list(_complete_trials(folder, study))
    if not complete:
        raise UsageError(
            f"'{folder}' has no complete trial yet; `ictus reproduce -o {shlex.quote(str(folder))}` continues it"
        )
    return TrialRecord(folder, trials_of(study, complete))


def _complete_trials(folder: Path, study: Reproduction) -> Iterator[Mapping[str, Campaign]]:
    """Of each trial that has them all, the campaigns by way."""
    reduction = parse_reduction(None, study.summary, None)
    for trial in range(study.trials):
        campaigns = {
            way: _whole(folder / trial_folder(trial, way), reduction if way == OWN else USUAL) for way in study.ways
        }
        whole = {way: campaign for way, campaign in campaigns.items() if campaign is not None}
        if len(whole) == len(campaigns):
            yield whole


def _whole(folder: Path, reduction: Reduction) -> Campaign | None:
    """The campaign, unless it is not there or lacks launches."""
    try:
        campaign = load(folder, reduction=reduction)
    except UsageError:
        return None
    return campaign if campaign.complete else None
