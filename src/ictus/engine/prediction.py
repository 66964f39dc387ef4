"""`--nrep FOLDER` and `--nrep 'auto(...)'`: the text of a plan becomes a count for each case."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ictus.engine.campaign import MeasurementRequest, prepare_campaign, run_prepared
from ictus.engine.event import Noted, Observer, Warned
from ictus.engine.nrep import nrep_rows, own_rule, predicted_counts, unpredicted
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.plan_words import shown
from ictus.model.predicted import PredictedCount, auto_rule, is_auto
from ictus.model.registries import Registries
from ictus.store.campaign import load

if TYPE_CHECKING:
    from ictus.store.campaign import Campaign

SUBFOLDER = "nrep"
"""Where a campaign keeps the prediction that was made for it."""
_SHARED = ("datatype", "operator", "comm", "root", "in_place", "layout", "counts", "cache")
"""What a prediction and the plan that takes it must agree in, besides the factors that counts are told apart by."""


def with_prediction(request: MeasurementRequest, observer: Observer) -> MeasurementRequest:
    """The request with the counts that its plan's text stands for. `auto(...)` measures them first, in a subfolder of
    the campaign's, or goes on with that.

    Raises UsageError for a folder that holds no prediction of this plan, MeasurementError where measuring fails,
    StoppedByUser.
    """
    text = request.plan.nrep
    if not isinstance(text, str) or request.plan.predicted:
        return request
    folder = _measured(request, text, observer) if is_auto(text) else Path(text)
    campaign = load(folder)
    counts = _counts(campaign, request.plan, text, observer)
    return replace(request, plan=request.plan.model_copy(update={"predicted": counts}))


def _measured(request: MeasurementRequest, text: str, observer: Observer) -> Path:
    """The folder of the prediction, measured now as far as it is not."""
    repetition, launches = auto_rule(text, Registries.load())
    update = {"nrep": None, "repetition": repetition, "launches": launches, "raw": False}
    folder = request.folder / SUBFOLDER
    observer(Noted(f"predicting the number of repetitions, {launches} launches of each library, in {folder}"))
    prediction = replace(request, folder=folder, plan=request.plan.model_copy(update=update))
    run_prepared(prepare_campaign(prediction, observer), observer)
    return folder


def _counts(campaign: "Campaign", plan: Plan, text: str, observer: Observer) -> tuple[PredictedCount, ...]:
    rule, reason = own_rule(campaign), unpredicted(campaign)
    if rule is None or reason is not None:
        raise UsageError(f"nrep '{text}': '{campaign.folder}' {reason}")
    _check_alike(campaign, plan, text)
    counts = predicted_counts(nrep_rows(campaign, rule))
    open_counts = [one for one in counts if not one.converged]
    if open_counts:
        many = f"{len(open_counts)} of {len(counts)} predicted counts did not converge"
        observer(Warned(f"{many}: those cases are measured {rule.most} times, the most that was tried"))
    missing = {library.label for library in plan.libraries} - set(campaign.labels)
    if missing:
        names = ", ".join(sorted(missing))
        observer(Warned(f"nothing was predicted with {names}: the counts are those of other libraries"))
    return counts


def _check_alike(campaign: "Campaign", plan: Plan, text: str) -> None:
    registries = Registries.load()
    here = plan.model_copy(update={"nrep": None}).checked(registries)
    for name in _SHARED:
        there, wanted = getattr(campaign.plan, name), getattr(here, name)
        if there != wanted:
            raise UsageError(f"nrep '{text}': predicted with {name} {shown(there)}, and this plan has {shown(wanted)}")
