"""Reproducibility: whether the same experiment gives the same result again, beside runs of other suites."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ictus.comparison.case_titles import brief
from ictus.engine.campaign import MeasurementRequest
from ictus.engine.event import Observer
from ictus.engine.measurement import plan_words
from ictus.engine.preview import preview_lines, preview_of
from ictus.model.narrower_options import NREP, ONE_CLOCK, ONE_CLOCKSYNC, ONE_SETTING
from ictus.model.plan_options import BY_KEY
from ictus.model.reduction import SUMMARIES
from ictus.model.unknown import unknown
from ictus.render.page import Fact, Legend, Section, paragraphs
from ictus.render.table import records
from ictus.studies.campaign_material import PlanMaterial
from ictus.studies.lens.methods import parse_looks
from ictus.studies.lens.suites.registry import ALL
from ictus.studies.material import Provenance, StudyAnswer, StudyRequest
from ictus.studies.reproduce.analysis import Trials
from ictus.studies.reproduce.apart import CLAIMS as APART
from ictus.studies.reproduce.claims import CLAIMS
from ictus.studies.reproduce.figures import trial_panels
from ictus.studies.reproduce.material import TrialRecord, read_trials
from ictus.studies.reproduce.measuring import ReproduceOptions, measure_trials, requested_trials
from ictus.studies.reproduce.record import DOCUMENT, FULL, QUICK, QUICK_TRIALS, SUITES, TRIALS
from ictus.studies.reproduce.tables import (
    COLUMNS,
    diff_table,
    method_sentence,
    result_table,
    trial_sentences,
    way_table,
)
from ictus.studies.study import Study, own_option

_ABOUT = """
    The same experiment was done again and again, by every way in turn, in random order. A dot is one result over the
    smallest result of its size; the box spans the middle half of them, the line in it is the median. Neighbouring
    figures have one scale. The flatter a figure, the more alike are repeated results.
"""
_TABLES = """
    Smallest and largest result, their difference over the largest, and the standard deviation over the mean. The
    difference grows with the number of trials, which is the same for every way; the deviation does not.
"""
_HOW = """
    How a result comes about. Each suite is measured as its lens describes: the suite's own numbers of calls and
    warm-ups, sizes in ascending order, one launch, not repeated when others disturbed it.
"""


@dataclass(frozen=True, kw_only=True)
class TrialMaterial(PlanMaterial[TrialRecord]):
    """Whole campaigns, again and again, and runs of suites."""

    def measure(self, request: StudyRequest, observer: Observer) -> TrialRecord:
        """All trials, or those that are missing."""
        given_plan, options = _asked(request)
        return read_trials(measure_trials(given_plan, request.folder, request.launcher_choice, observer, options))

    def preview(self, request: StudyRequest) -> Iterator[str]:
        """One campaign, and how many trials have one."""
        launcher_choice, folder = request.launcher_choice, request.folder or Path("reproduce-DATE")
        given_plan, options = _asked(request)
        study = requested_trials(given_plan, folder, options)
        yield from preview_lines(
            preview_of(MeasurementRequest(folder, study.plan, launcher_choice.launcher, launcher_choice.scenario))
        )
        beside = f", beside one run of each of {', '.join(study.suites)}" if study.suites else ""
        yield f"All this {study.trials} times, once in each trial{beside}"

    def read(self, folder: Path, **_: Any) -> TrialRecord:
        """All complete trials."""
        return read_trials(folder)

    def provenance(self, record: TrialRecord, folder: Path) -> Provenance:
        """Of all campaigns together."""
        trials, study = record.trials, record.trials.study
        return Provenance(
            folder,
            study.created,
            study.ictus,
            trials.machine.get("host", "unknown host"),
            trials.labels,
            trials.complete * len(trials.labels) * (study.plan.launches + len(study.suites)),
            study.plan.seed,
            trials.warnings,
        )

    def keep(self, record: TrialRecord, folder: Path | None, title: str, answer: StudyAnswer, again: str) -> None:
        """The page in the folder of the trials."""
        del folder
        self.written(self.provenance(record, record.folder), title, answer, again, ())


def _asked(request: StudyRequest) -> tuple[Mapping[str, Any], ReproduceOptions]:
    """The plan by key, and the study's own options."""
    _, plan_values = plan_words(request.requested_plan)
    if request.claim and (request.place / DOCUMENT).is_file():  # goes on with the options that it began with
        return plan_values, ReproduceOptions()
    values = request.values
    suites = None if values["lens"] is None else suites_of(values["lens"])
    options = ReproduceOptions(values["trials"], suites, values["summary"], bool(values["quick"]))
    return {**request.claim_plan, **plan_values}, options


