"""What the study of overlap found, in sentences."""

from collections.abc import Sequence

from ictus.model.quantity import format_size
from ictus.overlap.progress import Progress, progress_of
from ictus.overlap.summary import RunSummary
from ictus.report.overlap_rows import helper_text, share_text

_SAID = {
    "yes": "makes progress by itself",
    "only with tests": "makes progress only with tests",
    "no": "makes no progress, with or without tests",
    "undecided": "undecided whether it makes progress by itself",
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
        _SAID[verdict] + (f" at {_sizes(own, verdict)}" if len(verdicts) > 1 else "") for verdict in verdicts
    )
    best = f"least overhead at {format_size(last.size_bytes)}: {helper_text(last.best)}"
    hidden = share_text(last.best.overlap.median)
    where = f"{first.operation}, {first.library}, {first.n} processes, compute {first.compute}"
    return f"{where}: {said}; {best}, overlap {hidden}."


def _sizes(own: Sequence[Progress], verdict: str) -> str:
    return ", ".join(format_size(one.size_bytes) for one in own if one.verdict == verdict)
