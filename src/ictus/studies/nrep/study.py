"""How many repetitions each case needs: three launches of each library that stop by the rule."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ictus.comparison.warnings import campaign_warnings
from ictus.engine.measurement import plan_words
from ictus.engine.nrep import NrepRow, nrep_rows, own_rule, rule_text
from ictus.model.errors import OptionError
from ictus.model.plan_options import BY_KEY
from ictus.model.plan_parts import LAUNCHES
from ictus.model.spec import split_list
from ictus.model.unknown import unknown
from ictus.render.page import Fact, Legend, Section, paragraphs
from ictus.render.table import records
from ictus.stats.nrep import METRICS, NrepRule
from ictus.store.campaign import Campaign
from ictus.studies.campaign_material import CampaignMaterial, CampaignSetup
from ictus.studies.material import StudyAnswer
from ictus.studies.nrep.claims import CLAIMS
from ictus.studies.nrep.figures import metric_panels
from ictus.studies.nrep.tables import COLUMNS, LEGEND, OVERLAP, next_command, nrep_table, rule_sentence, sentences
from ictus.studies.study import Study, own_option

_METRICS = paragraphs("""
    Each figure is one case in the launch that needed the most repetitions: the chosen metrics as samples come in, their
    thresholds dashed, and a line where all are at or under them; the looks are marked. rse is the standard error of the
    mean over the mean, without outliers; cov_mean and cov_median are how much the last means and medians vary.
""")
_RULE = NrepRule()
_PREDICTION_OPTIONS = (
    own_option(
        "metrics",
        "text",
        "NAME[=SHARE],...",
        "rse, cov_mean, cov_median, each with its threshold: all must be at or under.",
        default=f"{','.join(_RULE.thresholds)}, thresholds {', '.join(f'{most:g}' for most in METRICS.values())}; of a "
        "FOLDER its own",
    ),
    own_option("min", "count", "COUNT", "Valid samples at the first look.", default=str(_RULE.least), least=2),
    own_option("max", "count", "COUNT", "Valid samples at the last look.", default=str(_RULE.most), least=2),
    own_option("step", "count", "COUNT", "Valid samples between looks.", default=str(_RULE.step), least=1),
    own_option(
        "mean-window",
        "count",
        "COUNT",
        "Prefix means that cov_mean looks at.",
        default=str(_RULE.windows["cov_mean"]),
        least=2,
    ),
    own_option(
        "median-window",
        "count",
        "COUNT",
        "Prefix medians that cov_median looks at.",
        default=str(_RULE.windows["cov_median"]),
        least=2,
    ),
)


def rule_of(rule_options: Mapping[str, Any]) -> NrepRule | None:
    """The rule of the study's own options, by keyword; None where none is given. Raises UsageError."""
    if all(value is None for value in rule_options.values()):
        return None
    chosen = {key: value for key, value in rule_options.items() if value is not None}
    windows = {name: chosen.get(f"{name.removeprefix('cov_')}_window", size) for name, size in _RULE.windows.items()}
    metrics = chosen.get("metrics", ",".join(_RULE.thresholds))
    return parse_rule(
        metrics, chosen.get("min", _RULE.least), chosen.get("max", _RULE.most), chosen.get("step", _RULE.step), windows
    )


def parse_rule(metrics: str, least: int, most: int, step: int, windows: dict[str, int]) -> NrepRule:
    """The rule of the command's options: `cov_mean,cov_median=0.02` are metrics with their thresholds. UsageError."""
    if most < least:
        raise OptionError(("max", most, f"it is below the least number, {least}"))
    if not metrics.strip():
        raise OptionError(("metrics", metrics, f"expected one or more of {', '.join(METRICS)}"))
    thresholds = {}
    for item in split_list(metrics):
        name, equals, share = (part.strip() for part in item.partition("="))
        if name not in METRICS:
            raise unknown(f"--metrics '{name}'", name, METRICS)
        if name in thresholds:
            raise OptionError(("metrics", metrics, f"{name} is given twice"))
        thresholds[name] = _threshold(item, share) if equals else METRICS[name]
    return NrepRule({name: thresholds[name] for name in METRICS if name in thresholds}, least, most, step, windows)


