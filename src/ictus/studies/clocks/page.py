"""Pages of clock studies: one self-contained HTML file each. The same clocks.json gives the same bytes."""

from collections.abc import Sequence

from ictus.comparison.case_titles import processes
from ictus.model.quantity import format_duration
from ictus.render.page import Fact, FactGroup, Page, Section, day, paragraphs, render_page
from ictus.studies.clocks.record import Study, StudySetting
from ictus.studies.clocks.setting import clock_label, remarks, setting_text, warnings_of, where_text

SETTING = paragraphs("The conditions of the measurement: where they differ, results may differ.")

WARNINGS = paragraphs("What should be known before a number below is believed.")


def page_of(study: Study, title: str, lead: str, sections: Sequence[Section | None], again: str) -> str:
    """The page as HTML; sections that are None or show nothing are left out."""
    settings = study.settings
    truths = [launch.truth for launch in study.accuracy]
    notes = (*remarks(settings, truths), *warnings_of(study))
    warnings = Section("warnings", "Warnings", WARNINGS, items=notes) if notes else None
    known = [one for one in (warnings, *sections, setting_section(settings)) if one is not None]
    where = "simulated" if settings[0].simulated else settings[0].hosts[0]
    return render_page(
        Page(
            title=title,
            where=f"{day(study.document.began)} · {where}",
            reproduce_command=again,
            ictus=study.document.ictus,
            lead=lead,
            pairs=(),
            facts=tuple(_facts(study)),
            sections=tuple(one for one in known if one.items or one.tables or one.panels or one.groups),
        )
    )


def _facts(study: Study) -> list[Fact]:
    settings = [one.setting for one in study.frequency] or study.settings
    facts = [Fact("ran on", setting_text(settings))]
    if study.accuracy:
        truth = "computed" if all(one.truth == "known" for one in study.accuracy) else "ping-pong"
        facts.append(Fact("errors", truth))
        barriers = [one.barrier_s for one in study.accuracy if one.barrier_s is not None]
        if barriers and not study.frequency:
            facts.append(Fact("mean MPI_Barrier", ", ".join(map(format_duration, barriers))))
    return [*facts, Fact("seed", ", ".join(dict.fromkeys(str(one.seed) for one in settings)))]


def setting_section(settings: Sequence[StudySetting]) -> Section:
    """Under what the launches of a study were measured."""
    groups = []
    for one in dict.fromkeys(settings):
        rows = (
            Fact("processes", f"{one.n_ranks} on {where_text((one,))}"),
            Fact("hosts", ", ".join(dict.fromkeys(one.hosts))),
            Fact("time and network", "simulated" if one.simulated else "real"),
            Fact("clock", one.clock),
            Fact("frequency", one.frequency_source),
            Fact("library", " ".join(filter(None, (one.label, one.library)))),
            Fact("seed", str(one.seed)),
        )
        groups.append(FactGroup(f"{processes(one.n_ranks)}, {clock_label(one.clock)}", rows))
    return Section("setting", "Setting", SETTING, groups=tuple(groups))