def suites_of(text: str) -> tuple[str, ...]:
    """The lenses, each once, as short as can be. Raises UsageError."""
    if text.strip() in ("none", ""):
        return ()
    looks = parse_looks(text)
    return ALL if looks is None else tuple(look.label for look in looks)


def check(*, lens: str | None, summary: str | None, **_: object) -> None:
    """UsageError for lenses or a summary that there are not."""
    if lens is not None:
        suites_of(lens)
    if summary is not None and summary not in SUMMARIES:
        raise unknown(f"--summary '{summary}'", summary, SUMMARIES)


def analyse(record: TrialRecord) -> Trials:
    """They are what was read."""
    return record.trials


def answer(_: TrialRecord, trials: Trials) -> StudyAnswer:
    """How far apart results of the same experiment are."""

    def sections() -> list[Section]:
        legend = Legend(study.ways)
        about, panels = (*paragraphs(_ABOUT), method_sentence(trials)), trial_panels(trials, legend)
        return [
            Section("trials", "Again and again", about, legend=legend.entries(), panels=panels),
            Section("results", "Results", paragraphs(_TABLES), tables=tables),
            Section("how", "How", paragraphs(_HOW), tables=(way_table(trials),)),
        ]

    study, plan = trials.study, trials.study.plan
    tables = (diff_table(trials), result_table(trials))
    return StudyAnswer(
        sentences=list(trial_sentences(trials)),
        rows=records(trials.rows, COLUMNS),
        tables=tables,
        sections=sections,
        evidence=[trials.evidence],
        conditions=[method_sentence(trials)],
        warnings=trials.warnings,
        facts=(
            Fact("evidence", trials.evidence.removeprefix("Evidence: ").rstrip(".")),
            Fact("trials", f"{trials.complete} of {study.trials}"),
            Fact("a campaign", f"{plan.launches} launches of each library"),
            Fact("start", ", ".join(brief("procsync", name) for name in plan.procsync)),
            Fact("clocks", brief("clocksync", plan.clocksync[0])),
        ),
        extra_keys={"trials": trials.complete, "summary": study.summary, "evidence": trials.evidence_row()},
    )


def _both(key: str) -> str:
    """The defaults of both plans, as help says them."""
    return f"{FULL[key]}; --quick: {QUICK[key]}"


STUDY = Study(
    name="reproduce",
    about="""
    Whole campaigns are repeated, beside as many runs of other suites, in random order: how far apart are the results of
    each? The table shows the largest difference for each size, the page all results, each divided by the smallest.
    """,
    title="Would it come out the same again?",
    schema="ictus.reproduce/1",
    material=TrialMaterial(
        takes=(
            "mpi",
            replace(BY_KEY["op"], default="bcast"),
            replace(BY_KEY["sizes"], default=_both("sizes")),
            "size-is",
            "n",
            replace(
                BY_KEY["launches"],
                help="Launches of each library in one trial of Ictus.",
                default=_both("launches"),
            ),
            replace(
                NREP,
                help="Valid repetitions of a case in a launch of Ictus; suites have their own numbers.",
                default=_both("nrep"),
            ),
            "datatype",
            "operator",
            "comm",
            "root",
            "in-place",
            "layout",
            ONE_CLOCK,
            ONE_CLOCKSYNC,
            replace(
                BY_KEY["procsync"],
                kind="text",
                metavar="NAME",
                help="How campaigns of Ictus start ranks together; suites have their own way.",
                default="window",
            ),
            "cache",
            "warmup",
            "seed",
            "platform",
            "timeout",
            "contention-retries",
            ONE_SETTING,
            "pin",
        ),
        prefix="reproduce",
        page="reproduce.html",
        folder_help="A study to show; the page is written into it. Without it, a study is measured.",
    ),
    claims=(*CLAIMS, *APART),
    options=(
        own_option(
            "trials",
            "count",
            "COUNT",
            "Whole campaigns, and runs of each suite.",
            default=f"{TRIALS}; --quick: {QUICK_TRIALS}",
            least=2,
        ),
        own_option(
            "lens",
            "text",
            "NAME,...|none",
            "Suites whose runs stand beside the campaigns (ictus list lens).",
            default=SUITES,
        ),
        own_option(
            "summary",
            "text",
            "NAME",
            "How the samples of a launch become one number: median, mean, min, p90, p95, p99. The result of a trial is "
            "the mean over its launches.",
            default="median",
        ),
        own_option("quick", "on", "", "Fewer trials, launches, sizes: a minute or two."),
    ),
    check=check,
    analyse=analyse,
    answer=answer,
)
