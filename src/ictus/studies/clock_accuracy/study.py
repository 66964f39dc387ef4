"""Accuracy of clock synchronisation: for each number of processes a launch with all algorithms that are judged."""

from collections.abc import Mapping, Sequence

from ictus.engine.study import StudyLaunch
from ictus.render import option_values as values
from ictus.render.page import Section, paragraphs
from ictus.studies.clock_accuracy.claims import CLAIMS
from ictus.studies.clock_accuracy.equal_time import CLAIMS as EQUAL_TIME
from ictus.studies.clock_accuracy.tables import accuracy_sentence, check_gate, error_table, rank_table, study_rows
from ictus.studies.clock_pareto.analysis import points
from ictus.studies.clock_pareto.figures import pareto_panels
from ictus.studies.clock_pareto.study import COST
from ictus.studies.clocks.errors import AlgorithmSummary, shown_waits, summarise
from ictus.studies.clocks.figures import MOST_RANKS, growth_panels, legend_of, rank_panels, scaling_panels
from ictus.studies.clocks.label import label
from ictus.studies.clocks.material import clocks_material, error_facts
from ictus.studies.clocks.options import ALGORITHMS, CHECKS, LAUNCHES, REPEATS, checking, every_algorithm
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.clocks.setting import remarks, warnings_of
from ictus.studies.clocks.tables import overview
from ictus.studies.core_launches import PlannedLaunches, StudySetup, seeded
from ictus.studies.core_material import check_several
from ictus.studies.core_options import core_option
from ictus.studies.material import StudyAnswer
from ictus.studies.study import Study, own_option

PROGRAM = ("clocks", "accuracy")

_ERRORS = paragraphs("""
    After an algorithm has synchronised, every rank's global clock is compared with rank 0's at the same instant, again
    and again. An algorithm that learns only offsets errs by the drift of the clocks. One that learns drifts errs by
    changes of the drift and by its own estimate.

    Lines are the largest error over ranks, bands span the repeats, dotted lines are the bound that an algorithm proves
    for itself. An error beyond its bound would be a refuted proof.
""")

_RANKS = paragraphs("""
    The signed error of every checked rank. Errors of one sign that grow with the rank tell of an algorithm that passes
    its errors on; one rank far off tells of a disturbed exchange.
""")

_PROCESSES = paragraphs("""
    How time spent and accuracy change with the number of processes: algorithms that go round all ranks take linearly
    longer, trees logarithmically, and what a tree adds up on its way grows with its depth.
""")


def launches(
    setup: StudySetup,
    *,
    clocksync: Sequence[str] | None,
    waits_s: Sequence[float],
    repeats: int,
    truth: str,
    rounds: int,
    sample: float,
    launches: int,
    **_: object,
) -> PlannedLaunches:
    """Launches with these algorithms (None: all that synchronise), whose errors are taken at these times (seconds,
    ascending) after synchronising. `rounds` and `sample`, a share of the ranks, belong to a check by ping-pong. All
    numbers of processes take turns; each turn has an order of its algorithms.
    """
    names = every_algorithm() if clocksync is None else tuple(clocksync)
    words = {
        **setup.backend.clocks,
        **checking(truth, repeats, rounds, sample),
        "clocksync": ",".join(names),
        "waits": values.seconds(waits_s),
    }
    shared = truth == "known" or (truth != "ping-pong" and setup.backend.one_counter)
    algorithms_text = f"{len(names)} algorithm{'' if len(names) == 1 else 's'}"
    about = f"accuracy: {algorithms_text}, {waits_s[-1]:g} s after synchronising"
    return PlannedLaunches(
        [
            StudyLaunch(
                seeded(setup.backend, launch), PROGRAM, n, {**share, "seed": str(setup.common.seed + launch)}, about
            )
            for launch in range(launches)
            for n in setup.common.processes
            for share in ([words] if shared else _alone(words, names))
        ]
    )


