"""`ictus clocks pareto`: what accuracy costs, over a grid of settings."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ictus.model.errors import UsageError
from ictus.model.quantity import format_duration
from ictus.model.registries import Registries
from ictus.render.console import width
from ictus.render.output import Answer, Csv, Json, print_answer, print_note
from ictus.render.shell_command import command
from ictus.studies import values
from ictus.studies.clocks import options
from ictus.studies.command import study_command
from ictus.studies.options import Asked, From, Output, Repeats

if TYPE_CHECKING:
    from rich.text import Text

    from ictus.engine.place import Place
    from ictus.studies.clock_pareto.frontier import Point
    from ictus.studies.clock_pareto.grid import Setting
    from ictus.studies.clocks.record import Study


@study_command(shown=("wait",))
def pareto(
    folder: From = None,
    *,
    asked: Asked,
    algorithms: options.Algorithms = None,
    grid: Annotated[
        str, typer.Option("--grid", metavar="NAME", help="Settings: small, or paper (7 fit points by 4 exchanges).")
    ] = "small",
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            metavar="TIME",
            help="Leave out settings that are foretold to synchronise for longer.",
            show_default=False,
        ),
    ] = None,
    wait: Annotated[
        str, typer.Option("--wait", metavar="TIME", help="Time after synchronising at which the error counts.")
    ] = "5s",
    repeats: Repeats = 3,
    truth: options.Truth = "auto",
    rounds: options.Rounds = options.ROUNDS,
    sample: options.Sample = 1.0,
    out: Output = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Weigh accuracy against cost: the error of every setting of every algorithm against the time that it takes.

    The settings that none beats in both are the frontier. The mean MPI_Barrier is the baseline.
    """
    from ictus.studies.clock_pareto.frontier import points  # noqa: PLC0415
    from ictus.studies.clock_pareto.grid import grid_of, settings  # noqa: PLC0415
    from ictus.studies.clocks.errors import summarise  # noqa: PLC0415
    from ictus.studies.clocks.keeping import kept  # noqa: PLC0415 (numpy and matplotlib take most of a second)
    from ictus.studies.clocks.labels import warnings_of  # noqa: PLC0415
    from ictus.studies.clocks.words import SINGLE  # noqa: PLC0415

    limit = None if budget is None else values.positive("--budget", budget)
    given = options.check(truth, repeats, rounds, sample)
    wait_s = values.duration("--wait", wait)
    if folder is None:
        options.check_several(asked.processes)
    wanted = settings(Registries.load(), options.algorithms(algorithms), grid_of(grid))
    study = _measured(asked, wanted, wait_s, limit, given) if folder is None else kept(folder, "pareto")
    summaries = summarise(study.runs)
    allowed_s: float | None = study.document.get("budget_s")
    found = points(summaries, wait_s, allowed_s)
    if not found and not any(one.errors for one in summaries):
        raise UsageError(f"'{folder}': {SINGLE}")
    if not found:
        known = ", ".join(f"{one:g}s" for one in sorted({error.wait_s for one in summaries for error in one.errors}))
        raise UsageError(f"--wait '{wait}' was not measured there; known are {known}")
    print_answer(
        Answer(
            "ictus.clocks.pareto/1",
            list(_rows(found, wait_s)),
            warnings_of(study),
            lambda: _lines(study, found, wait_s),
            more={
                "barrier_s": _barriers(study),
                "budget_s": study.document.get("budget_s"),
                "left_out": study.document.get("left_out", []),
            },
        ),
        json,
        csv,
    )
    if out is not None:
        _keep(out, study, found, wait_s)


def _measured(
    asked: Asked, wanted: "Sequence[Setting]", wait_s: float, budget_s: float | None, given: Mapping[str, str]
) -> "Study":
    """A new study: for each number of processes a launch with all settings that the budget allows."""
    from ictus.engine.place import find_place  # noqa: PLC0415
    from ictus.studies.clocks.keeping import NAME, assembled  # noqa: PLC0415
    from ictus.studies.keeping import check_free, measuring  # noqa: PLC0415

    check_free(asked.output, NAME)
    place = find_place(asked)
    launches, left_out = [], []
    for n_ranks in asked.processes:
        chosen = wanted
        if budget_s is not None:
            chosen, too_long = _affordable(place, n_ranks, wanted, budget_s)
            left_out += [{"n": n_ranks, "algorithm": one.algorithm, "predicted_s": time} for one, time in too_long]
        if not chosen:
            raise UsageError(f"--budget '{budget_s:g}s' leaves no setting on {n_ranks} ranks")
        measuring("pareto", n_ranks, asked.platform, f"{len(chosen)} settings, {given['repeats']} times each")
        words = {**given, "clocksync": ",".join(one.algorithm for one in chosen), "waits": f"{wait_s:g}s"}
        launches.append(
            place.measure(("clocks", "accuracy"), n_ranks, {"seed": str(asked.seed), **place.clocks, **words})
        )
    return assembled("pareto", launches, {"on": asked.platform, "budget_s": budget_s, "left_out": left_out})


