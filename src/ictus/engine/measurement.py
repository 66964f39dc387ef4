"""From a plan to a measured campaign: predicts repetitions where the plan wants it, prepares libraries, launches."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from ictus.engine.backend import LauncherChoice
from ictus.engine.campaign import MeasurementRequest, PreparedCampaign, parse_request, prepare_campaign, run_prepared
from ictus.engine.event import Note, Observer, WarningNote, log
from ictus.engine.extension import check_growth, extendable
from ictus.engine.nrep import nrep_rows, own_rule, predicted_counts, unpredicted
from ictus.engine.plugins import with_plugins
from ictus.engine.runner import Ending
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.design import Design
from ictus.model.errors import OptionError, UsageError
from ictus.model.plan import Plan
from ictus.model.plan_field import shown
from ictus.model.plan_parts import PredictedCount, auto_rule
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.stats.planning import launches_to_decide
from ictus.stats.verdict import too_few_launches
from ictus.store.campaign import Campaign, load
from ictus.store.manifest import CAMPAIGN, read_manifest

SUBFOLDER = "nrep"
"""Where a campaign keeps the prediction that was made for it."""
_FREE = {
    *("mpi", "control", "op", "sizes", "size-is", "subset", "n", "procsync", "scheme"),
    *(
        "launches",
        "until",
        "time-budget",
        "over",
        "nrep",
        "predicted",
        "repetition",
        "methods",
        "seed",
        "level",
        "adjust",
        "raw",
    ),
    *("timeout", "retries", "contention-retries", "block-time", "resync-time", "page-faults", "modules"),
}
"""Keys of a plan in which it need not agree with the prediction that it uses: what tells counts apart, where a case
without a count is refused; what each has for itself; and what changes no time of a call. In all others it must.
"""


Family = Callable[[Design], tuple[int, str]]
"""How many tests a campaign is measured for, and by which of stats.TESTS."""

PlanLike = Plan | Mapping[str, Any] | Path | str | None
"""A plan; its values by TOML key (`op`, `sizes`, `size_is` or `size-is`); a plan file or a campaign folder; None for
the defaults.
"""


def run(
    plan: PlanLike = None,
    folder: Path | str | None = None,
    *,
    launcher: str = Mpiexec.name,
    scenario: Path | str | None = None,
    observer: Observer = log,
) -> Campaign:
    """Measure a campaign to its end, or continue an interrupted one, as `ictus run` does.

    Args:
        plan: what is measured.
        folder: where the campaign is kept; left out, that of a plan file PLAN.toml is PLAN, else `ictus-DATE`. A folder
            that holds the same campaign is continued.
        launcher: how ranks are started: a name of `ictus list launcher`, or `simulated`.
        scenario: for the launcher `simulated`: the file of the world to measure, JSON.
        observer: receives each event; by default it goes to the logger `ictus`.

    Raises:
        UsageError: the plan is wrong, or the folder holds something else.
        MeasurementError: a library, a launch or the disk failed; what is complete is kept.
        StoppedByUser: Ctrl-C; the same call continues.
    """
    launcher_choice = LauncherChoice(launcher, None if scenario is None else Path(scenario))
    path = None if folder is None else Path(folder)
    return load(measure_with_defaults(plan, path, {}, launcher_choice, observer, family=between_libraries))


def measure_with_defaults(
    plan: PlanLike,
    folder: Path | None,
    defaults: Mapping[str, Any],
    launcher_choice: LauncherChoice,
    observer: Observer,
    *,
    prefix: str = "ictus",
    family: Family | None = None,
    single: Collection[str] = (),
) -> Path:
    """Measure a campaign to its end, or continue it; returns its folder. `defaults` are values, by TOML key, that the
    plan takes where it has none, and that a campaign in the folder overrides; `prefix` begins the name of a new folder.
    With `family`, launches that are too few for any verdict are reported before they are measured; several
    values of what is `single` are refused: rows of the caller do not tell them apart.

    Raises as `run`.
    """
    request = request_with_defaults(plan, folder, defaults, launcher_choice, prefix=prefix, single=single)
    measure_campaign(request, observer, family)
    return request.folder


def request_with_defaults(
    plan: PlanLike,
    folder: Path | None,
    defaults: Mapping[str, Any],
    launcher_choice: LauncherChoice,
    *,
    prefix: str = "ictus",
    single: Collection[str] = (),
) -> MeasurementRequest:
    """What `measure_with_defaults` measures."""
    target, values = plan_words(plan)
    option_values = {key: value for key, value in values.items() if value is not None}
    if folder is None or not (folder / CAMPAIGN).is_file():
        option_values = {**defaults, **option_values}
    request = parse_request(
        target,
        folder,
        option_values,
        launcher=launcher_choice.launcher,
        scenario=launcher_choice.scenario,
        prefix=prefix,
    )
    for name in single:
        values = getattr(request.plan, name.replace("-", "_"))
        if len(values) > 1:
            raise OptionError((name, values, "one is measured at a time here"))
    return request


def plan_words(plan: PlanLike) -> tuple[Path | None, dict[str, Any]]:
    """A plan as a file or folder, and as values by TOML key."""
    if isinstance(plan, Path | str):
        return Path(plan), {}
    values = plan.values() if isinstance(plan, Plan) else plan or {}
    aliases = {name: field.alias or name for name, field in Plan.model_fields.items()}
    of_python = {alias.replace("-", "_"): alias for alias in aliases.values()} | aliases
    return None, {of_python.get(key, key): value for key, value in values.items()}


def measure_campaign(
    request: MeasurementRequest, observer: Observer, family: Family | None = None
) -> tuple[PreparedCampaign, Ending]:
    """Measure the request, or the missing rest of it; `family` as in `measure_with_defaults`. Raises as `run`."""
    prepared = prepare_measurement(request, observer, family)
    return prepared, run_prepared(prepared, observer, page_faults=True)


def prepare_measurement(
    request: MeasurementRequest, observer: Observer, family: Family | None = None
) -> PreparedCampaign:
    """All of `measure_campaign` that comes before the first launch."""
    request = replace(request, plan=with_plugins(request.plan, request.launcher, observer))
    check_growth(request.folder, request.plan)  # a check of guidelines adds launches by its own rule
    prepared = prepare_campaign(with_prediction(request, observer), observer)
    if family is not None and not (request.folder / CAMPAIGN).is_file():
        prepared = replace(prepared, design=extendable(prepared.design))
        for text in _too_few(prepared.design, *family(prepared.design)):
            observer(WarningNote(text))
    return prepared


def between_libraries(design: Design) -> tuple[int, str]:
    """Each two libraries in each case, by launches of their own."""
    variants = [{variant.name for variant in design.of(library.label)} for library in design.libraries]
    return len(design.cases) * sum(len(a & b) for a, b in combinations(variants, 2)), "rank-sum"


def between_starts(design: Design) -> tuple[int, str]:
    """Each process synchronisation against a reference, in the same launches."""
    n_starts = len({case.procsync for case in design.cases})
    n_variants = sum(len(design.of(library.label)) for library in design.libraries)
    return len(design.cases) // n_starts * (n_starts - 1) * n_variants, "signed-rank"


def _too_few(design: Design, n_tests: int, test: str) -> Iterator[str]:
    """That the launches can decide nothing, where it is known before they are measured. A precision goal chooses their
    number itself.
    """
    plan = design.plan
    if n_tests == 0 or plan.goal is not None:
        return
    level = plan.level if design.looks is None else plan.level * design.looks.share
    needed = launches_to_decide(n_tests, level=level, test=test, adjust=plan.adjust)
    if plan.launches < needed:
        yield f"{too_few_launches(plan.launches, n_tests, needed, f'{test}, {plan.adjust}')}, or fewer cases"


def with_prediction(request: MeasurementRequest, observer: Observer) -> MeasurementRequest:
    """The request with the counts that `nrep = "FOLDER"` or `auto(...)` of its plan means. `auto(...)` measures them
    first, or continues that, in a subfolder of the campaign's.

    Raises UsageError for a folder without a prediction of this plan, MeasurementError where measuring fails,
    StoppedByUser.
    """
    source = request.plan.nrep
    if source is None or isinstance(source, int) or request.plan.predicted:
        return request
    folder = _measured(request, source, observer) if isinstance(source, Spec) else Path(source)
    campaign = load(folder)
    counts = _counts(campaign, request.plan, str(source), observer)
    plan = request.plan
    return replace(request, plan=plan.repeated(plan.nrep, plan.repetition, counts))


def check_prediction(plan: Plan) -> None:
    """UsageError, before a library is built, where the counts of the plan are in a folder that holds no campaign."""
    if isinstance(plan.nrep, str):
        try:
            read_manifest(Path(plan.nrep))
        except UsageError as error:
            raise UsageError(f"--nrep {error}") from error


def _measured(request: MeasurementRequest, auto: Spec, observer: Observer) -> Path:
    """The folder of the prediction; missing launches are measured now."""
    repetition, launches = auto_rule(auto, Registries.load())
    folder = request.folder / SUBFOLDER
    observer(Note(f"predicting the number of repetitions, {launches} launches of each library, in {folder}"))
    plan = request.plan.repeated(repetition=repetition).model_copy(
        update={"launches": launches, "goal": None, "time_budget_s": None, "raw": False, "over_s": None}
    )
    prediction = replace(request, folder=folder, plan=plan)
    run_prepared(prepare_campaign(prediction, observer), observer)
    return folder


def _counts(campaign: Campaign, plan: Plan, text: str, observer: Observer) -> tuple[PredictedCount, ...]:
    rule, reason = own_rule(campaign), unpredicted(campaign)
    if rule is None or reason is not None:
        raise UsageError(f"nrep '{text}': '{campaign.folder}' {reason}")
    _check_alike(campaign, plan, text)
    counts = predicted_counts(nrep_rows(campaign, rule))
    open_counts = [count for count in counts if not count.converged]
    if open_counts:
        share_text = f"{len(open_counts)} of {len(counts)} predicted counts did not converge"
        observer(WarningNote(f"{share_text}: those cases are measured {rule.most} times, the most that was tried"))
    missing = {library.label for library in plan.libraries} - set(campaign.labels)
    if missing:
        names = ", ".join(sorted(missing))
        observer(WarningNote(f"nothing was predicted with {names}: the counts are those of other libraries"))
    return counts


def _check_alike(campaign: Campaign, plan: Plan, text: str) -> None:
    registries = Registries.load()
    without_nrep = plan.model_copy(update={"nrep": None})
    # A plan for simulated libraries gets its clock and its platform later; the prediction has them.
    alike = {library.label for library in plan.libraries} <= set(campaign.labels) and campaign.plan.platform is not None
    here, recorded = (
        (without_nrep.simulated() if alike else without_nrep).checked(registries).values(),
        campaign.plan.values(),
    )
    for key in here:
        if key not in _FREE and recorded[key] != here[key]:
            raise UsageError(
                f"nrep '{text}': predicted with {key} {shown(recorded[key])}, and this plan has {shown(here[key])}"
            )
