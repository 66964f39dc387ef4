"""The design of a campaign, as campaign.json and schedule.json record it: every decision before the first launch."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ictus.model.algorithm import DEFAULT, Variant
from ictus.model.case import Case, expand
from ictus.model.errors import OptionError, UsageError
from ictus.model.heap import HEAP, KEPT
from ictus.model.imported import ImportRecord
from ictus.model.job_size import ANYWHERE
from ictus.model.launch_factor import in_setting, settings_of, value_in
from ictus.model.library import Installation, Library, LibraryRequest, check_label, control_fault
from ictus.model.looks import Looks
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.start import StartRecord


@dataclass(frozen=True)
class Slot:
    """One launch of one library with `n` processes, decided before the first launch."""

    slot: int
    block: int
    """Each block holds every (library, n, nodes, algorithm) once."""
    mpi: str
    """Label of the library."""
    n: int
    seed: int
    cases: tuple[int, ...]
    """Case ids in the order in which this launch measures them."""
    algorithm: str = DEFAULT
    """Name of the library's variant."""
    heap: str = KEPT
    """What becomes of memory that its processes free."""
    nrep: tuple[int | None, ...] = ()
    """Valid repetitions of each case, in the same order, where a precision goal planned them; None, and where it is
    empty: what the case says."""
    nodes: int = ANYWHERE
    """Nodes; 0 where the launcher decides, as for `ppn`."""
    ppn: int = ANYWHERE
    """Processes on each node."""
    unknown_keys: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Keys of schedule.json that are not known here, those of a later version: kept when the file is written anew."""

    @property
    def folder_name(self) -> str:
        """Name of its folder under launches/: `0003-mpich`."""
        return f"{self.slot:04d}-{self.mpi}"

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> "Slot":
        """A slot of schedule.json. Raises KeyError or TypeError for a value that is missing or of another type,
        UsageError for a label that cannot be a part of its folder's name.
        """
        return Slot(
            slot=_whole(values, "slot"),
            block=_whole(values, "block"),
            mpi=check_label(str(values["mpi"])),
            n=_whole(values, "n"),
            seed=_whole(values, "seed"),
            cases=tuple(_whole(case_id, None) for case_id in _list(values, "cases")),
            algorithm=str(values.get("algorithm", DEFAULT)),
            heap=str(values.get("heap", KEPT)),
            nrep=tuple(
                None if count is None else _whole(count, None) for count in _list({"nrep": (), **values}, "nrep")
            ),
            nodes=_whole({"nodes": ANYWHERE, **values}, "nodes"),
            ppn=_whole({"ppn": ANYWHERE, **values}, "ppn"),
            unknown_keys={key: value for key, value in values.items() if key not in Slot.__dataclass_fields__},
        )


def _whole(values: Any, key: str | None) -> int:
    """A whole number of 0 or more, or the one under `key`. TypeError says what else was found."""
    value = values if key is None else values[key]
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError(f"{key or 'a case or a count'} is {value!r}, expected a whole number of 0 or more")
    return value


def _list(values: Mapping[str, Any], key: str) -> Sequence[Any]:
    number = values[key]
    if not isinstance(number, (list, tuple)):
        raise TypeError(f"{key} is {number!r}, expected a list")
    return number


@dataclass(frozen=True)
class Design:
    """A checked and seeded plan with its cases, and the libraries and the machine that it was made for."""

    plan: Plan
    cases: tuple[Case, ...]
    notes: tuple[str, ...]
    libraries: tuple[Library, ...]
    machine: Mapping[str, Any] = field(default_factory=dict)
    reference_cvars: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By label: the library's control variables (MPI_T) in a clean environment, where they are known."""
    variants: Mapping[str, tuple[Variant, ...]] = field(default_factory=dict)
    """By label: how the library is launched; a library without an entry is launched unchanged."""
    in_order: bool = False
    """Whether every launch measures its cases in the order of the plan, as other suites do, and not shuffled."""
    seed_drawn: bool = False
    """Whether the plan left the seed open, so that a campaign with any seed is the one that is meant."""
    looks: Looks | None = None
    """The looks that error is reserved for, so that launches can be added; None: the number of launches is fixed."""
    imported: ImportRecord | None = None
    """What the numbers are of a campaign that another suite measured."""
    start: StartRecord | None = None
    """How its launches are started; None where nobody said."""

    @property
    def seed(self) -> int:
        """The seed that decides the schedule and every launch."""
        assert self.plan.seed is not None, "a design is made of a seeded plan"
        return self.plan.seed

    def of(self, label: str) -> tuple[Variant, ...]:
        """The variants of a library."""
        return self.variants.get(label, (Variant(),))

    def variant(self, label: str, name: str) -> Variant:
        """The variant of a library by its name."""
        return next(variant for variant in self.of(label) if variant.name == name)

    def heap(self, label: str, variant: str) -> str:
        """What becomes of freed memory in the launches of a variant."""
        return value_in(self.plan, self.variant(label, variant), HEAP)

    def with_plan(self, plan: Plan) -> "Design":
        """This design with the plan, and so the seed, with which its campaign started."""
        return replace(self, plan=plan)