def _affordable(
    place: "Place", n_ranks: int, wanted: "Sequence[Setting]", budget_s: float
) -> "tuple[Sequence[Setting], Sequence[tuple[Setting, float]]]":
    """Measure the smallest settings of each algorithm, foretell the others, and say what is left out."""
    from ictus.studies.clock_pareto.grid import pilots, within_budget  # noqa: PLC0415
    from ictus.studies.clocks.reading import parse_study  # noqa: PLC0415
    from ictus.studies.keeping import measuring  # noqa: PLC0415

    first = pilots(wanted)
    measuring("time spent", n_ranks, place.asked.platform, f"{len(first)} settings, to foretell the others")
    words = {"clocksync": ",".join(one.algorithm for one in first), "waits": "0s", "repeats": "1", "barriers": "0"}
    measured = place.measure(
        ("clocks", "accuracy"), n_ranks, {**place.clocks, **words, "rounds": "1", "exchanges": "1"}
    )
    by_name = {one.algorithm: one for one in first}
    taken = {by_name[run.name]: [run.elapsed_s] for run in parse_study(measured, "clocks.json").runs}
    found = within_budget(wanted, taken, budget_s)
    _say_left_out(found.left_out, budget_s)
    return found.kept, found.left_out


def _say_left_out(left_out: "Sequence[tuple[Setting, float]]", budget_s: float) -> None:
    """What is over the budget: one line for each algorithm, its settings as fit points x exchanges."""
    from ictus.studies.clock_pareto.grid import GRID_KEYS  # noqa: PLC0415
    from ictus.studies.clocks.labels import setting_number, variant  # noqa: PLC0415

    for name in dict.fromkeys(variant(one.algorithm) for one, _ in left_out):
        own = [(one.algorithm, time) for one, time in left_out if variant(one.algorithm) == name]
        numbers = ((" x ".join(filter(None, (setting_number(one, key) for key in GRID_KEYS))), t) for one, t in own)
        each = ", ".join(f"{number} ({format_duration(time)})".strip() for number, time in numbers)
        print_note(f"over the budget of {format_duration(budget_s)} and left out: {name}: {each}")


def _barriers(study: "Study") -> dict[int, float | None]:
    return {one.setting.n_ranks: one.barrier_s for one in study.accuracy}


def _lines(study: "Study", found: "Sequence[Point]", wait_s: float) -> Iterator["Text"]:
    from ictus.studies.clocks.labels import budget_note, remarks, setting_text  # noqa: PLC0415
    from ictus.studies.clocks.tables import pareto_tables  # noqa: PLC0415
    from ictus.studies.words import told  # noqa: PLC0415

    columns = width()
    notes = [
        *budget_note(found, study.document.get("budget_s")),
        *remarks(study.settings, [launch.truth for launch in study.accuracy]),
    ]
    tables = pareto_tables(found, wait_s, columns)
    yield from told(setting_text(study.settings), tables, notes, _sentences(study, found), columns)


def _sentences(study: "Study", found: "Sequence[Point]") -> Iterator[str]:
    """The result for each number of processes."""
    from ictus.studies.clocks.labels import processes  # noqa: PLC0415
    from ictus.studies.clocks.words import pareto_sentence  # noqa: PLC0415

    barriers = _barriers(study)
    for n_ranks in dict.fromkeys(point.n_ranks for point in found):
        own = [point for point in found if point.n_ranks == n_ranks]
        among = f"{processes(n_ranks)}: " if len(barriers) > 1 else ""
        yield f"{among}{pareto_sentence(own, barriers[n_ranks])}"


def _rows(found: "Sequence[Point]", wait_s: float) -> Iterator[dict[str, Any]]:
    from ictus.studies.clocks.label import number_in  # noqa: PLC0415
    from ictus.studies.clocks.labels import label  # noqa: PLC0415

    for point in found:
        yield {
            "n": point.n_ranks,
            "algorithm": label(point.algorithm),
            "spec": point.algorithm,
            "fitpoints": number_in(point.algorithm, "fitpoints"),
            "exchanges": number_in(point.algorithm, "exchanges"),
            "repeats": point.repeats,
            "elapsed_s": point.elapsed_s,
            "messages": point.messages,
            "wait_s": wait_s,
            "error_s": point.error_s,
            "on_frontier": point.on_frontier,
            "over_budget": point.over_budget,
        }


def _keep(folder: Path, study: "Study", found: "Sequence[Point]", wait_s: float) -> None:
    from ictus.studies.clocks.figures import pareto_legend, pareto_panels  # noqa: PLC0415
    from ictus.studies.clocks.keeping import keep  # noqa: PLC0415
    from ictus.studies.clocks.labels import variant  # noqa: PLC0415
    from ictus.studies.clocks.page import page_of, pareto_sections  # noqa: PLC0415
    from ictus.studies.clocks.words import pareto_sentence  # noqa: PLC0415

    barriers = _barriers(study)
    legend = pareto_legend(found)
    panels = pareto_panels(found, wait_s, barriers, legend, variant)
    lead = pareto_sentence(found, next(iter(barriers.values())) if len(barriers) == 1 else None)
    sections = pareto_sections(found, wait_s, study.document.get("budget_s"), panels)
    again = command("clocks", "pareto", folder, "--wait", f"{wait_s:g}s", "-o", folder)
    keep(folder, study, panels, page_of(study, "What accuracy costs", lead, sections, again))
