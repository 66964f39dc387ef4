"""Everything that must hold for one launch of a campaign: its files, its record, its samples, its tables."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite, nan
from pathlib import Path
from typing import Any

import numpy as np

from ictus.model.document import read_object
from ictus.model.errors import IctusError
from ictus.model.input_file import ARRAY_BYTES, file_content
from ictus.store.checksums import hash_of
from ictus.store.npy_header import read_header
from ictus.verification.launch_tables import check_tables
from ictus.verification.plain import same
from ictus.verification.problem import CaseLocation, Problem
from ictus.verification.raw import Clocks, check_stamps, read_stamps
from ictus.verification.records import mapped
from ictus.verification.samples import NO_SAMPLES, PlainSamples, check_case, check_ranks, read_plain

Row = Mapping[str, Any]
_TABLES = ("samples.parquet", "summary.parquet")


@dataclass(frozen=True)
class CheckedLaunch:
    """A launch that the journal has as complete."""

    folder: Path
    slot: Row
    """Of schedule.json."""
    cases: Mapping[int, Row]
    """Of campaign.json, by case id."""
    checksums: Mapping[str, str]
    """Of the journal; empty: unchecked."""

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @cached_property
    def head(self) -> Row:
        """launch.json."""
        return read_object(self.folder / "launch.json")

    def rows(self, name: str) -> list[Any]:
        """An array beside launch.json, a dictionary for each record; lists of them where it has two dimensions."""
        path = self.folder / f"{name}.npy"
        header = read_header(path)
        array = np.frombuffer(file_content(path, ARRAY_BYTES), header.dtype, offset=header.begin).reshape(header.shape)
        names = array.dtype.names or ()

        def plain(records: Any) -> Any:
            if isinstance(records, list):
                return [plain(row) for row in records]
            texts = (record.decode() if isinstance(record, bytes) else record for record in records)
            return dict(zip(names, texts, strict=True))

        rows: list[Any] = plain(array.tolist())
        return rows

    @cached_property
    def samples(self) -> PlainSamples:
        """samples.npy."""
        return read_plain(mapped(self.folder / "samples.npy"))

    @cached_property
    def of_cases(self) -> dict[int, PlainSamples]:
        """The same, by case id."""
        return self.samples.by_case()

    def place(self, file: str, case: object = "") -> CaseLocation:
        """A place in this launch."""
        return CaseLocation(self.name, file, str(case))


def check_launch(launch: CheckedLaunch) -> Iterator[Problem]:
    """All that is wrong with a launch; a file that cannot be read ends what is based on it."""
    yield from check_files(launch.folder, launch.checksums, launch.place(""))
    for check in (_record, _samples, _clocks, _stamps, _tables):
        yield from _guarded(launch, check)


def _guarded(launch: CheckedLaunch, check: Callable[[CheckedLaunch], Iterator[Problem]]) -> Iterator[Problem]:
    try:
        yield from check(launch)
    except IctusError as error:
        yield launch.place("").wrong("", str(error), "what the file format says")
    except (ValueError, KeyError, TypeError, IndexError, OSError) as error:
        yield launch.place("").wrong("", f"{type(error).__name__}: {error}", "what the file format says")


def check_files(folder: Path, checksums: Mapping[str, str], location: CaseLocation) -> Iterator[Problem]:
    """Each file of a launch is what the journal says, and there is none besides."""
    present = {path.name for path in folder.iterdir()} if folder.is_dir() else set[str]()
    for name, expected in checksums.items():
        here = replace(location, file=name)
        if name not in present:
            yield here.wrong("file", "missing", "as the journal says")
            continue
        actual = hash_of(folder / name).text
        if actual != expected:
            yield here.wrong("checksum", actual, f"{expected}, as the journal says")
    for name in sorted(present - set(checksums) - set(_TABLES)) if checksums else ():
        yield replace(location, file=name).wrong("file", "not in the journal", "only files that the journal names")


_OF_CASE = ("operation", "size_bytes", "block_bytes", "moved_bytes", "datatype", "warmup")


def _record(launch: CheckedLaunch) -> Iterator[Problem]:
    """The launch's own record against its slot and the cases of the campaign."""
    head, slot = launch.head, launch.slot
    location = launch.place("launch.json")
    for key, expected in (("seed", slot["seed"]), ("n_ranks", slot["n"])):
        if head[key] != expected:
            yield location.wrong(key, head[key], f"{expected}, as slot {slot['slot']} has it")
    launcher_facts = head.get("launcher") or {}
    for part, key, expected in (
        ("library", "label", slot["mpi"]),
        ("algorithm", "name", slot.get("algorithm", "default")),
    ):
        if isinstance(launcher_facts.get(part), dict) and launcher_facts[part].get(key, expected) != expected:
            yield location.wrong(f"launcher.{part}.{key}", launcher_facts[part][key], expected)
    cases = launch.rows("cases")
    measured = [case["case_id"] for case in cases]
    if measured != list(slot["cases"]):
        yield launch.place("cases.npy").wrong("case_id", measured, f"{slot['cases']}, in the order of the slot")
    for case in cases:
        planned = launch.cases.get(case["case_id"], {})
        for key in _OF_CASE:
            if planned and case[key] not in ("unknown", -1) and case[key] != planned[key]:
                yield launch.place("cases.npy", case["case_id"]).wrong(key, case[key], planned[key])
    hosts, ranks, kinds = launch.rows("hosts"), launch.rows("ranks"), head["kinds"]
    on_hosts = [host["n_ranks"] for host in hosts]
    named = Counter((rank["host"], rank.get("node", "")) for rank in ranks)  # no names in earlier versions
    counts = list(named.values()) if len(named) >= len(hosts) else on_hosts
    facts = {
        "nodes": (head["nodes"], len(counts)),
        "ranks_per_node": (dict(head["ranks_per_node"]), {"min": min(counts), "max": max(counts)}),
        "ranks of hosts": (sum(on_hosts), head["n_ranks"]),
        "rows of ranks.npy": (len(ranks), head["n_ranks"]),
        "kinds": (all(0 <= host["kind"] < len(kinds) for host in hosts), True),
        "hosts of ranks": (all(-1 <= rank["host"] < len(hosts) for rank in ranks), True),
    }
    yield from (location.wrong(key, actual, stated) for key, (actual, stated) in facts.items() if actual != stated)


