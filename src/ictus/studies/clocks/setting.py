"""The conditions of a study of the native core, in words, and the lines that such a study prints on the terminal."""

from collections.abc import Sequence
from dataclasses import replace

from ictus.comparison.case_titles import processes
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.render.page import Fact, FactGroup, Section, paragraphs
from ictus.studies.clocks.document import StudySetting
from ictus.studies.clocks.label import seconds
from ictus.studies.clocks.record import ClocksStudy

_SETTING = paragraphs("The conditions of the measurement: where they differ, results may differ.")


def clock_label(clock: str) -> str:
    """The clock's spec without what only repeats a default."""
    try:
        return str(Registries.load().brief("clock", clock))
    except UsageError:
        return clock


def where_text(settings: Sequence[StudySetting]) -> str:
    """`2 hosts`, `1 simulated host`; `2 nodes of 1 host` where the batch system makes several nodes of one."""
    largest = max(settings, key=lambda study_setting: (study_setting.n_nodes, study_setting.n_hosts))
    simulated = "simulated " if any(setting.simulated for setting in settings) else ""
    hosts = f"{largest.n_hosts} {simulated}host{'' if largest.n_hosts == 1 else 's'}"
    return hosts if largest.n_nodes == largest.n_hosts else f"{largest.n_nodes} nodes of {hosts}"


def setting_text(settings: Sequence[StudySetting]) -> str:
    """`4 processes on 2 hosts, clock skewed, mpich`: all launches of a study in one line."""
    numbers = sorted({setting.n_ranks for setting in settings})
    clocks = ", ".join(dict.fromkeys(clock_label(setting.clock) for setting in settings))
    labels = ", ".join(dict.fromkeys(setting.label for setting in settings if setting.label))
    ranks = f"{', '.join(map(str, numbers))} process{'' if numbers == [1] else 'es'}"
    return f"{ranks} on {where_text(settings)}, clock {clocks}{f', {labels}' if labels else ''}"


def warnings_of(study: ClocksStudy) -> tuple[str, ...]:
    """Warnings of the core, disturbances by others, and late checks, each once."""
    warnings = [text for setting in study.settings for text in setting.warnings]
    shares = [
        study_setting.disturbed_share for study_setting in study.settings if study_setting.disturbed_share is not None
    ]
    if shares:
        warnings.append(
            f"other processes used the ranks' cores for {100 * max(shares):.3g} % of the time of a launch: its errors "
            f"and times may come from them"
        )
    steps = [step for run in study.runs for step in run.steps]
    late = [step for step in steps if step.late]
    if late:
        worst = max(late, key=lambda step: step.waited_s - step.wait_s)
        warnings.append(
            f"{len(late)} of {len(steps)} checks were late, because the work before them took longer: the check after "
            f"{seconds(worst.wait_s)} was made after {worst.waited_s:.3g} s"
        )
    return tuple(dict.fromkeys(warnings))


def remarks(settings: Sequence[StudySetting], truths: Sequence[str]) -> tuple[str, ...]:
    """Remarks for reading the errors: how they were judged, and whether the clocks could differ at all."""
    sentences = []
    if "ping-pong" in truths:
        sentences.append(
            "Errors are estimated by a ping-pong. A ping-pong cannot see half of the difference between the two "
            "directions."
        )
    bare = [setting for setting in settings if setting.n_hosts == 1 and not setting.clock.startswith("skewed")]
    if bare and not any(setting.simulated for setting in settings):
        sentences.append(
            "All ranks of one host read one counter, which cannot drift: this is what an algorithm adds. "
            "--clock 'skewed(drift=20ppm)' gives each rank a clock of its own with a known truth."
        )
    return tuple(sentences)


def setting_section(settings: Sequence[StudySetting]) -> Section:
    """Under what the launches of a study were measured; those that differ in their seeds alone are one group."""
    alike = dict[FactGroup, list[int]]()
    for setting in dict.fromkeys(settings):
        rows = (
            Fact("processes", f"{setting.n_ranks} on {where_text((setting,))}"),
            Fact("hosts", ", ".join(dict.fromkeys(setting.hosts))),
            Fact("time and network", "simulated" if setting.simulated else "real"),
            Fact("clock", setting.clock),
            Fact("frequency", setting.frequency_source),
            Fact("library", " ".join(filter(None, (setting.label, setting.library)))),
        )
        group = FactGroup(f"{processes(setting.n_ranks)}, {clock_label(setting.clock)}", rows)
        alike.setdefault(group, []).append(setting.seed)
    groups = tuple(
        replace(group, rows=(*group.rows, Fact("seed", ", ".join(map(str, dict.fromkeys(seeds))))))
        for group, seeds in alike.items()
    )
    return Section("setting", "Setting", _SETTING, groups=groups)
