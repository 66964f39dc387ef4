"""The page of a history: one self-contained HTML file. The same campaigns give the same bytes."""

from collections.abc import Sequence

from ictus.comparison.history_store import MACHINE
from ictus.histories.analysis import History
from ictus.histories.figures import history_panels
from ictus.histories.tables import change_rows, change_table, distinguishing, headline, last_table, promise
from ictus.render.page import WARNINGS, Fact, Page, Section, paragraphs, render_page

CHANGES = paragraphs("""
    From the date on, the campaigns of a case lie at another level: a rank-sum test finds too large a difference between
    before and after for chance. How large it must be follows from the false alarms that are permitted in a year, over
    all cases and campaigns. The adjusted p is at most that rate.

    Beside it stands what the campaigns recorded and what differs from the campaign before. A change on the same day
    need not be the cause. If nothing is listed, look at what Ictus does not record.

    The intervals hold for a change at this place. Because the place was searched for, they are a little too narrow.
""")

LAST = paragraphs("""
    No change of level can be shown from a single campaign. So the last one is compared with the scatter of the
    campaigns of the level before it: Student's t for one further value, adjusted over all cases and the campaigns of a
    year.
""")

FIGURES = paragraphs("""
    A point is the median of one campaign's launches, a line the median of a level, a dashed line a change. Cases that
    changed most come first.
""")

MOST_DRAWN = 60
"""Figures of a page: more would make it heavy."""


def history_page(history: History, warnings: Sequence[str], again: str, ictus: str) -> str:
    """The page as HTML; `again` is the command that makes it once more."""
    histories = history.cases
    others = distinguishing([case_history.case for case_history in histories])
    rows = change_rows(histories)
    days = {day.created: day.campaign for case_history in histories for day in case_history.days}
    campaigns = {(case_history.case[MACHINE], day.created) for case_history in histories for day in case_history.days}
    panels = history_panels(histories, others)
    sections = [
        Section("warnings", "Warnings", WARNINGS, items=tuple(warnings)),
        Section("changes", "Changes of level", CHANGES, tables=(change_table(rows, others),) if rows else ()),
        Section("last", "The last campaign", LAST, tables=(last_table(histories),) if histories else ()),
        Section("figures", "Case by case", FIGURES, panels=panels[:MOST_DRAWN], note=_drawn(len(panels))),
    ]
    first, last = (min(days), max(days)) if days else ("", "")
    facts = (
        Fact("machine" if len(history.machines) == 1 else "machines", "; ".join(history.machines) or "none"),
        Fact("campaigns", str(len(campaigns))),
        Fact("first", f"{first[:10]}, {days.get(first, 'none')}"),
        Fact("last", f"{last[:10]}, {days.get(last, 'none')}"),
        Fact("false alarms", promise(history.false_alarms).partition(": ")[2].rstrip(".") if histories else "none"),
    )
    return render_page(
        Page(
            title="The campaigns of a machine over time",
            where=f"{first[:10]} to {last[:10]} (UTC)",
            reproduce_command=again,
            ictus=ictus,
            question="Asked: did the speed of this machine change, when, and what changed with it?",
            lead=headline(history),
            facts=facts,
            sections=tuple(section for section in sections if section.items or section.tables or section.panels),
        )
    )


def _drawn(panels: int) -> str:
    return f"{MOST_DRAWN} of {panels} cases are drawn, those that changed most." if panels > MOST_DRAWN else ""
