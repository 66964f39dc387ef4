"""`ictus check`: whether a library satisfies the performance guidelines."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from ictus.comparison.load_options import ReductionOptions
from ictus.comparison.options import AllowMissing, Strata
from ictus.engine.backend import LauncherChoice
from ictus.engine.preview import refuse_plugins
from ictus.guidelines.check.analysis import (
    CheckResult,
    check_of,
    is_complete,
    judged_by,
    only,
    unanswered,
    violated,
)
from ictus.guidelines.check.explaining import explainer, explanation_row, explanations
from ictus.guidelines.check.judgement_request import JudgementRequest
from ictus.guidelines.check.page import check_page
from ictus.guidelines.check.preview import check_preview
from ictus.guidelines.check.request import CheckRequest, parse_check
from ictus.guidelines.check.study import measure_check
from ictus.guidelines.check.tables import COLUMNS
from ictus.guidelines.check.words import lines
from ictus.launch.launchers import with_hosts
from ictus.model.errors import GateHit, UsageError
from ictus.model.narrower_options import (
    ONE_CLOCK,
    ONE_CLOCKSYNC,
    ONE_COUNTS,
    ONE_LAYOUT,
    ONE_NODES,
    ONE_ORDER,
    ONE_PPN,
)
from ictus.model.quantity import format_size
from ictus.model.unknown import unknown
from ictus.render import plan_options as options
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer, command, page_command, print_lines, print_note
from ictus.render.page_file import write_page
from ictus.render.progress import resumable
from ictus.render.table import records
from ictus.render.typed_options import typed_options

PAGE = "check.html"
STEPS = ("all", "nrep", "measure", "confirm", "analyze")


_USUAL = {
    "sizes": "paper, 1 B to 100 KiB",
    "launches": "20",
    "nrep": "auto",
    "datatype": "byte",
    "operator": "bor for byte",
}
_OP = (
    "Operations that are checked (ictus list operations), such as ialltoallv,pingpong: with GL1 and GL2, and with the "
    "paper's guidelines that say they are not slower than other calls; all for each."
)


@dataclass(frozen=True)
class ChoiceOptions:
    """Which guidelines."""

    op: Annotated[str | None, options.plan_option("op", "the nine of the paper", help=_OP)] = None
    guidelines: Annotated[
        str | None,
        typer.Option(
            "--guidelines",
            metavar="NAME,...",
            help="paper (GL1 to GL17), further, datatypes, user, all, or names such as GL3,ibcast-*. [default: paper, "
            "with --op those of its operations; and user where there are any]",
            show_default=False,
        ),
    ] = None
    user: Annotated[
        Path | None,
        typer.Option("--user", metavar="FILE", help="Guidelines of your own, TOML.", show_default=False),
    ] = None


@dataclass(frozen=True, kw_only=True)
class VerdictOptions:
    """How they are judged."""

    test: Annotated[
        str | None,
        typer.Option(
            "--test",
            metavar="NAME",
            help="signed-rank, rank-sum, kolmogorov-smirnov, each one-sided. [default: signed-rank]",
            show_default=False,
        ),
    ] = None
    tolerance: Annotated[
        str | None,
        typer.Option(
            "--tolerance",
            metavar="SHARE",
            help="How much faster k calls must be before a split is predicted, and how much slower a call may be than "
            "the mock-up that it is rerouted to. [default: 5 %]",
            show_default=False,
        ),
    ] = None
    strata: Strata = "modes"
    reduction: ReductionOptions

    def request(self, **of_plan: Any) -> "JudgementRequest":
        """With `adjust` and `level` of the plan."""
        return JudgementRequest(self.test, self.tolerance, self.strata, **vars(self.reduction), **of_plan)


@dataclass(frozen=True)
class ViolationGate:
    """When the command ends with another exit code than 0."""

    fail_on_violation: Annotated[
        bool, typer.Option("--fail-on-violation", help="End with exit code 1 if a guideline is violated.")
    ] = False
    allow_missing: AllowMissing = False


@options.plan_command(
    "mpi",
    "plugin",
    "sizes",
    "size-is",
    "n",
    ONE_NODES,
    ONE_PPN,
    "launches",
    "nrep",
    "datatype",
    "operator",
    ONE_COUNTS,
    ONE_LAYOUT,
    "root",
    ONE_CLOCK,
    "clock-domain",
    ONE_CLOCKSYNC,
    "clock-bound",
    "clock-error",
    "procsync",
    "algorithm",
    "scheme",
    "cache",
    "warmup",
    "seed",
    "platform",
    "timeout",
    "retries",
    "contention-retries",
    "level",
    "adjust",
    "pin",
    ONE_ORDER,
    "launcher-options",
    "modules",
    "core-flags",
    "env",
    "heap",
    "page-faults",
    defaults=_USUAL,
)
@with_option_sets
def check(
    context: typer.Context,
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="PLAN.toml|FOLDER", help="A plan, or a check to continue or to show.", show_default=False
        ),
    ] = None,
    *,
    out: Annotated[
        Path | None, options.output_option("The check's folder; that of PLAN.toml is PLAN, without a plan check-DATE.")
    ] = None,
    step: Annotated[
        str,
        typer.Option(
            "--step",
            metavar="NAME",
            help="nrep, measure: end after this step. confirm, analyze: only this step, with the existing data. all: "
            "every missing step.",
        ),
    ] = "all",
    choice: ChoiceOptions,
    verdicts: VerdictOptions,
    no_confirm: Annotated[
        bool, typer.Option("--no-confirm", help="Do not measure predicted violations of split-robustness.")
    ] = False,
    gate: ViolationGate,
    dry_run: options.DryRun = False,
    plan_values: options.PlanValues,
    launcher: options.Launcher = "mpiexec",
    hosts: options.HostsFile = None,
    scenario: options.ScenarioFile = None,
    form: AnswerForm,
) -> None:
    """Check performance guidelines.

    A call must not be slower than other calls that do the same, than itself with more data, or than k calls with 1/k of
    the data. Three steps: predict repetitions, measure all sides in the same launches, judge. Where the medians
    predict that splitting is faster, that is measured too. After an interruption, the same command continues the check.
    """
    if gate.allow_missing and not gate.fail_on_violation:
        raise UsageError("--allow-missing: only a gate passes over cases; give --fail-on-violation")
    if step not in STEPS:
        raise unknown(f"--step '{step}'", step, STEPS)

    judged = verdicts.request(adjust=plan_values["adjust"], level=plan_values["level"])
    started = with_hosts(launcher, hosts)
    if dry_run:
        refuse_plugins(plan_values["plugin"] or ())
    request = parse_check(target, out, {**vars(choice), **judged.recorded}, plan_values, launcher=started)
    if dry_run:
        print_lines(check_preview(request, started, scenario))
        return
    with resumable("check", folder=request.folder) as display:
        launcher_choice = LauncherChoice(started, scenario)
        check_result = measure_check(request, launcher_choice, display, judged, step=step, confirm=not no_confirm)
    if step == "measure" or (step == "nrep" and not is_complete(request.folder, request.plan.launches)):
        progress = "measured" if step == "measure" else "the repetitions are predicted"
        print_note(f"{request.folder}: {progress}; `{command('check', '-o', request.folder)}` continues")
        return
    again = page_command("check", request.folder.resolve().name, *typed_options(context, tuple(vars(judged))))
    whole_check = check_result or check_of(request.folder, judged.options(request.folder))
    _show(request, whole_check, again, form, gate)


def _show(request: "CheckRequest", whole_check: CheckResult, again: str, form: AnswerForm, gate: ViolationGate) -> None:
    """Tables, page and gate, for the selected guidelines; the page has all of them."""
    why = explanations(whole_check)
    write_page(whole_check.campaign.folder / PAGE, check_page(whole_check, again, explainer(why)))
    check_result = only(whole_check, request.shown_rules) if request.shown_rules else whole_check
    kept = [explanation for explanation in why if explanation.verdict in check_result.verdicts]
    rows = records(check_result.verdicts, COLUMNS)
    extra_keys = {**judged_by(check_result), "explanations": [explanation_row(explanation) for explanation in kept]}
    form.print(
        CommandAnswer("ictus.check/1", rows, check_result.warnings, lambda: lines(check_result, kept), extra_keys)
    )
    broken = violated(check_result)
    if gate.fail_on_violation and broken:
        raise GateHit(f"{broken} of {len(check_result.rules)} guidelines are violated")
    lost = unanswered(check_result) if gate.fail_on_violation and not gate.allow_missing else ()
    if lost:
        first = lost[0]
        where = f"{first.rule.text} at {format_size(first.size_bytes)} in {check_result.name(first.place)}"
        raise UsageError(
            f"--fail-on-violation cannot be answered: nothing is known of {len(lost)} of "
            f"{len(check_result.verdicts)} tests, "
            f"first of {where}: {first.reason}\n  --allow-missing judges the others alone"
        )