def _alone(words: Mapping[str, str], algorithms: Sequence[str]) -> list[dict[str, str]]:
    """A launch for each algorithm and repeat: a check by ping-pong has to wait, and must not wait for another one."""
    repeats = int(words["repeats"])
    return [{**words, "clocksync": name, "repeats": "1"} for _ in range(repeats) for name in algorithms]


def analyse(study: ClocksStudy, **_: object) -> Sequence[AlgorithmSummary]:
    """A row an algorithm and number of processes."""
    return summarise(study.runs)


def answer(
    study: ClocksStudy, summaries: Sequence[AlgorithmSummary], *, per_rank: bool | None, fail_above_s: float | None
) -> StudyAnswer:
    """Who errs least, and what is proven of it."""
    waits_s = shown_waits([error.wait_s for summary in summaries for error in summary.errors])
    by_rank = (rank_table(study.runs, waits_s),) if per_rank else ()
    return StudyAnswer(
        sentences=[accuracy_sentence(summaries, study.accuracy)],
        rows=list(study_rows(study, summaries, per_rank=bool(per_rank))),
        tables=(*by_rank, error_table(summaries, waits_s), overview(summaries, waits_s)),
        sections=lambda: _sections(study, summaries),
        remarks=remarks(study.settings, [launch.truth for launch in study.accuracy]),
        warnings=warnings_of(study),
        facts=error_facts(study),
        extra_keys={"barrier_s": [launch.barrier_s for launch in study.accuracy]},
        gate=None if fail_above_s is None else lambda: check_gate(summaries, fail_above_s),
    )


def _sections(study: ClocksStudy, summaries: Sequence[AlgorithmSummary]) -> list[Section]:
    """Errors over time, over ranks, over processes, and their cost."""
    legend = legend_of(study.runs)
    waits = [error.wait_s for summary in summaries for error in summary.errors]
    waits_s, last = shown_waits(waits), max(waits, default=0.0)
    barriers = {launch.setting.n_ranks: launch.barrier_s for launch in study.accuracy}
    growth = growth_panels(summaries, study.runs, legend)
    ranks = rank_panels(study.runs, waits_s, legend) if waits else ()
    cost = pareto_panels(points(summaries, last), last, barriers, legend, label)
    return [
        Section("errors", "Errors", _ERRORS, tables=(overview(summaries, waits_s),), panels=growth),
        Section("ranks", "Over ranks", _RANKS, panels=ranks, note=_drawn(summaries)),
        Section("processes", "Over processes", _PROCESSES, panels=scaling_panels(study.runs, legend)),
        Section("cost", "Cost", COST, panels=cost),
    ]


def _drawn(summaries: Sequence[AlgorithmSummary]) -> str:
    most = max((summary.n_ranks for summary in summaries), default=0)
    if most <= MOST_RANKS:
        return ""
    return f"Of {most} ranks {MOST_RANKS} are drawn, among them those with the largest errors."


STUDY = Study(
    name="clock_accuracy",
    about="""
    At several times after synchronising: largest, mean and 95th percentile over ranks. Also what an algorithm proves of
    its own error, and the time and messages that it takes.
    """,
    title="How far synchronised clocks are apart",
    schema="ictus.clocks.accuracy/1",
    material=clocks_material("accuracy", launches, check=check_several),
    options=(
        ALGORITHMS,
        core_option("clocks accuracy", "waits", help="Times after synchronising at which clocks are compared."),
        LAUNCHES,
        REPEATS,
        *CHECKS,
        own_option("per-rank", "on", "", "Also show the signed error of every rank.", of_showing=True),
        own_option(
            "fail-above", "duration", "TIME", "Exit code 1 if an error at the last wait is above this.", of_showing=True
        ),
    ),
    claims=(*CLAIMS, *EQUAL_TIME),
    analyse=analyse,
    answer=answer,
)
