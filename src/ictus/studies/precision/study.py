"""The claim about a precision goal: what a fixed number of launches reaches, `--until` reaches in less time.

A trial is two campaigns of one library, one after the other: a fixed number of launches and repetitions, then one that
is asked for the widest half-width of the first. Trials take the libraries in turn.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from ictus.comparison.cases import cases
from ictus.engine.backend import Backend, look_up
from ictus.engine.campaign import MeasurementRequest, parse_request
from ictus.engine.event import Note, Observer
from ictus.engine.measurement import measure_campaign
from ictus.engine.series import is_complete, spent_s
from ictus.engine.study_options import HERE, platform_of
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.quantity import format_duration
from ictus.render.table import NONE, Block, Column, Table
from ictus.stats.claim_rules import Ruling, sign_rule
from ictus.stats.precision import half_width
from ictus.store.campaign import Campaign, load
from ictus.store.manifest import CAMPAIGN
from ictus.studies.campaign_material import campaign_provenance
from ictus.studies.claim import REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.material import Material, Provenance, StudyRequest
from ictus.studies.study import study_of_claims

LARGEST_SHARE = 0.9
"""Of the time of the fixed campaign: what saves less is not worth a word."""
FEWEST = 6
"""Launches from which a median has an interval."""
LEAST = 10
"""Launches that a campaign with a goal has at least: the default, or as few as the fixed one."""
FIXED, UNTIL = "fixed", "until"
_WIDEST_GOAL = 0.99


@dataclass(frozen=True)
class Reached:
    """What one campaign of a trial came to."""

    widest: float | None
    """The largest half-width of the intervals of its cases' medians; None where a case has no interval, as where the
    time was over after a few launches."""
    middle: float | None
    """The median of these."""
    launches: int
    samples: int
    """Valid ones."""
    spent_s: float
    """The time of its launches, as `--time-budget` counts it."""

    @staticmethod
    def of(campaign: Campaign) -> "Reached":
        """Of its launches."""
        rows = cases(campaign).rows
        widths = [width for row in rows if (width := half_width(row.low_s, row.high_s)) is not None]
        widest, middle = (max(widths), median(widths)) if rows and len(widths) == len(rows) else (None, None)
        samples = sum(row.valid for row in rows)
        return Reached(widest, middle, len(campaign.launches), samples, spent_s(campaign.folder))


@dataclass(frozen=True)
class GoalTrial:
    """One trial."""

    library: str
    fixed: Reached
    until: Reached

    @property
    def share(self) -> float:
        """The time with the goal, of that of the fixed number."""
        return self.until.spent_s / self.fixed.spent_s

    @property
    def is_as_narrow(self) -> bool:
        """Whether every interval is: goals are given with three digits."""
        until, fixed = self.until.widest, self.fixed.widest
        return until is not None and fixed is not None and until <= 1.01 * fixed

    @property
    def is_kept(self) -> bool:
        """Whether it is as narrow, in at most nine tenths of the time."""
        return self.is_as_narrow and self.share <= LARGEST_SHARE

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        reached = {
            f"{name}_{key}": value for name in (FIXED, UNTIL) for key, value in vars(getattr(self, name)).items()
        }
        return {"mpi": self.library, **reached, "share": self.share, "kept": self.is_kept}


@dataclass(frozen=True)
class GoalTrials:
    """All complete trials, and the campaigns that they are of."""

    trials: tuple[GoalTrial, ...]
    campaigns: tuple[Campaign, ...]


def place_of(folder: Path, trial: int, name: str) -> Path:
    """The folder of a campaign of a trial (0, 1, ...): `trials/07/until`."""
    return folder / "trials" / f"{trial + 1:02}" / name


@dataclass(frozen=True, kw_only=True)
class GoalMaterial(Material[GoalTrials]):
    """Trials; the plan has their number, `trials`, beside the keys of the fixed campaign's plan."""

    def measure(self, request: StudyRequest, observer: Observer) -> GoalTrials:
        """All trials, or those that are missing; each campaign goes on as campaigns do."""
        folder = request.place
        libraries = _libraries(request)
        n_trials = request.claim_plan["trials"]
        backends: dict[Any, Backend] = {}
        for trial in range(n_trials):
            library = libraries[trial % len(libraries)]
            observer(Note(f"trial {trial + 1} of {n_trials}: {library}"))
            goal: Mapping[str, Any] = {}
            for number, name in enumerate((FIXED, UNTIL)):
                differing = {"mpi": [library], **_seed(request, 2 * trial + number), **goal}
                wanted_campaign = _asked(request, place_of(folder, trial, name), differing)
                prepared, _ = measure_campaign(replace(wanted_campaign, backend=backends.get(library)), observer)
                backends[library] = prepared.backend
                goal = goal_of(load(wanted_campaign.folder)) if name == FIXED else goal
        return self.read(folder)

    def read(self, folder: Path, **_: Any) -> GoalTrials:
        """All complete trials. Raises UsageError where there is none."""
        trials, campaigns = [], []
        for trial in count():
            places = [place_of(folder, trial, name) for name in (FIXED, UNTIL)]
            if not all(is_complete(path) for path in places):
                break
            both = [load(path) for path in places]
            trials.append(GoalTrial(both[0].labels[0], *map(Reached.of, both)))
            campaigns += both
        if not trials:
            raise UsageError(f"'{folder}' was not measured for this study: it has no complete trial")
        return GoalTrials(tuple(trials), tuple(campaigns))

    def provenance(self, record: GoalTrials, folder: Path) -> Provenance:
        """Of all campaigns together."""
        each = [campaign_provenance(campaign) for campaign in record.campaigns]
        return replace(
            each[0],
            folder=folder,
            labels=tuple(dict.fromkeys(label for provenance in each for label in provenance.labels)),
            launches=sum(provenance.launches for provenance in each),
            warnings=tuple(dict.fromkeys(text for provenance in each for text in provenance.warnings)),
            is_campaign=False,
        )


