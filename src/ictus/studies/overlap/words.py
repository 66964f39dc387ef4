"""What the study of overlap found, in sentences."""

from collections.abc import Sequence

from ictus.model.quantity import format_size
from ictus.studies.clocks.labels import processes
from ictus.studies.overlap.analysis import RunSummary
from ictus.studies.overlap.progress import Progress, Verdict, progress_of
from ictus.studies.overlap.rows import helper_text, share_text

SAID: dict[Verdict, str] = {
    "by itself": "hides half and more without a test: it makes progress by itself",
    "only with tests": "hides half and more, but only with tests",
    "less than half": "hides less than half, with or without tests",
    "less than half without tests": "hides less than half without tests, and was not measured with tests",
    "less than half with tests": "hides less than half with tests, and was not measured without",
    "undecided": "undecided whether it hides half",
}


def progress_sentences(summaries: Sequence[RunSummary]) -> list[str]:
    """One sentence for each library, number of processes, operation and compute kind: the verdict by size, and what was
    best at the largest one.
    """
    found = progress_of(summaries)
    sentences = []
    for place in dict.fromkeys((one.library, one.n, one.operation, one.compute) for one in found):
        own = [one for one in found if (one.library, one.n, one.operation, one.compute) == place]
        sentences.append(_sentence(own))
    return sentences


def _sentence(own: Sequence[Progress]) -> str:
    first, last = own[0], max(own, key=lambda one: one.size_bytes)
    verdicts = dict.fromkeys(one.verdict for one in own)
    said = "; ".join(
        SAID[verdict] + (f" at {_sizes(own, verdict)}" if len(verdicts) > 1 else "") for verdict in verdicts
    )
    where = f"{first.operation}, {first.library}, {processes(first.n)}, compute {first.compute}"
    best = f"least overhead at {format_size(last.size_bytes)}: {best_text(last)}"
    return f"{where}: {said}{_by_medians(own)}; {best}{alike_text(last)}."


def best_text(one: Progress) -> str:
    """`test every 4 KiB, overlap 21 % (10 … 25 %)`; without its interval where there is none."""
    found = one.best.overlap
    within = "" if found.low is None or found.high is None else f" ({share_range(found.low, found.high)})"
    return f"{helper_text(one.best)}, overlap {share_text(found.median)}{within}"


def share_range(low: float, high: float) -> str:
    """`61 … 80 %`."""
    return f"{100 * low:.0f} … {100 * high:.0f} %"


def alike_text(one: Progress) -> str:
    """What is not told apart from the best; nothing where medians alone decided, for then nothing is."""
    if not one.alike or not one.has_interval:
        return ""
    return f", not told apart from {', '.join(helper_text(other) for other in one.alike)}"


def _by_medians(own: Sequence[Progress]) -> str:
    """That there is no interval, where so few launches have none."""
    few = [one.launches for one in own if not one.has_interval]
    return f", by medians of {min(few)} launch{'' if min(few) == 1 else 'es'} only" if few else ""


def _sizes(own: Sequence[Progress], verdict: str) -> str:
    return ", ".join(format_size(one.size_bytes) for one in own if one.verdict == verdict)
