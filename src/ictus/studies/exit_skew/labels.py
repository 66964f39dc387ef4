"""What starts and their studies are called in tables and figures."""

from collections.abc import Sequence

from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.spec import parse_spec
from ictus.studies.exit_skew.analysis import BASELINE, StartSummary
from ictus.studies.exit_skew.record import SkewStudy


def start_label(start: str) -> str:
    """The shortest spec that means the same; which barrier it is, is always said: `barrier(dissemination)`."""
    try:
        return Registries.load().short("procsync", start)
    except UsageError:
        return start


def is_baseline(start: str) -> bool:
    """Whether it is MPI_Barrier."""
    return str(parse_spec(start)) == BASELINE


def baseline_of(one: StartSummary, summaries: Sequence[StartSummary]) -> StartSummary | None:
    """MPI_Barrier with the same library and number of processes."""
    same = (other for other in summaries if (other.library, other.n_ranks) == (one.library, one.n_ranks))
    return next((other for other in same if is_baseline(other.start)), None)


def times_text(times: float) -> str:
    """`3.4`, `1,234`: how many times as far."""
    return f"{times:.3g}" if times < 1000 else f"{times:,.0f}"


def warnings_of(study: SkewStudy, summaries: Sequence[StartSummary]) -> tuple[str, ...]:
    """What the core found disturbing, and starts of which too little is known, each once."""
    said = [text for one in study.settings for text in one.warnings]
    for one in summaries:
        name = f"{start_label(one.start)}, {one.library}, {one.n_ranks} processes"
        if not one.valid:
            said.append(
                f"{name}: no valid repetition of {one.attempted}, {one.late_entry} did not enter together, "
                f"{one.missed} missed their instant"
            )
        elif 2 * one.valid < one.attempted:
            said.append(f"{name}: only {one.valid} of {one.attempted} repetitions are valid")
    return tuple(dict.fromkeys(said))


def remark(summaries: Sequence[StartSummary]) -> str:
    """What must be known to read the numbers."""
    if any(one.true_skew is not None for one in summaries):
        return (
            "True: by the counter that all ranks read. Measured: on the synchronised clocks that the starts too rely "
            "on; it errs by at most twice the clock bound."
        )
    return (
        "Measured on synchronised clocks, which starts that wait for an instant rely on too: of those it shows what "
        "is left beyond the clocks' own error."
    )