def _libraries(request: StudyRequest) -> Sequence[Any]:
    """Those that were named, else one of every flavour that is found."""
    named, launcher_choice = request.typed.get("mpi"), request.launcher_choice
    if named:
        return [named] if isinstance(named, str) else list(named)
    return [installation.label for installation in look_up((), launcher_choice.launcher, launcher_choice.scenario)]


def _seed(request: StudyRequest, number: int) -> Mapping[str, Any]:
    """Of a campaign by its number; without a seed each draws its own."""
    seed = request.typed.get("seed")
    return {} if seed is None else {"seed": seed + number}


def _asked(request: StudyRequest, folder: Path, differing: Mapping[str, Any]) -> MeasurementRequest:
    """What is to be measured in a folder; the plan of a campaign that is there goes before the study's. Disturbed
    launches are not repeated: who repeats more would take longer.
    """
    plan_values, choice = {**request.typed, **differing}, request.launcher_choice
    if not (folder / CAMPAIGN).is_file():
        plan = {key: value for key, value in request.claim_plan.items() if key != "trials"}
        plan_values = {"contention-retries": 0, **plan, **plan_values}
    return parse_request(
        None, folder, plan_values, launcher=choice.launcher, scenario=choice.scenario, prefix=request.claim
    )


def goal_of(fixed: Campaign) -> Mapping[str, Any]:
    """Options that ask for the precision of a campaign, by TOML key. One that takes as long as the fixed campaign has
    missed it, and is not gone on with. Raises UsageError where a case has no interval, and where nothing scatters, as
    in a simulated world without noise.
    """
    reached = Reached.of(fixed)
    if reached.widest is None:
        raise UsageError(
            f"'{fixed.folder}': a case has no interval; name other sizes, or give --launches {FEWEST} or more"
        )
    if reached.widest == 0.0:
        raise UsageError(
            f"'{fixed.folder}': the times of all launches are equal, so that there is no precision to ask for; "
            "measure real ranks, or name a --scenario whose launches differ"
        )
    return {
        "until": f"{100 * min(reached.widest, _WIDEST_GOAL):.3g} %",
        "launches": min(fixed.plan.launches, LEAST),
        "time-budget": f"{reached.spent_s:.4f}s",
    }


