"""What making communicators costs: several launches for each library and number of processes, in random order."""

from collections.abc import Sequence
from dataclasses import replace

from ictus.engine.study_options import StudyOptions
from ictus.model.errors import OptionError
from ictus.model.narrower_options import NREP
from ictus.model.plan_options import BY_KEY
from ictus.render.page import Fact, Section, paragraphs
from ictus.render.table import records
from ictus.studies.communicators.analysis import CreationSummary, summarise
from ictus.studies.communicators.figures import group_panels, legend_of, process_panels
from ictus.studies.communicators.record import CommunicatorsDocument
from ictus.studies.communicators.tables import COLUMNS, creation_sentences, creation_table, warnings_of
from ictus.studies.core_material import CoreMaterial
from ictus.studies.core_options import core_option
from ictus.studies.material import StudyAnswer
from ictus.studies.study import Study

_CORE = "communicators creation"

_CREATION = paragraphs("""
    All ranks begin the call together, and it lasts from the first begin to the last end. Ranks are divided into groups
    of neighbours; each group becomes a communicator. MPI_Comm_create_group needs the ranks of a group only,
    all other calls need all ranks of the parent. MPI_Comm_dup makes one group, MPI_Comm_split_type one for each host.
    Communicators are freed between the calls, out of the time that is shown.

    A point is the median over launches of each launch's median; small dots are the limits of its 95 % interval.
""")
_PROCESSES = paragraphs("""
    The same with the most groups that were measured, over the number of processes.
""")


def check(common: StudyOptions, *, groups: Sequence[int] | None, **_: object) -> None:
    """UsageError for more groups than processes."""
    least = min(common.processes)
    if groups is not None and max(groups) > least:
        raise OptionError(("groups", max(groups), f"of {least} processes there are at most {least} groups"))


def analyse(study: CommunicatorsDocument) -> Sequence[CreationSummary]:
    """A row for each library, number of processes, call and number of groups."""
    return summarise(study.launches)


def answer(study: CommunicatorsDocument, rows: Sequence[CreationSummary]) -> StudyAnswer:
    """Which call costs what."""
    table = creation_table(rows)

    def sections() -> list[Section]:
        legend = legend_of(rows)
        entries = legend.entries()
        by_groups, by_processes = group_panels(rows, legend), process_panels(rows, legend)
        return [
            Section("creation", "Cost of a call", _CREATION, tables=(table,), panels=by_groups, legend=entries),
            Section("processes", "Over processes", _PROCESSES, panels=by_processes, legend=entries),
        ]

    return StudyAnswer(
        sentences=creation_sentences(rows),
        rows=records(rows, COLUMNS),
        tables=(table,),
        sections=sections,
        warnings=warnings_of(study, rows),
        facts=(
            Fact("launches", str(len(study.launches))),
            Fact("begun by", ", ".join(dict.fromkeys(launch.procsync for launch in study.launches))),
        ),
    )


STUDY = Study(
    name="communicators",
    about="""
    It also compares MPI_Comm_split with other calls that make communicators, over the number of groups into which ranks
    are divided, and over the number of processes.
    """,
    title="What making communicators costs",
    schema="ictus.communicators/1",
    material=CoreMaterial[CommunicatorsDocument](
        document=CommunicatorsDocument,
        study="communicators",
        core=_CORE,
        several_libraries=True,
        unsimulated="the simulator, and not a library, makes the communicators of simulated ranks",
        check=check,
    ),
    options=(
        core_option(_CORE, "calls", help="Calls that make communicators."),
        core_option(
            _CORE,
            "groups",
            help="Numbers of groups into which the ranks are divided.",
            default="1, 2, 4 and so on, and one for each rank",
            default_text=None,
        ),
        core_option(_CORE, "procsync", help="How ranks begin each call together (ictus list procsync)."),
        core_option(_CORE, "clocksync", help="How the clocks are synchronised (ictus list clocksync)."),
        replace(
            NREP,
            help="Valid repetitions of each call in a launch.",
            default_text=core_option(_CORE, "nrep").default_text,
        ),
        replace(BY_KEY["launches"], help="Launches of each library with each -n.", default_text="6"),
    ),
    analyse=analyse,
    answer=answer,
)
