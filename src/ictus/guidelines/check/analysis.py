"""Reads a check's folder: its guidelines, their medians, the verdicts; and rows for scripts.

Calls that libictus-redirect.so replaced are known from its report.
"""

import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ictus.comparison.evidence import ComparisonEvidence, side_by_side
from ictus.comparison.selecting import selecting_sentences
from ictus.comparison.warnings import campaign_warnings
from ictus.guidelines.check.looks import confirmed_by, looks_of
from ictus.guidelines.check.medians import measured_of, reroutes_of
from ictus.guidelines.judgement import Options, make_options
from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.guidelines.verify import unconfirmed, verify
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.platform import FAMILY as PLATFORM
from ictus.model.reduction import Reduction
from ictus.model.registries import Registries
from ictus.model.spec import parse_spec
from ictus.store.campaign import JOURNAL, Campaign, load
from ictus.store.check import IN_RETURNED, CheckRecord, RuleFields, read_check, split_folders
from ictus.store.journal import campaign_state, read_journal
from ictus.store.manifest import CAMPAIGN, read_manifest


@dataclass(frozen=True, repr=False)
class CheckResult:
    """A check that was measured and judged."""

    campaign: Campaign
    measured: GuidelineMedians
    verdicts: tuple[GuidelineVerdict, ...]
    rules: tuple[Rule, ...]
    """Those that apply."""
    options: Options
    left_out: tuple[str, ...]
    """Guidelines that do not apply, each with the reason."""
    warnings: tuple[str, ...]
    marks: tuple[str, ...]
    """Conditions that make the times differ from those of a library on its own cores."""

    @property
    def places(self) -> tuple[Configuration, ...]:
        """Libraries with their variants: in the order of the plan, the fewest processes first."""
        campaign, measured_places = self.campaign, dict.fromkeys(self.measured.places)
        names = dict.fromkeys((*campaign.variants, *(configuration.algorithm for configuration in measured_places)))
        every = ((n, label, name) for n in campaign.plan.processes for label in campaign.labels for name in names)
        return tuple(
            configuration
            for configuration in (Configuration(label, name, n) for n, label, name in every)
            if configuration in measured_places
        )

    @property
    def launches(self) -> int:
        """The least number that any place has."""
        counts = Counter(Configuration(launch.mpi, launch.algorithm, launch.n) for launch in self.campaign.launches)
        return min(counts.values(), default=0)

    @property
    def evidence(self) -> ComparisonEvidence:
        """What its verdicts rest on: both sides of a guideline are calls of the same launches."""
        return side_by_side(self.campaign, paired=True)

    def name(self, configuration: Configuration) -> str:
        """`mpich`, with the number of processes and the variant where there are several."""
        words = [configuration.library]
        words += [f"n={configuration.n}"] if len({configuration.n for configuration in self.places}) > 1 else []
        return " ".join(
            [*words, *([configuration.algorithm] if len({measured.algorithm for measured in self.places}) > 1 else [])]
        )


def only(result: CheckResult, rules: Collection[Rule]) -> CheckResult:
    """The check with these guidelines alone, judged as all of them were."""
    kept = tuple(verdict for verdict in result.verdicts if verdict.rule in rules)
    return replace(result, verdicts=kept, rules=tuple(rule for rule in result.rules if rule in rules))


def judged_by(result: CheckResult) -> dict[str, Any]:
    """How the verdicts were reached, and their limits."""
    options = result.options
    return {
        "test": options.test,
        "adjust": options.adjust,
        "level": options.level,
        "tolerance": options.tolerance,
        "strata": options.strata,
        **options.reduction.as_object(),
        "evidence": result.evidence.as_object(),
        "launches": result.launches,
        "marks": list(result.marks),
        "left_out": list(result.left_out),
    }


def violated(result: CheckResult) -> int:
    """Guidelines that are violated in any place at any size."""
    return len({verdict.rule for verdict in result.verdicts if verdict.state is State.VIOLATED})


def unanswered(result: CheckResult) -> tuple[GuidelineVerdict, ...]:
    """The questions of which nothing is known, because a side has no valid sample."""
    return tuple(verdict for verdict in result.verdicts if verdict.state is State.NOT_COMPARABLE)


def rule_fields(rule: Rule) -> RuleFields:
    """A guideline as check.json has it."""
    return RuleFields(
        name=rule.name,
        kind=rule.kind.value,
        source=rule.source.value,
        left=str(rule.left),
        right=str(rule.right),
        layout=str(rule.layout),
        other_layout=None if rule.other_layout is None else str(rule.other_layout),
    )


_PLATFORMS = Registries({PLATFORM.name: PLATFORM}, {}, ())


def verdicts_of(folder: Path, options: Options | None = None) -> tuple[GuidelineVerdict, ...]:
    """All verdicts of a check; options that are not given are those of the check.

    Raises UsageError for a folder that is not a check or has no complete launch, MeasurementError for a damaged one.
    """
    return check_of(folder, options).verdicts