def _samples(launch: CheckedLaunch) -> Iterator[Problem]:
    samples, cases = launch.of_cases, launch.rows("cases")
    foreign = set(samples) - {case["case_id"] for case in cases}
    if foreign:
        yield launch.place("samples.npy").wrong("case_id", sorted(foreign), "cases of cases.npy")
    for case, ranks in zip(cases, launch.rows("case_ranks"), strict=True):
        plain_samples = samples.get(case["case_id"], NO_SAMPLES)
        location = launch.place("samples.npy", case["case_id"])
        printed, error_s = launch.head.get("imported") is not None, _opening_error_s(launch, case["block"])
        yield from check_case(location, case, plain_samples, printed=printed, opening_error_s=error_s)
        yield from check_ranks(launch.place("case_ranks.npy", case["case_id"]), ranks, plain_samples)


def _opening_error_s(launch: CheckedLaunch, block: int) -> float:
    """How wrong the clocks of a block's beginning were at most: what was proven then, or what its end found."""
    blocks = launch.rows("blocks")
    bounds_s = [blocks[block][key] for key in ("opening_bound_s", "residual_max_s")] if 0 <= block < len(blocks) else []
    return max(filter(isfinite, bounds_s), default=0.0)


def _clocks(launch: CheckedLaunch) -> Iterator[Problem]:
    """Blocks have what is largest of any rank; rank 0 is the reference; bounds are not negative."""
    largest = {"opening_bound_s": "bound_s", "closing_bound_s": "closing_bound_s"}
    residuals = {"residual_max_s": "residual_s", "interpolated_residual_max_s": "interpolated_residual_s"}
    for number, (block, ranks) in enumerate(zip(launch.rows("blocks"), launch.rows("clocks"), strict=True)):
        location = launch.place("blocks.npy", f"block {number}")
        for key, column in {**largest, **residuals}.items():
            values = [rank[column] if key in largest else abs(rank[column]) for rank in ranks]
            expected = max(values) if all(map(isfinite, values)) else nan
            if key in largest and any(value < 0 for value in values):
                yield launch.place("clocks.npy", f"block {number}").wrong(column, min(values), "0 or more, or NaN")
            if isfinite(block[key]) and isfinite(expected) and not same(block[key], expected, 1e-9):
                yield location.wrong(key, block[key], f"{expected!r}, the largest of any rank in clocks.npy")
        if ranks[0]["slope"] != 0 or ranks[0]["intercept_s"] != 0:
            yield launch.place("clocks.npy", f"block {number}").wrong(
                "slope[0]", ranks[0]["slope"], "0: rank 0's clock is the global one"
            )


def _stamps(launch: CheckedLaunch) -> Iterator[Problem]:
    """Samples from raw.npy, where there is one."""
    if not has_stamps(launch.folder):
        return
    stamps, samples = read_stamps(mapped(launch.folder / "raw.npy")), launch.of_cases
    clocks, shared = launch.rows("clocks"), all(rank["domain_leader"] in (0, -1) for rank in launch.rows("ranks"))
    for case, ranks in zip(launch.rows("cases"), launch.rows("case_ranks"), strict=True):
        plain_samples = samples.get(case["case_id"], NO_SAMPLES)
        taking = [number for number, rank in enumerate(ranks) if rank["n"] > 0]
        if taking:
            model = Clocks(launch.head["clock"]["frequency_hz"], clocks[case["block"]], taking, shared)
            location = launch.place("raw.npy", case["case_id"])
            yield from check_stamps(location, case, plain_samples, stamps, model)


def has_stamps(folder: Path) -> bool:
    """Whether a launch has the stamps of every rank."""
    return (folder / "raw.npy").is_file()


def _tables(launch: CheckedLaunch) -> Iterator[Problem]:
    """The derived tables, where they are there: each can be made again."""
    cases: Sequence[Row] = launch.rows("cases")
    contended = launch.head["contention"]["contended"] is True
    yield from check_tables(launch.folder, launch.slot, cases, launch.of_cases, launch.samples, contended=contended)
