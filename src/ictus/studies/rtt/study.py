"""Round trips: launches in which the pairs of ranks exchange messages one after another."""

from collections.abc import Mapping, Sequence
from typing import Any

from ictus.engine.study_options import StudyOptions, platform_of
from ictus.model.errors import OptionError, UsageError
from ictus.model.input_file import DOCUMENT_BYTES
from ictus.model.quantity import is_whole
from ictus.render.page import Fact, Section, paragraphs
from ictus.studies.clocks.options import LAUNCHES
from ictus.studies.core_material import CoreMaterial
from ictus.studies.core_options import core_option
from ictus.studies.material import StudyAnswer
from ictus.studies.rtt.analysis import PairSummary, summarise
from ictus.studies.rtt.claims import CLAIMS
from ictus.studies.rtt.figures import offset_panels, trip_panels
from ictus.studies.rtt.record import RoundTripDocument, RoundTripStudy
from ictus.studies.rtt.tables import quality_table, round_trip_table, rtt_sentence, shown
from ictus.studies.study import Study

_TRIPS = paragraphs("""
    How long a message and its answer take, without the time that the answering rank spends between. Lines mark the
    median and the 99 % quantile. Most delays are close to the smallest one, and a few are much longer: the skewness of
    exponential delays is 2.
""")
_OFFSETS = paragraphs("""
    Each exchange shows an offset of the two clocks that is wrong by half its round trip at most; the quickest one is
    taken. The figure shows what the first N exchanges prove of it, against the time that they take.
""")


def ranks_of(text: str | None) -> tuple[int, ...]:
    """Numbers of ranks, none for all. Raises UsageError that names the option."""
    words = [] if text is None else [word.strip() for word in text.split(",")]
    wrong = [word for word in words if not is_whole(word)]
    if wrong:
        raise UsageError(f"--of '{text}': '{wrong[0]}' is not a rank; expected numbers from 0 on, as in 0,1,4")
    return tuple(map(int, words))


_EXCHANGE_BYTES = 64
"""Of an exchange in rtt.json, at most: three times with all their digits."""


def check(common: StudyOptions, *, of: str | None, exchanges: int, launches: int, **_: object) -> None:
    """UsageError for ranks that are no pair, or are not there, and for more than one document holds. On real hosts
    nobody knows yet how many pairs there are.
    """
    ranks, (n_ranks,) = ranks_of(of), common.processes
    wrong = [rank for rank in ranks if rank >= n_ranks]
    if wrong:
        raise OptionError(("of", wrong[0], f"ranks are 0 to {n_ranks - 1}"))
    if len(set(ranks)) == 1:
        raise OptionError(("of", ranks[0], "a pair takes two ranks; name more, or leave the option out for all"))
    n_of = len(set(ranks)) or (n_ranks if platform_of(common.platform) else 2)
    most = DOCUMENT_BYTES // (_EXCHANGE_BYTES * launches * (n_of * (n_of - 1) // 2))
    if exchanges > most:
        raise OptionError(
            (
                "exchanges",
                exchanges,
                f"for all pairs of {n_of} ranks at most {most:,} can be kept; --of names fewer ranks",
            )
        )


def analyse(study: RoundTripStudy) -> list[PairSummary]:
    """A row a pair."""
    return [summarise(launches) for launches in study.pairs]


def answer(study: RoundTripStudy, pairs: Sequence[PairSummary]) -> StudyAnswer:
    """How long messages take, and how many exchanges an offset needs."""

    def sections() -> list[Section]:
        qualities = tuple(quality_table(summary) for summary in shown(pairs))
        trips = Section(
            "trips", "Round trips", _TRIPS, tables=(round_trip_table(pairs),), panels=trip_panels(study, pairs)
        )
        about = "Offsets against exchanges"
        return [trips, Section("offsets", about, _OFFSETS, tables=qualities, panels=offset_panels(pairs))]

    flat: list[Mapping[str, Any]] = [{k: v for k, v in vars(pair).items() if k != "quality"} for pair in pairs]
    return StudyAnswer(
        sentences=[rtt_sentence(pairs)],
        rows=[
            {**vars(pair_summary), "quality": [vars(each) for each in pair_summary.quality]} for pair_summary in pairs
        ],
        csv_rows=flat,
        tables=(round_trip_table(pairs), quality_table(shown(pairs)[-1])),
        sections=sections,
        facts=(Fact("pairs", str(len(pairs))),),
    )


STUDY = Study(
    name="rtt",
    about="""
    How long they are, how skewed, and what offset the first ones give.
    """,
    title="How long round trips take",
    schema="ictus.clocks.rtt/1",
    material=CoreMaterial(
        document=RoundTripDocument,
        study="rtt",
        core="clocks rtt",
        record_of=RoundTripStudy,
        without=("clock-domain", "seed"),
        least_processes=2,
        check=check,
    ),
    options=(
        core_option(
            "clocks rtt",
            "of",
            metavar="RANK,...",
            help="Ranks whose pairs are measured.",
            default="the lowest rank of each host; on one host all",
            default_text=None,
        ),
        core_option("clocks rtt", "exchanges"),
        LAUNCHES,
    ),
    claims=CLAIMS,
    analyse=analyse,
    answer=answer,
)
