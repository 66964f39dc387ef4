"""More launches for a campaign that was begun with fewer: its schedule is a prefix of the longer one.

The schedule is written first: a crash in between leaves a campaign with more slots than its plan says, which goes on
with all of them, and is extended again to the same.
"""

from dataclasses import replace
from pathlib import Path

from ictus.engine.journal import Journal
from ictus.engine.recovery import check_same
from ictus.engine.schedule import schedule_of
from ictus.model.design import Design
from ictus.store.charter import CAMPAIGN, read_charter, write_launches, write_schedule


def extend(folder: Path, design: Design) -> None:
    """Schedule as many launches as the design has, where the folder's campaign is the same with fewer.

    Raises UsageError where it differs in more than that, or is being run.
    """
    folder = folder.absolute()
    if not (folder / CAMPAIGN).is_file():
        return
    charter = read_charter(folder)
    launches = design.plan.launches
    if launches <= charter.plan.launches:
        return
    fewer = design.plan.model_copy(update={"launches": charter.plan.launches})
    check_same(folder, charter, replace(design, plan=fewer))
    longer = design.begun_as(charter.plan.model_copy(update={"launches": launches}))
    with Journal(folder) as journal:
        write_schedule(folder, longer.seed, schedule_of(longer))
        write_launches(folder, launches)
        journal.append("extended", {"launches": launches})
