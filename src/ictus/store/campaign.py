"""A campaign folder, loaded: its plan, its complete launches, their summaries and samples.

Summaries are read at once, samples on demand. A launch that is damaged is an error; it is left out only when told to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from ictus.model.algorithm import DEFAULT, choices, variant_name
from ictus.model.case import case_table
from ictus.model.design import Slot
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.imported import ImportRecord
from ictus.model.launch_factor import setting_name, settings_of
from ictus.model.library import Library
from ictus.model.looks import Looks
from ictus.model.plan import Plan
from ictus.model.plan_parts import PLANNED, SHARED
from ictus.model.reduction import FIELDS, USUAL, Reduction
from ictus.model.start import StartRecord
from ictus.store.columns import cases_frame, reduced
from ictus.store.journal import CampaignState, GoalProgress, campaign_state, goal_progress, read_journal
from ictus.store.launch import Launch, LaunchLoader, LoadedLaunch, check_reduction
from ictus.store.manifest import CampaignManifest, continue_command, read_manifest
from ictus.store.page_faults import HeapEffects, heap_effects
from ictus.store.source import SampleSource
from ictus.store.threads import in_threads

JOURNAL = "journal.jsonl"


@dataclass(frozen=True, repr=False)
class Campaign:
    """A campaign folder at the time of `load`."""

    folder: Path
    ictus: str
    """Version of Ictus that created the campaign."""
    created: str
    plan: Plan
    seed: int
    libraries: tuple[Library, ...]
    notes: tuple[str, ...]
    machine: Mapping[str, Any]
    slots: tuple[Slot, ...]
    """The whole schedule, with the launches that are not measured yet."""
    launches: tuple[Launch, ...]
    cases: pl.DataFrame
    """One row per case, one column per factor; and `cache_bytes`, the size of the cold cache, null without one."""
    summaries: pl.DataFrame
    """One row per launch and case, as in summary.parquet, with what `reduced` adds; `value` is the one number of the
    launch by the reduction. Times in seconds, null without a valid sample.
    """
    warnings: tuple[str, ...]
    sources: tuple[SampleSource, ...] = field(repr=False)
    """Where the samples of `launches` come from."""
    goal_progress: GoalProgress | None = None
    """Progress towards the precision goal; None for a plan without a goal."""
    heap: HeapEffects | None = None
    """What the heap changes in each case; None where page faults were not counted."""
    looks: Looks | None = None
    """The looks that error is reserved for; None where the number of launches is fixed."""
    reduction: Reduction = USUAL
    """How samples became `value`."""
    imported: ImportRecord | None = None
    """What the numbers are of a campaign that another suite measured; None where Ictus did."""
    start: StartRecord | None = None
    """How launches were started when the campaign began; None where that is not known."""
    lost: Mapping[int, str] = field(default_factory=dict, repr=False)
    """Why no launch of a slot counts, where that is known: it failed, was damaged and left out, or disturbed."""
    repeated: Mapping[int, int] = field(default_factory=dict, repr=False)
    """By slot with a launch that counts: how many disturbed tries were set aside before it."""

    def __repr__(self) -> str:
        libraries = ", ".join(self.labels)
        return f"<Campaign '{self.folder}': {libraries}; {len(self.cases)} cases, {len(self.launches)} launches>"

    @property
    def samples(self) -> pl.LazyFrame:
        """All samples of `launches`, factors as plain text, read when collected."""
        frames = in_threads(SampleSource.lazy, self.sources)
        named = pl.col("mpi", "algorithm", "operation", "procsync")
        return pl.concat([frame.with_columns(named.cast(pl.String)) for frame in frames])

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """The metrics of which any sample has a number, in the order of `FIELDS`."""
        has_values = self.samples.select(pl.col(field).is_finite().any().alias(name) for name, field in FIELDS.items())
        row = has_values.collect().row(0, named=True)
        return tuple(name for name in FIELDS if row[name])

    @property
    def summary(self) -> str:
        """What each launch's number is over its calls: that of the reduction, or the one that an imported file has."""
        printed = None if self.imported is None else self.imported.summary
        return self.reduction.summary if printed is None else printed

    @property
    def in_turn(self) -> bool:
        """Whether its libraries were measured in turn: as Ictus does, or as the user says of logs."""
        return self.imported is None or self.imported.interleaved

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the libraries, in the order of the plan."""
        return tuple(library.label for library in self.libraries)

    @property
    def variants(self) -> tuple[str, ...]:
        """Names of the libraries' variants that were measured: `default` first, the others in the order of the plan."""
        measured = {launch.algorithm for launch in self.launches}
        return tuple(name for name in dict.fromkeys((*self.planned_variants, *sorted(measured))) if name in measured)

    @property
    def planned_variants(self) -> Mapping[str, tuple[str, Mapping[str, str]]]:
        """By the name of each variant of the plan: its forced algorithms and its setting, in the order of the plan."""
        forced = [variant_name(choice) for label in self.labels for choice in choices(self.plan.algorithms, label)]
        return {
            setting_name(algorithm, setting): (algorithm, setting)
            for algorithm in dict.fromkeys((DEFAULT, *forced))
            for setting in self.settings
        }

    @property
    def settings(self) -> tuple[Mapping[str, str], ...]:
        """The settings that the plan crosses (model/launch_factor.py); a single empty one where it crosses none."""
        return settings_of(self.plan)

    def variants_without(self, *factors: str) -> dict[str, str]:
        """The name of each variant without these factors of its setting."""
        return {
            name: setting_name(algorithm, {key: value for key, value in setting.items() if key not in factors})
            for name, (algorithm, setting) in self.planned_variants.items()
        }

    @property
    def unchecked(self) -> int:
        """Number of launches without checksums: Ictus cannot detect that their files changed."""
        return sum(not launch.checksums for launch in self.launches)

    @property
    def complete(self) -> bool:
        """Whether every slot of the schedule has its launch."""
        return {launch.slot.slot for launch in self.launches if launch.accepted} == {slot.slot for slot in self.slots}


