"""The launch medians of a check by cell: of its campaign, and of the one with freed memory returned beside it."""

from dataclasses import replace

from ictus.comparison.modes import machine_modes
from ictus.guidelines.measured import (
    ONE_MODE,
    GuidelineMedians,
    LaunchMedian,
    LaunchModes,
    MeasuredReroute,
    gather_medians,
    rerouted,
)
from ictus.guidelines.verdict import Configuration
from ictus.model.case import Case
from ictus.model.heap import HEAP, RETURNED
from ictus.model.launch_factor import setting_name, without_heap
from ictus.model.registries import Registries
from ictus.store.campaign import Campaign
from ictus.store.redirect import REPORT, RedirectReport

_APART = 10**6
"""Between the numbers of launches of two campaigns that are judged together."""


def measured_of(campaign: Campaign, *besides: Campaign) -> GuidelineMedians:
    """The launch medians of a campaign by cell; and those of another one, with freed memory returned."""
    modes = modes_of(campaign, *besides)
    series = dict(_medians_of(campaign, modes).series)
    for beside in besides:
        series |= in_returned(_medians_of(beside, modes, _APART)).series
    return GuidelineMedians(series, modes)


def _medians_of(campaign: Campaign, modes: LaunchModes, first: int = 0) -> GuidelineMedians:
    cases = [Case.from_json(row) for row in campaign.cases.iter_rows(named=True)]
    columns = campaign.summaries.select("mpi", "algorithm", "case_id", "slot", "value")
    medians = (LaunchMedian(mpi, name, case, first + slot, s) for mpi, name, case, slot, s in columns.iter_rows())
    measured = gather_medians(cases, medians, Registries.load(), modes)
    return rerouted(measured, reroutes_of(campaign))


def in_returned(measured: GuidelineMedians) -> GuidelineMedians:
    """The medians of a campaign with freed memory returned, beside one where it is kept: its variants say so."""
    series = {
        replace(
            cell,
            configuration=replace(
                cell.configuration, algorithm=setting_name(cell.configuration.algorithm, {HEAP: RETURNED})
            ),
        ): sizes
        for cell, sizes in measured.series.items()
    }
    return replace(measured, series=series)


def is_besides(variant: str) -> bool:
    """Whether a variant is one of `in_returned`."""
    return without_heap(variant) != variant


def modes_of(*campaigns: Campaign) -> LaunchModes:
    """The modes of their launches; nothing where there are not several."""
    modes = machine_modes(*campaigns)
    if not modes.several:
        return ONE_MODE
    of_launch = {
        number * _APART + launch.slot.slot: mode
        for number, campaign in enumerate(campaigns)
        for launch, mode in zip(campaign.launches, modes.of_launches[number], strict=True)
    }
    return LaunchModes(of_launch, tuple(mode.text for mode in modes.modes))


def reroutes_of(campaign: Campaign) -> dict[Configuration, tuple[MeasuredReroute, ...]]:
    """The lines that were used in all launches of a place. A launch without a report had no call rerouted.

    Raises MeasurementError for a damaged report.
    """
    reroutes: dict[Configuration, set[MeasuredReroute]] = {}
    for launch in campaign.launches:
        path, configuration = launch.folder / REPORT, Configuration(launch.mpi, launch.algorithm, launch.n)
        launch.checksums.check_file(path)
        lines = RedirectReport.read(path).reroutes if path.is_file() else ()
        used = {
            MeasuredReroute(line.operation, line.from_bytes, line.to_bytes, line.mockup)
            for line in lines
            if line.calls > 0 and line.n == launch.n
        }
        reroutes[configuration] = reroutes[configuration] & used if configuration in reroutes else used
    return {
        where: tuple(sorted(used, key=lambda reroute: (reroute.operation, reroute.from_bytes)))
        for where, used in reroutes.items()
    }