def check_of(folder: Path, options: Options | None = None) -> CheckResult:
    """The check with all that tables and pages need. Raises as `verdicts_of`."""
    record = read_check(folder)
    options = options or options_of(record)
    campaign, confirmations = load(folder, reduction=options.reduction), confirmations_of(folder, options.reduction)
    returned = folder / IN_RETURNED
    besides = (load(returned, reduction=options.reduction),) if complete_launches(returned) else ()
    measured = measured_of(campaign, *besides)
    rules = rules_of(record)
    looks = looks_of(campaign, besides, confirmations, options.adjust)
    verdicts = verify(rules, measured, options, confirmed_by(confirmations, campaign), looks)
    campaigns, waiting = (campaign, *besides, *confirmations), _open(folder, verdicts)
    return CheckResult(
        campaign=campaign,
        measured=measured,
        verdicts=verdicts,
        rules=rules,
        options=options,
        left_out=record.left_out,
        warnings=tuple(
            dict.fromkeys(
                (*(text for each_campaign in campaigns for text in campaign_warnings(each_campaign)), *waiting)
            )
        ),
        marks=tuple(
            dict.fromkeys(
                mark for each_campaign in campaigns for mark in (*_marks(each_campaign), *(_BESIDES,) * bool(besides))
            )
        ),
    )


def confirmations_of(folder: Path, reduction: Reduction) -> tuple[Campaign, ...]:
    """The campaigns that confirm predictions, as far as they have a complete launch."""
    # One that was stopped before its first launch was complete says nothing yet.
    return tuple(load(path, reduction=reduction) for path in split_folders(folder) if complete_launches(path))


def complete_launches(folder: Path) -> int:
    """How many launches of a campaign are complete: by its journal, and there."""
    names = campaign_state(read_journal(folder / JOURNAL).entries).accepted.values()
    return sum((folder / name).is_dir() for name in names)


def is_complete(folder: Path, launches: int = 1) -> bool:
    """Whether a campaign has all of its launches, and was planned with at least `launches` of each library."""
    if not (folder / CAMPAIGN).is_file():
        return False
    manifest = read_manifest(folder)
    return manifest.plan.launches >= launches and complete_launches(folder) == len(manifest.slots)


def options_of(record: CheckRecord, **options: Any) -> Options:
    """How its guidelines are judged: as recorded, except for the given options (None: not given)."""
    recorded = {**record.options, "adjust": record.plan.adjust, "level": record.plan.level}
    judging: dict[str, Any] = {
        name: recorded[name]
        for name in ("test", "adjust", "level", "tolerance", "strata", "metric", "summary", "outliers")
        if name in recorded
    }
    judging |= {name: value for name, value in options.items() if value is not None}
    return make_options(**judging)


def rules_of(record: CheckRecord) -> tuple[Rule, ...]:
    """Its guidelines. Raises MeasurementError for one that is not as documented."""
    try:
        return tuple(
            Rule(
                name=fields.name,
                kind=Kind(fields.kind),
                source=Source(fields.source),
                left=parse_spec(fields.left),
                right=parse_spec(fields.right),
                layout=parse_spec(fields.layout),
                other_layout=None if fields.other_layout is None else parse_spec(fields.other_layout),
            )
            for fields in record.rules
        )
    except (ValueError, UsageError) as error:
        raise MeasurementError(f"check.json, rules: not as documented: {error!r}") from error


_BESIDES = (
    "rows of heap=returned are those of a program that gives large blocks of memory back at each free; in all others "
    "freed memory is kept"
)


def _open(folder: Path, verdicts: Sequence[GuidelineVerdict]) -> Iterator[str]:
    """Unmeasured predictions."""
    waiting = len(unconfirmed(verdicts))
    if waiting:
        again = shlex.join(["ictus", "check", str(folder), "--step", "confirm"])
        what = "violation of split-robustness is" if waiting == 1 else "violations of split-robustness are"
        yield f"{waiting} {what} only predicted; `{again}` measures what was not yet"


def _marks(campaign: Campaign) -> Iterator[str]:
    """Conditions that make these times differ from those of a library on its own cores."""
    if campaign.plan.platform is not None:
        platform = _PLATFORMS.brief(PLATFORM.name, campaign.plan.platform)
        yield f"simulated ranks, on platform {platform}: times of a model, not of a machine"
    elif any(library.flavour == "simulated" for library in campaign.libraries):
        yield "simulated launches: numbers of a scenario, not of a machine"
    if any(reroutes_of(campaign).values()):
        yield (
            "calls that libictus-redirect makes the mock-ups of a profile: against its own mock-up such a call may be "
            "slower by --tolerance, for it is that and a decision"
        )
    yield from (text.removesuffix(".") for text in selecting_sentences(campaign))
    crowded = {launch.n for launch in campaign.launches if launch.record.head.contention.oversubscribed}
    if crowded:
        counts = ", ".join(map(str, sorted(crowded)))
        yield f"oversubscribed: {counts} processes share fewer cores, so that the scheduler is measured too"