def load(
    folder: Path | str, *, contended: bool = False, reduction: Reduction = USUAL, leave_out_damaged: bool = False
) -> Campaign:
    """Load a campaign folder with all its accepted launches; with `contended` also the disturbed attempts. `reduction`
    makes one number of each launch and case; most that are not the default require that all samples are read again.
    With `leave_out_damaged` a launch that cannot be read is a warning.

    Launches without Parquet files (from another program) get their summaries now, their samples on demand. Raises
    UsageError for a folder that is not a campaign, has no complete launch, is of an unknown format, or lacks what the
    reduction asks for; MeasurementError that names each launch whose files changed, are missing, or are not of its
    slot.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    state, warnings = _campaign_state(folder, manifest)
    slots = {slot.slot: slot for slot in manifest.slots}
    names = [(slots[number], name, True) for number, name in sorted(state.accepted.items()) if number in slots]
    if contended:
        names += [(slots[number], name, False) for number, tries in state.contended.items() for name in tries]
    names.sort(key=lambda item: (item[0].slot, item[1]))
    loader = LaunchLoader(case_table(manifest.cases), manifest.plan.validation, reduction)

    def loaded(planned_slot: tuple[Slot, str, bool]) -> LoadedLaunch | str:
        slot, name, accepted = planned_slot
        part = loader.load(folder / name, slot, state.checksums_of(name), accepted=accepted)
        hung_in = state.hung.get(name)
        if hung_in is None or isinstance(part, str):
            return part
        return replace(part, launch=replace(part.launch, hung_in=hung_in))

    tried = in_threads(loaded, names)
    damaged = [part for part in tried if isinstance(part, str)]
    parts = [part for part in tried if isinstance(part, LoadedLaunch)]
    again = continue_command(folder, manifest)
    if damaged and not (leave_out_damaged and parts):
        raise _damage(folder, damaged, len(tried), again)
    if not parts:
        raise UsageError(f"'{folder}' has no complete launch yet; `{again}` continues it")
    warnings += [f"left out: {path}" for path in damaged]
    check_reduction(parts, reduction)
    left_out = {slot.slot: f"was left out: {part}" for (slot, _, accepted), part in zip(names, tried, strict=True)
                if accepted and isinstance(part, str)}  # fmt: skip
    campaign = _campaign(folder, manifest, parts, warnings)
    return replace(
        campaign,
        summaries=reduced(campaign.summaries, reduction),
        reduction=reduction,
        lost={**_lost(state), **left_out},
        repeated={slot: len(tries) for slot, tries in state.contended.items() if slot in state.accepted},
    )


def _lost(state: CampaignState) -> dict[int, str]:
    """By slot without an accepted launch: what became of its tries."""
    disturbed = dict.fromkeys(state.contended, "was disturbed by other processes on its cores, and set aside")
    failed = {slot: f"failed: {' '.join(reason.split())}".removesuffix(": ") for slot, reason in state.failed.items()}
    return {slot: text for slot, text in {**disturbed, **failed}.items() if slot not in state.accepted}


def _damage(folder: Path, damaged: Sequence[str], launches: int, again: str) -> MeasurementError:
    if len(damaged) == launches:
        return MeasurementError(f"'{folder}' has no launch that can be read:\n" + "\n".join(damaged))
    return MeasurementError(
        f"{len(damaged)} of {launches} launches of '{folder}' cannot be read:\n" + "\n".join(damaged) + "\n"
        f"`{again}` measures again what is damaged; --leave-out-damaged (leave_out_damaged=True) shows the others"
    )


def _campaign(folder: Path, manifest: CampaignManifest, parts: list[LoadedLaunch], warnings: list[str]) -> Campaign:
    return Campaign(
        folder=folder,
        ictus=manifest.ictus,
        created=manifest.created,
        plan=manifest.plan,
        seed=manifest.seed,
        libraries=manifest.libraries,
        notes=manifest.notes,
        machine=manifest.machine,
        slots=manifest.slots,
        launches=tuple(part.launch for part in parts),
        cases=_cases(manifest, [part.launch for part in parts]),
        summaries=pl.concat([part.summary for part in parts]),
        warnings=tuple(warnings),
        sources=tuple(part.source for part in parts),
        heap=heap_effects(folder),
        goal_progress=None if manifest.plan.goal is None else goal_progress(read_journal(folder / JOURNAL).entries),
        looks=manifest.looks,
        imported=manifest.imported,
        start=manifest.start,
    )


def _cases(manifest: CampaignManifest, launches: Sequence[Launch]) -> pl.DataFrame:
    """With the largest size of the cold cache of all launches.

    With predicted or planned counts, all cases have one repetition: cases are matched across sizes, process
    synchronisations and numbers of processes without it.
    """
    sizes = _cache_sizes(manifest, launches)
    sized = pl.col("cache").replace_strict(sizes, default=None, return_dtype=pl.Int64)
    frame = cases_frame(manifest.cases).with_columns(sized.alias("cache_bytes"))
    if manifest.plan.goal is not None and not manifest.plan.goal.of_verdicts:
        counted = pl.col("repetition").str.starts_with("fixed(")
        return frame.with_columns(
            pl.when(counted).then(pl.lit(PLANNED)).otherwise(pl.col("repetition")).alias("repetition")
        )
    return frame.with_columns(pl.lit(SHARED).alias("repetition")) if manifest.plan.predicted else frame


def _cache_sizes(manifest: CampaignManifest, launches: Sequence[Launch]) -> dict[str, int]:
    """By cache mode."""
    modes, sizes = {case.case_id: str(case.cache) for case in manifest.cases}, dict[str, int]()
    for case in (case for launch in launches for case in launch.record.cases):
        mode = modes.get(case.case_id)
        if mode is not None and case.cache_bytes is not None:
            sizes[mode] = max(case.cache_bytes, sizes.get(mode, 0))
    return sizes


def _campaign_state(folder: Path, manifest: CampaignManifest) -> tuple[CampaignState, list[str]]:
    """Complete launches by the journal; in a folder without one, by the names of the folders."""
    journal = read_journal(folder / JOURNAL)
    if journal.entries:
        return campaign_state(journal.entries), []
    folders = {slot.slot: f"launches/{slot.folder_name}" for slot in manifest.slots}
    accepted = {number: name for number, name in folders.items() if (folder / name).is_dir()}
    if not accepted:
        return CampaignState(), []
    return CampaignState(accepted), [f"there is no {JOURNAL}: all {len(accepted)} launches are taken as accepted"]