def _threshold(item: str, share: str) -> float:
    try:
        value = float(share)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise OptionError(("metrics", item, "expected a threshold from 0 to 1, such as 0.025"))
    return value


def check(**rule_options: Any) -> None:
    """UsageError for a rule that is none."""
    rule_of(rule_options)


def plan(setup: CampaignSetup, **rule_options: Any) -> CampaignSetup:
    """A campaign whose cases end by the rule."""
    rule = rule_of(rule_options)
    if rule is None:
        return setup
    target, values = plan_words(setup.plan)
    text = {"repetition": rule_text(rule)}
    return replace(setup, plan=target or {**values, **text}, defaults={**setup.defaults, **text})


def _rule(campaign: Campaign, rule_options: Mapping[str, Any]) -> NrepRule:
    """The given rule, else that of the campaign."""
    return rule_of(rule_options) or own_rule(campaign) or NrepRule()


def analyse(campaign: Campaign, **rule_options: Any) -> tuple[NrepRow, ...]:
    """A row for each library and case."""
    return nrep_rows(campaign, _rule(campaign, rule_options))


def answer(campaign: Campaign, rows: Sequence[NrepRow], **rule_options: Any) -> StudyAnswer:
    """How many repetitions there have to be."""
    rule = _rule(campaign, rule_options)

    def sections() -> list[Section]:
        legend = Legend(tuple(name for name in METRICS if name in rule.thresholds))
        panels = metric_panels(rows, rule, legend)
        return [
            Section("metrics", "Running metrics", (*_METRICS, OVERLAP), legend=legend.entries(), panels=panels),
            Section("counts", "Repetitions", (rule_sentence(rule), LEGEND), tables=(nrep_table(rows),)),
        ]

    flat = records(rows, COLUMNS)
    overlap = [OVERLAP] if any(name.startswith("cov") for name in rule.thresholds) else []
    return StudyAnswer(
        sentences=sentences(rows),
        rows=flat,
        csv_rows=[{**row, "launches": " ".join(str(launch["nrep"]) for launch in row["launches"])} for row in flat],
        tables=(nrep_table(rows),),
        sections=sections,
        remarks=(rule_sentence(rule), LEGEND, *overlap),
        warnings=campaign_warnings(campaign),
        facts=[Fact(name, f"at or under {threshold:g}") for name, threshold in rule.thresholds.items()],
        extra_keys={"repetition": rule_text(rule)},
        onward=next_command(campaign) if own_rule(campaign) == rule else None,
    )


STUDY = Study(
    name="nrep",
    about="""
    Each case is predicted in three launches of each library, and the largest count taken. `ictus run --nrep FOLDER`
    measures every case as often as it needs. On a FOLDER nothing is measured: other metrics can be tried on it.
    """,
    title="How many repetitions a case needs",
    schema="ictus.nrep/1",
    material=CampaignMaterial(
        takes=(
            "mpi",
            "op",
            "plugin",
            "sizes",
            "size-is",
            "n",
            "nodes",
            "ppn",
            replace(BY_KEY["launches"], help="Launches of each library; the largest count is taken."),
            "datatype",
            "operator",
            "comm",
            "root",
            "in-place",
            "layout",
            "counts",
            "clock",
            "clocksync",
            "procsync",
            "algorithm",
            "scheme",
            "cache",
            "warmup",
            "seed",
            "platform",
            "timeout",
            "contention-retries",
            "env",
            "heap",
            "pin",
            "map-by",
            "launcher-options",
            "core-flags",
            "governor",
        ),
        defaults={"launches": LAUNCHES, "repetition": rule_text(_RULE)},
        prefix="nrep",
        page="nrep.html",
        plan=plan,
    ),
    options=tuple(replace(option, of_showing=True) for option in _PREDICTION_OPTIONS),
    check=check,
    claims=CLAIMS,
    analyse=analyse,
    answer=answer,
)