def judge_trials(trials: Sequence[GoalTrial]) -> Ruling:
    """Whether more than half of the trials keep it."""
    kept = sum(trial.is_kept for trial in trials)
    return sign_rule(kept, len(trials) - kept)


def _judge(goal_trials: GoalTrials) -> ClaimResult:
    trials = goal_trials.trials
    because = (
        f"in {sum(goal_trial.is_kept for goal_trial in trials)} of {len(trials)} trials every interval is as narrow "
        "in at most nine tenths of the time; in the median a goal takes "
        f"{100 * median(trial.share for trial in trials):.3g} % of the time of {trials[0].fixed.launches} launches, "
        f"with {median(trial.until.launches for trial in trials):g} launches and "
        f"{100 * median(trial.until.samples / trial.fixed.samples for trial in trials):.2g} % of the samples"
    )
    rows = [trial.as_row() for trial in trials]
    return ClaimResult(judge_trials(trials), because, (trial_table(trials, goal_trials.campaigns[0].plan),), rows)


def _shown(trial: GoalTrial, name: str, key: str, text_of: Callable[[Any], str]) -> str:
    return text_of(getattr(getattr(trial, name), key))


def trial_table(trials: Sequence[GoalTrial], plan: Plan) -> Table[GoalTrial]:
    """A row for each trial."""
    column = Column[GoalTrial]

    def both(title: str, key: str, text_of: Callable[[Any], str]) -> Iterator[Column[GoalTrial]]:
        for name in (FIXED, UNTIL):
            yield column(f"{name}_{key}", f"{title}, {name}", partial(_shown, name=name, key=key, text_of=text_of))

    columns = (
        column("mpi", "library", lambda trial: trial.library, "left"),
        *both("widest", "widest", lambda share: NONE if share is None else f"{100 * share:.3g} %"),
        *both("launches", "launches", str),
        *both("samples", "samples", lambda number: f"{number:,}"),
        *both("time", "spent_s", format_duration),
        column("share", "share", lambda goal_trial: f"{100 * goal_trial.share:.3g} %", "point"),
        column("kept", "kept", lambda row: "yes" if row.is_kept else "no", "left"),
    )
    note = (
        "Widest: the largest half-width of the intervals of the cases' medians. Time: that of the launches. Kept: as "
        "narrow, in at most nine tenths of the time."
    )
    what = f"{plan.launches} launches of {plan.nrep} repetitions"
    return Table(columns, [Block("Trials", f"{what}, {len(plan.operations)} operations", trials)], note=note)


def _hidden(values: Mapping[str, Any]) -> str | None:
    """A median of few launches has no interval; a simulator's launches take its own time."""
    if platform_of(values.get("platform") or HERE) is not None:
        return "a simulator's launches take the time of the simulation, not that of their ranks"
    if int(values["launches"]) < FEWEST:
        return f"a median of fewer than {FEWEST} launches has no interval; give --launches {FEWEST} or more"
    return None


CLAIMS = (
    Claim(
        "until",
        "Asked for the precision that a fixed number of launches and repetitions reached, a campaign saves a tenth of "
        "its time or more.",
        f"Rigorous benchmarking in reasonable time (Kalibera and Jones), sec. 6; the design is that of {REVISITED}",
        "sign test over trials (5 %): with the widest half-width of the fixed campaign as its goal, `--until` has "
        "every interval as narrow in at most nine tenths of the time; refuted where it misses in more than half of "
        "them",
        quick_or(
            {
                "launches": 6,
                "sizes": "8,1Ki,32Ki",
                "trials": 5,
                "op": "bcast,allreduce",
                "nrep": 10_000,
                "procsync": "barrier(library)",
                "clocksync": "none",
            },
            {"launches": 30, "sizes": "8..32Ki", "trials": 10, "op": "bcast,allreduce,alltoall,scan", "nrep": 1000},
            n=2,
        ),
        _judge,
        hidden=_hidden,
    ),
)

STUDY = study_of_claims("precision", GoalMaterial(), CLAIMS)
