"""Times by a rank's own clock and by the global clock: the same calls after several starts."""

from collections.abc import Sequence
from dataclasses import replace

from ictus.comparison.warnings import campaign_warnings
from ictus.model.launch_factor import NAMED
from ictus.model.narrower_options import NREP, ONE_SETTING
from ictus.model.plan_options import BY_KEY
from ictus.render.page import Legend, Section, paragraphs
from ictus.render.table import records
from ictus.store.campaign import Campaign
from ictus.studies.campaign_material import CampaignMaterial
from ictus.studies.local_and_global.analysis import TimesRow, times_rows
from ictus.studies.local_and_global.claims import CLAIMS
from ictus.studies.local_and_global.figures import start_of, times_panels
from ictus.studies.local_and_global.tables import COLUMNS, sentences, times_table
from ictus.studies.material import StudyAnswer
from ictus.studies.study import Study

_TIMES = paragraphs("""
    The same samples reduced in two ways. Local: the longest duration on any rank's own clock, which does not know when
    the others began. Global: from the first start to the last end, the makespan. Where the start leaves ranks apart,
    the one counts that skew and the other does not.
""")


def answer(campaign: Campaign, rows: Sequence[TimesRow]) -> StudyAnswer:
    """Where local and global times differ."""

    def sections() -> list[Section]:
        legend = Legend(tuple(dict.fromkeys(map(start_of, rows))))
        panels = times_panels(rows, legend)
        title = "Local and global times"
        return [Section("times", title, _TIMES, legend=legend.entries(), panels=panels, tables=tables)]

    tables = (times_table(rows),)
    return StudyAnswer(
        sentences=sentences(rows),
        rows=records(rows, COLUMNS),
        tables=tables,
        sections=sections,
        warnings=campaign_warnings(campaign),
    )


STUDY = Study(
    name="local_and_global",
    about="""
    The longest local duration and the makespan. Their ratio, paired within launches, for each operation, size and
    start. FOLDER may be any campaign with synchronised clocks.
    """,
    title="Local against global times",
    schema="ictus.procsync.times/1",
    material=CampaignMaterial(
        takes=(
            "mpi",
            "op",
            "sizes",
            "n",
            "launches",
            NREP,
            replace(BY_KEY["procsync"], help="Process synchronisations (ictus list procsync)."),
            "clock",
            "clocksync",
            "seed",
            "platform",
            "timeout",
            ONE_SETTING,
            "pin",
        ),
        defaults={
            "op": "allreduce",
            "sizes": "8,1Ki,32Ki",
            "procsync": ["barrier(library)", "barrier(dissemination)", "window", "harmonize"],
            "launches": 10,
        },
        single=NAMED,
        prefix="times",
        page="times.html",
    ),
    claims=CLAIMS,
    analyse=times_rows,
    answer=answer,
)
