"""When a persistent collective has paid for its making: both forms in the same launches."""

from collections.abc import Sequence
from dataclasses import replace

from ictus.comparison.warnings import campaign_warnings
from ictus.engine.measurement import plan_words
from ictus.model.errors import OptionError, UsageError
from ictus.model.launch_factor import CLOCKS_AND_SETTINGS
from ictus.model.narrower_options import NREP, ONE_CLOCK, ONE_CLOCKSYNC, ONE_SETTING
from ictus.model.plan_options import BY_KEY
from ictus.model.spec import split_list
from ictus.render.page import Section, paragraphs
from ictus.render.table import records
from ictus.store.campaign import Campaign
from ictus.studies.campaign_material import CampaignMaterial, CampaignSetup
from ictus.studies.material import StudyAnswer
from ictus.studies.persistent.analysis import PersistentRow, persistent_rows
from ictus.studies.persistent.figures import SERIES, persistent_panels
from ictus.studies.persistent.forms import both_forms
from ictus.studies.persistent.tables import COLUMNS, persistent_table, sentences
from ictus.studies.study import Study

_OPERATIONS = ("allreduce", "bcast")
_COSTS = paragraphs("""
    A persistent collective is made once, by a call such as MPI_Bcast_init, and then started and waited for as often as
    it is needed. Its calls have to be faster than those of the blocking form, or it never pays. Set-up is the time of
    the making on the slowest rank; what a library puts off until the first start is in no number here, because the
    first calls are not measured. Lines are medians over launches, bands their 95 % interval.
""")


def plan(setup: CampaignSetup, **_: object) -> CampaignSetup:
    """A campaign of both forms of each operation. Raises UsageError for one that has no persistent form."""
    target, values = plan_words(setup.plan)
    asked = values.get("op")
    if asked:
        try:
            values["op"] = both_forms(split_list(asked) if isinstance(asked, str) else [*map(str, asked)])
        except UsageError as error:
            raise OptionError(("op", asked, str(error))) from error
    return replace(setup, plan=target or values, defaults={**setup.defaults, "op": both_forms(_OPERATIONS)})


def answer(campaign: Campaign, rows: Sequence[PersistentRow]) -> StudyAnswer:
    """From which call on the persistent form is ahead."""

    def sections() -> list[Section]:
        title, panels = "Making and calls", persistent_panels(rows)
        return [Section("costs", title, _COSTS, legend=SERIES.entries(), panels=panels, tables=tables)]

    tables = (persistent_table(rows),)
    return StudyAnswer(
        sentences=sentences(rows),
        rows=records(rows, COLUMNS),
        tables=tables,
        sections=sections,
        warnings=campaign_warnings(campaign),
    )


STUDY = Study(
    name="persistent",
    about="""
    Each collective in its blocking and its persistent form, in the same launches: what making the request takes, what a
    call of each takes, and the number of calls from which on the persistent form is ahead in sum. FOLDER may be any
    campaign with both forms.
    """,
    title="When a persistent collective has paid for its making",
    schema="ictus.persistent/1",
    material=CampaignMaterial(
        takes=(
            "mpi",
            replace(
                BY_KEY["op"],
                help="Collectives (ictus list operations); each is measured in its blocking and its persistent form.",
                default=",".join(_OPERATIONS),
            ),
            "sizes",
            "n",
            "launches",
            NREP,
            "datatype",
            "operator",
            "root",
            "procsync",
            ONE_CLOCK,
            ONE_CLOCKSYNC,
            "seed",
            "platform",
            "timeout",
            ONE_SETTING,
            "pin",
        ),
        defaults={"sizes": "8,1Ki,32Ki", "launches": 10},
        single=CLOCKS_AND_SETTINGS,
        prefix="persistent",
        page="persistent.html",
        plan=plan,
    ),
    analyse=persistent_rows,
    answer=answer,
)
