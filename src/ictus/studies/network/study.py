"""The launches of `ictus network`: all alike, one after the other."""

from collections.abc import Sequence
from pathlib import Path

from ictus.engine.event import Observer
from ictus.engine.folder import check_free
from ictus.engine.study import StudyLaunch, prepare_study, run_study
from ictus.engine.study_options import StudyOptions
from ictus.model.errors import OptionError
from ictus.studies.core_defaults import NETWORK
from ictus.studies.keeping import document_of, read_kept
from ictus.studies.network.record import NAME, STUDY, NetworkDocument, NetworkStudy, study_of

"""Bytes. Small ones stand close, for a library's eager protocol often ends at a few KiB."""


def measure(
    common: StudyOptions,
    observer: Observer,
    *,
    launches: int = 5,
    sizes_bytes: Sequence[int] = NETWORK.sizes("sizes"),
    train: int = NETWORK.count("train"),
    repeats: int = NETWORK.count("repeats"),
    links: int = NETWORK.count("links"),
    matchings: int = NETWORK.count("matchings"),
    stream_bytes: int = NETWORK.size("stream-size"),
    quantum_s: float = NETWORK.seconds("quantum"),
    quanta: int = NETWORK.count("quanta"),
) -> NetworkStudy:
    """Measure links, matchings and noise in `launches` launches.

    A link is measured by `repeats` trains of `train` messages of each of `sizes_bytes`; at most `links` inside hosts
    and as many between hosts. In each of `matchings` random matchings, streams of messages of `stream_bytes` run at
    once. Each rank does a piece of work of `quantum_s` `quanta` times.

    Raises UsageError, MeasurementError.
    """
    (n_ranks,) = common.processes
    sizes = sorted(set(sizes_bytes))
    if min(sizes) < 1:
        raise OptionError(("sizes", sizes[0], "a message of a train has 1 byte or more"))
    check_free(common.output, NAME)
    backend = prepare_study(common, observer)
    words = {
        "clock": backend.clock,
        "sizes": ",".join(map(str, sizes)),
        "train": str(train),
        "repeats": str(repeats),
        "links": str(links),
        "matchings": str(matchings),
        "stream-size": str(stream_bytes),
        "quantum": f"{quantum_s:.9g}s",
        "quanta": str(quanta),
    }
    planned = [
        StudyLaunch(
            backend,
            ("network", "state"),
            n_ranks,
            {**words, "seed": str(common.seed + number)},
            f"network: launch {number + 1} of {launches}",
        )
        for number in range(launches)
    ]
    answers = run_study(planned, observer)
    return study_of(document_of(NetworkDocument, STUDY, answers, {"on": common.platform}))


def kept_network(folder: Path) -> NetworkStudy:
    """The study in a folder, or in the file itself. Raises UsageError where there is none."""
    return study_of(read_kept(NetworkDocument, folder))
