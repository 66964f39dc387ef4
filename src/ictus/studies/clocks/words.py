"""The result of a clock study in sentences."""

from collections.abc import Sequence

from ictus.model.quantity import format_duration
from ictus.render.unit import three_digits
from ictus.studies.clock_drift.analysis import DriftSummary
from ictus.studies.clock_pareto.analysis import Point
from ictus.studies.clocks.errors import AlgorithmSummary
from ictus.studies.clocks.labels import label, processes, seconds, source_name
from ictus.studies.clocks.record import Accuracy
from ictus.studies.frequency.analysis import FrequencySummary

SINGLE = "A single process has no other clock to err against: there is nothing to measure."


def accuracy_sentence(summaries: Sequence[AlgorithmSummary], launches: Sequence[Accuracy]) -> str:
    """Who errs least at the last wait, what a barrier takes, whether a bound was broken; per number of processes."""
    least: dict[float, list[str]] = {}
    for launch in launches:
        n_ranks = launch.setting.n_ranks
        own = [one for one in summaries if one.n_ranks == n_ranks and one.errors and one.synchronises]
        if own:
            best = min(own, key=lambda one: one.errors[-1].max_s)
            found = f"{format_duration(best.errors[-1].max_s)} of {label(best.algorithm)}"
            least.setdefault(best.errors[-1].wait_s, []).append(_among(found, n_ranks, launches))
    parts = [f"Smallest error {seconds(wait)} after synchronising: {', '.join(of)}." for wait, of in least.items()]
    barriers = [
        _among(format_duration(one.barrier_s), one.setting.n_ranks, launches)
        for one in launches
        if one.barrier_s is not None
    ]
    if barriers:
        parts.append(f"Mean MPI_Barrier: {', '.join(barriers)}.")
    return " ".join([*parts, *bound_sentence(summaries), *_unjudged(summaries)])


def _unjudged(summaries: Sequence[AlgorithmSummary]) -> tuple[str, ...]:
    """Where an error of 0 would praise nobody: a single process, and clocks that were left alone."""
    alone = any(not one.errors for one in summaries if one.n_ranks == 1)
    left = dict.fromkeys(label(one.algorithm) for one in summaries if one.errors and not one.synchronises)
    return (
        *([SINGLE] if alone else []),
        *([f"{', '.join(left)}: nothing is synchronised, clocks are as they are."] if left else []),
    )


def _among(text: str, n_ranks: int, launches: Sequence[Accuracy]) -> str:
    """The text, with the number of processes where there are several."""
    return text if len(launches) == 1 else f"{text} ({processes(n_ranks)})"


def bound_sentence(summaries: Sequence[AlgorithmSummary]) -> tuple[str, ...]:
    """`All 63 proven bounds held.`, or how many did not and whose."""
    bounded, beyond = sum(one.bounded for one in summaries), sum(one.beyond for one in summaries)
    if not bounded:
        return ()
    if not beyond:
        return (f"All {bounded:,} proven bounds held.",)
    whose = dict.fromkeys(label(one.algorithm) for one in summaries if one.beyond)
    return (f"{beyond:,} of {bounded:,} proven bounds were broken, by {', '.join(whose)}.",)


def pareto_sentence(points: Sequence[Point], barrier_s: float | None) -> str:
    """How many settings are on the frontier, whose, and the quickest that beats a barrier."""
    best = [point for point in points if point.on_frontier]
    names = list(dict.fromkeys(point.algorithm.partition("(")[0] for point in best))
    few = f"{len(best)} of {len(points)} setting{'' if len(points) == 1 else 's'}"
    parts = [f"{few} {'is' if len(best) == 1 else 'are'} beaten by none: of {', '.join(names)}."]
    if barrier_s is not None:
        below = [point for point in points if point.error_s < barrier_s]
        barrier = f"the mean MPI_Barrier, {format_duration(barrier_s)}"
        if below:
            first = min(below, key=lambda point: point.elapsed_s)
            spent = format_duration(first.elapsed_s)
            parts.append(f"The quickest that errs by less than {barrier}, takes {spent}: {label(first.algorithm)}.")
        else:
            parts.append(f"None errs by less than {barrier}.")
    return " ".join(parts)


def drift_sentence(ranks: Sequence[DriftSummary]) -> str:
    """The fastest drift and how far from a line it went."""
    fastest = max(ranks, key=lambda one: abs(one.slope))
    ppm = three_digits(round(1e6 * abs(fastest.slope), 6))
    furthest = max(ranks, key=lambda one: one.departure_s)
    return (
        f"Rank {fastest.rank} runs fastest away from rank 0, by {ppm} µs a second: "
        f"{format_duration(abs(fastest.change_s))} in {fastest.span_s:.3g} s. A straight line describes all of it to "
        f"within {format_duration(furthest.departure_s)}."
    )


def frequency_sentence(sources: Sequence[FrequencySummary]) -> str:
    """What the worst and the best calibration would lose a second."""
    measured = [one for one in sources if one.duration_s is not None]
    if not measured:
        return "Nothing was calibrated."
    texts = [f"{format_duration(abs(one.worst))} with {source_name(one)}" for one in measured]
    return f"Lost in a second, at worst: {', '.join(texts)}."
