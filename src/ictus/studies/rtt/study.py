"""Round trips: one launch, in which the pairs of ranks exchange messages one after another."""

from collections.abc import Sequence
from pathlib import Path

from ictus.engine.event import Observer
from ictus.engine.folder import check_free
from ictus.engine.study import StudyLaunch, prepare_study, run_study
from ictus.engine.study_options import StudyOptions
from ictus.model.errors import OptionError
from ictus.studies.core_defaults import ROUND_TRIPS
from ictus.studies.keeping import document_of, read_kept
from ictus.studies.rtt.record import NAME, STUDY, RoundTripDocument, RoundTripStudy, study_of


def measure(
    common: StudyOptions,
    observer: Observer,
    *,
    ranks: Sequence[int] = (),
    exchanges: int = ROUND_TRIPS.count("exchanges"),
) -> RoundTripStudy:
    """Exchange `exchanges` messages between each pair of `ranks`; without any, between the lowest ranks of all hosts,
    and on one host between all.

    Raises UsageError, MeasurementError.
    """
    (n_ranks,) = common.processes
    wrong = [rank for rank in ranks if not 0 <= rank < n_ranks]
    if wrong:
        raise OptionError(("of", wrong[0], f"ranks are 0 to {n_ranks - 1}"))
    if len(set(ranks)) == 1:
        raise OptionError(("of", ranks[0], "a pair takes two ranks; name more, or leave the option out for all"))
    check_free(common.output, NAME)
    backend = prepare_study(common, observer)
    words = {
        "clock": backend.clock,
        "of": ",".join(map(str, ranks)) or "auto",
        "exchanges": str(exchanges),
    }
    launch = StudyLaunch(backend, ("clocks", "rtt"), n_ranks, words, f"rtt: {exchanges} exchanges of each pair")
    answers = run_study([launch], observer)
    return study_of(document_of(RoundTripDocument, STUDY, answers, {"on": common.platform}))


def kept_rtt(folder: Path) -> RoundTripStudy:
    """The study in a folder, or in the file itself. Raises UsageError where there is none."""
    return study_of(read_kept(RoundTripDocument, folder))
