"""From a campaign with windows of several sizes to one sweep for each case of each library."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ictus.comparison.case_titles import IDENTITY, brief
from ictus.comparison.matching import medians
from ictus.model.errors import UsageError
from ictus.model.quantity import parse_duration
from ictus.model.spec import parse_spec
from ictus.store.campaign import Campaign
from ictus.studies.window_size.analysis import Advice, WindowLaunch, WindowPoint, advise, points

_WINDOW = "window"
_SHARED = tuple(name for name in IDENTITY if name != "procsync")


@dataclass(frozen=True)
class WindowSweep:
    """All window sizes of one case of one library."""

    mpi: str
    case: Mapping[str, Any]
    """What the sizes share."""
    points: tuple[WindowPoint, ...]
    advice: Advice

    def flat(self) -> Iterator[dict[str, Any]]:
        """A row for each size, for scripts."""
        for one in self.points:
            latency = one.latency
            yield {
                "mpi": self.mpi,
                "case": dict(self.case),
                "window_s": one.window_s,
                "launches": one.launches,
                "attempted": one.attempted,
                "invalid": one.invalid,
                "late": one.late,
                "long": one.long,
                "invalid_share": one.share,
                "least_share": one.least_share,
                "most_share": one.most_share,
                "latency_s": None if latency is None else latency.median,
                "latency_low_s": None if latency is None else latency.low,
                "latency_high_s": None if latency is None else latency.high,
                "recommended": one.window_s == self.advice.window_s,
            }


def window_sweeps(campaign: Campaign, limit: float) -> tuple[WindowSweep, ...]:
    """A sweep for each library and case; `limit` is the share of invalid samples that is put up with.

    UsageError where the campaign has no windows of fixed size.
    """
    groups: dict[tuple[object, ...], tuple[str, dict[str, Any], list[WindowLaunch]]] = {}
    for row in medians(campaign).iter_rows(named=True):
        size_s = fixed_window(str(row["procsync"]))
        if size_s is None:
            continue
        case = {name: row[name] for name in _SHARED}
        # Sizes of windows are told apart, whatever else the windows differ in.
        rest = brief("procsync", _without_size(str(row["procsync"])))
        _, _, launches = groups.setdefault((row["mpi"], rest, *case.values()), (row["mpi"], case, []))
        counts = {name: int(row[name]) for name in ("attempted", "valid", "late", "long")}
        launches.append(WindowLaunch(size_s, **counts, median_s=row["median"]))
    sweeps = [(mpi, case, points(launches)) for mpi, case, launches in groups.values()]
    known = [WindowSweep(mpi, case, found, advise(found, limit)) for mpi, case, found in sweeps if found]
    if not known:
        raise UsageError(
            f"'{campaign.folder}' has no windows of fixed size: measure with --procsync 'window(size=100us),...', or "
            f"leave out the folder"
        )
    return tuple(known)


def fixed_window(procsync: str) -> float | None:
    """The size of a window in full form, seconds; None for another start, or a size that is found anew each launch."""
    spec = parse_spec(procsync)
    size = spec.argument("size")
    return None if spec.name != _WINDOW or size is None or str(size) == "auto" else parse_duration(str(size))


def _without_size(procsync: str) -> str:
    spec = parse_spec(procsync)
    return str(type(spec)(spec.name, tuple(one for one in spec.arguments if one.key != "size")))


def auto_windows(records: Sequence[Mapping[str, Any]]) -> tuple[float, ...]:
    """The windows that were found from the warm-ups, of all cases of these launch.json, seconds."""
    found = (case.get("window_s") for record in records for case in record["cases"])
    return tuple(float(one) for one in found if one)
