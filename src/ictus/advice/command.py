"""`ictus advise`: what makes a program faster without touching it, proven in the program."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from ictus.advice.outcome import (
    Advice,
    aside_rows,
    aside_sentence,
    call_row,
    evidence_sentence,
    headline,
    remedy_row,
    sentences,
    to_do,
)
from ictus.advice.page import advice_page
from ictus.advice.request import AdviseOptions
from ictus.advice.study import run_advice
from ictus.advice.tables import advice_table, proof_table
from ictus.advice.tried import tried_row
from ictus.comparison.options import parse_share
from ictus.launch.launchers import with_hosts
from ictus.model.errors import UsageError
from ictus.model.narrower_options import NREP, ONE_CLOCKSYNC
from ictus.model.quantity import format_span
from ictus.programs.option_sets import RankOptions, StartOptions
from ictus.render import plan_options as options
from ictus.render.option_set import with_option_sets
from ictus.render.option_values import positive
from ictus.render.output import AnswerForm, CommandAnswer, answer_first, command, page_command, width, wrapped
from ictus.render.page_file import write_page
from ictus.render.progress import resumable
from ictus.render.terminal import lines
from ictus.render.typed_options import typed_options
from ictus.tuning.budget import LEAST_LAUNCHES
from ictus.tuning.command import parse_budget

PAGE = "advice.html"


@dataclass(frozen=True)
class EffortOptions:
    """How much is measured."""

    budget: Annotated[
        str | None,
        typer.Option(
            "--time-budget",
            metavar="TIME",
            help="Time in launches, as 90s, 10min or 2h. [default: 30min]",
            show_default=False,
        ),
    ] = None
    least: Annotated[
        str | None,
        typer.Option(
            "--least",
            metavar="SHARE",
            help="Smallest share of the program's time with which a call matters. [default: 1 %]",
            show_default=False,
        ),
    ] = None
    launches: Annotated[
        int | None,
        options.plan_option(
            "launches",
            "20",
            help="Launches of each check, of each confirmation, and of each side of the program.",
            least=LEAST_LAUNCHES,
        ),
    ] = None
    nrep: Annotated[int | None, options.typer_option(NREP, "100")] = None
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="COUNT",
            min=2,
            help="Largest number of candidates of a call, including the call itself. [default: 24]",
            show_default=False,
        ),
    ] = None
    seed: options.Seed = None


@options.plan_command("procsync", ONE_CLOCKSYNC, "contention-retries", "plugin", defaults={"procsync": "window"})
@with_option_sets
def advise(
    context: typer.Context,
    words: options.Program = None,
    *,
    ranks: RankOptions,
    out: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FOLDER", help="Folder of all steps, continued after an interruption."),
    ] = Path("ictus-advice"),
    effort: EffortOptions,
    start: StartOptions,
    timeout: Annotated[
        str, options.plan_option("timeout", "600s", help="A launch of the program that takes longer is ended.")
    ] = "600s",
    plan_values: options.PlanValues,
    form: AnswerForm,
) -> None:
    """Find what makes an MPI program faster without touching it.

    One run is profiled; calls that matter are checked with the program's own sizes; where a guideline is violated,
    remedies race and are confirmed; then the program is launched with and without each, in turns. What to do is written
    with its proof; if there is nothing to gain, that is written with its proof. After an interruption, the same command
    continues; options that it leaves out are as before. The program's output goes to standard error in the profiled
    run, else into the folder.
    """
    if not words:
        raise UsageError("advise: no program; for example: ictus advise -m openmpi -n 4 -- ./application")

    typed_plan: dict[str, Any] = {key: value for key, value in plan_values.items() if value is not None}
    advise_options = AdviseOptions(
        mpi=ranks.mpi,
        n=ranks.n,
        launches=effort.launches,
        nrep=effort.nrep,
        limit=effort.limit,
        least=None if effort.least is None else parse_share("--least", effort.least),
        budget_s=None if effort.budget is None else parse_budget(effort.budget),
        seed=effort.seed,
        environment=options.environment(start.env),
        plan=typed_plan or None,
        pin=not start.no_pin,
        launcher=with_hosts(start.launcher, start.hosts),
        nodes=ranks.nodes,
        ppn=ranks.ppn,
        map_by=start.map_by,
        timeout_s=positive("--timeout", timeout),
    )
    with resumable("advise", folder=out) as display:
        advice = run_advice(words, out, advise_options, display)
    write_page(out / PAGE, advice_page(advice, page_command("advise", "-o", out.resolve().name, "--", *words)))
    typed = ("mpi", "n", "nodes", "ppn", "no_pin", "map_by", "launcher", "hosts", "timeout")
    onward = next_advice(advice, out, typed_options(context, typed), words)
    rows = [call_row(call) for call in advice.calls]
    extra_keys = {
        "advice": headline(advice),
        "evidence": evidence_sentence(advice),
        "to_do": list(to_do(advice)),
        "remedies": [remedy_row(remedy) for remedy in advice.remedies],
        "unproven": list(advice.unproven),
        "tried": [tried_row(setting) for setting in advice.tried],
        "aside": aside_rows(advice.costly),
        "mpi_share": advice.costly.mpi_share,
        "waiting_share": advice.costly.waiting_share,
        "most_awaited": None if advice.costly.most_awaited is None else vars(advice.costly.most_awaited),
        "library_version": advice.library,
        "n_ranks": advice.n,
        "elapsed_s": advice.elapsed_s,
        "spent_s": advice.spent_s,
        "budget_s": advice.budget_s,
        "onward": onward,
    }
    lines = lambda: _lines(advice, onward)  # noqa: E731
    form.print(CommandAnswer("ictus.advise/1", rows, advice.warnings, lines, extra_keys))


def next_advice(advice: "Advice", out: Path, typed: Sequence[str], words: Sequence[str]) -> str:
    """The next command: the same with a budget that has room for the rest; else the program with the remedy that gains
    most, or what its time goes to.
    """
    larger_s = advice.larger_budget_s
    if larger_s is None:
        best = next(iter(advice.useful), None)
        return command("profile", "show", out / "profile") if best is None else best.launch
    return command("advise", *typed, "-o", out, "--time-budget", f"{ceil(larger_s / 60)}min", "--", *words)


def _lines(advice: "Advice", onward: str) -> Iterator["Text"]:

    def details() -> Iterator[Text]:
        yield from wrapped(evidence_sentence(advice), "", width())
        yield Text()
        if advice.remedies:
            yield from lines(proof_table([remedy_row(remedy) for remedy in advice.remedies]), width())
            yield Text()
        if advice.calls:
            yield from lines(advice_table([call_row(call) for call in advice.calls]), width())
            yield Text()
        for text in sentences(advice):
            yield from wrapped(text, "", width())
        for aside in advice.costly.aside:
            yield from wrapped(f"Left aside: {aside_sentence(aside)}.", "dim", width())
        for text in to_do(advice):
            yield Text(text, overflow="fold")
        yield from wrapped(
            f"{format_span(advice.spent_s)} of a budget of {format_span(advice.budget_s)} were spent in launches.",
            "",
            width(),
        )

    yield from answer_first([headline(advice)], details(), width(), onward=onward)