def _beside(plan: Plan) -> Iterator[str]:
    """Notes on algorithms for operations that are not measured: their launches are repeats of each other."""
    measured = {operation.name for operation in plan.operations}
    for request in plan.algorithms:
        if request.operation not in {*measured, "barrier"}:
            yield f"algorithm '{request}': the plan does not measure {request.operation}"


def _in_all_settings(
    labels: Sequence[str], variants: Mapping[str, tuple[Variant, ...]], plan: Plan
) -> dict[str, tuple[Variant, ...]]:
    """The variants of each library, each in every setting of the factors that the plan crosses."""
    crossed = settings_of(plan)
    if crossed == ({},):
        return dict(variants)
    return {
        label: tuple(
            in_setting(variant, setting) for variant in variants.get(label, (Variant(),)) for setting in crossed
        )
        for label in labels
    }


def check_control(plan: Plan, labels: Sequence[str]) -> None:
    """OptionError where the plan marks a control that is none of several libraries of these labels."""
    fault = "" if plan.control is None else control_fault(plan.control, labels)
    if fault:
        raise OptionError(("control", plan.control, fault))


def make_design(
    plan: Plan,
    registries: Registries,
    installations: Sequence[Installation],
    *,
    machine: Mapping[str, Any] | None = None,
    reference_cvars: Mapping[str, Mapping[str, str]] | None = None,
    variants: Mapping[str, tuple[Variant, ...]] | None = None,
) -> Design:
    """The design of a plan with the installations that answer its libraries, one for each label and in that order.

    A plan without libraries takes all installations; a plan without a seed gets one. Raises UsageError.
    """
    labels = [library.label for library in plan.libraries] or [installation.label for installation in installations]
    if not labels:
        raise UsageError("no MPI library to measure: name one with -m; `ictus doctor` lists them")
    check_control(plan, labels)
    by_label = {installation.label: installation for installation in installations}
    missing = [label for label in labels if label not in by_label]
    if missing:
        raise UsageError(
            f"library '{missing[0]}': no installation carries this label; there are {', '.join(by_label) or 'none'}"
        )
    requests = plan.libraries or tuple(LibraryRequest(label, str(by_label[label].wrapper)) for label in labels)
    complete = plan.checked(registries).seeded().model_copy(update={"libraries": requests})
    expansion = expand(complete, registries)
    return Design(
        plan=complete,
        cases=expansion.cases,
        notes=(*expansion.notes, *_beside(complete)),
        libraries=tuple(Library.of(by_label[label]) for label in labels),
        machine=dict(machine or {}),
        reference_cvars=dict(reference_cvars or {}),
        variants=_in_all_settings(labels, variants or {}, complete),
        seed_drawn=plan.seed is None,
    )
