"""The fields of a plan: every decision of the user, its type, its range, and what it excludes.

TOML keys are the names of the command line's options. model/plan.py says what a plan does.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from ictus.model.call import BASIC, FIRST_ROOT, WORLD
from ictus.model.goal import with_most_launches
from ictus.model.heap import KEPT
from ictus.model.job_size import TWO, agreed_processes
from ictus.model.library import NO_CONTROL, LibraryRequest, control_fault
from ictus.model.plan_field import (
    Algorithms,
    CoreFlags,
    Counts,
    Duration,
    FewOrNoCounts,
    Governors,
    Heaps,
    LauncherOptions,
    Libraries,
    LongDuration,
    Mappings,
    Modules,
    Name,
    Names,
    NamesOfLaunches,
    Operations,
    Pins,
    Places,
    Plugins,
    PrecisionGoal,
    Repetitions,
    Roots,
    Sizes,
    Variables,
    Whole,
    shown,
)
from ictus.model.plan_parts import FAMILIES, Method, PredictedCount, Subset, operations_of, sizes_of
from ictus.model.quantity import parse_sizes
from ictus.model.spec import Spec

FIXED = Spec("fixed")
LARGEST_SEED = 2**53 - 1
"""Seeds stay whole in every reader of JSON."""
MOST_LAUNCHES = 100_000
"""Of each library. More is a slip: the schedule of all launches is made before the first."""


class PlanFields(BaseModel):
    """What a campaign measures, how often, and how it is judged. Aliases are the keys of TOML and campaign.json."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid", populate_by_name=True)

    libraries: Libraries = Field(default=(), alias="mpi")
    operations: Operations = Field(default=(Spec("bcast"), Spec("allreduce"), Spec("alltoall")), alias="op")
    sizes: Sizes = parse_sizes("8..64Ki")
    size_is: Literal["total", "block"] = Field(default="total", alias="size-is")
    """Whether a size is the volume of the largest buffer or of one block of it (the habit of OSU and IMB)."""
    subsets: tuple[Subset, ...] = Field(default=(), alias="subset")
    """Operations with their own sizes and layouts. If there are any, they replace `op` and `sizes`, which then list
    what all subsets have.
    """
    nodes: FewOrNoCounts = ()
    """Numbers of nodes, crossed with `ppn`; none: ranks go where the launcher puts them (model/job_size.py)."""
    ppn: FewOrNoCounts = ()
    """Numbers of processes on each node."""
    processes: Counts = Field(default=TWO, alias="n", validate_default=True)
    """Of a launch. Where both nodes and ppn are given, their products."""
    launches: Whole = Field(default=10, ge=1, le=MOST_LAUNCHES)
    """Launches of each library; with `until` the least number, with `until = "decided"` the most, by default 80."""
    goal: PrecisionGoal | None = Field(default=None, alias="until")
    """The goal (model/goal.py): launches are added until every interval is so narrow, or every comparison decided."""
    time_budget_s: LongDuration | None = Field(default=None, alias="time-budget")
    """With `until`: no launch begins that would end after so much measuring."""
    over_s: LongDuration | None = Field(default=None, alias="over")
    """The span over which blocks of launches begin at random times (engine/block_times.py); None: one launch directly
    after the other.
    """
    nrep: Repetitions | None = None
    """Valid repetitions of a case; None: what the member of family repetition says, 1000 for `fixed`. A text is the
    folder of `ictus nrep` that has predicted a count for each case, or `auto(...)`: predicted first.
    """
    predicted: tuple[PredictedCount, ...] = ()
    """The counts behind such a text when the campaign started; Ictus writes them."""
    datatype: str = "double"
    operator: str | None = None
    """Reduction operator; None: `sum`, for bytes `bor`."""
    comm: Names = (WORLD,)
    """Which processes call together."""
    root: Roots = (FIRST_ROOT,)
    """Ranks of theirs, or `rotating`: another one in each repetition."""
    in_place: Places = Field(default=("no",), alias="in-place")
    """Whether MPI_IN_PLACE replaces a buffer where an operation allows it."""
    layout: Names = (BASIC,)
    """How the elements of messages lie in memory; subsets have layouts of their own."""
    counts: Names = (Spec("equal"),)
    """How blocks differ in size where an operation takes the size of each."""
    clock: NamesOfLaunches = (Spec("tsc"),)
    """Where ranks read their time; a launch has one clock and one clocksync, several have launches of their own."""
    clock_domain: Literal["auto", "host", "rank"] = Field(default="auto", alias="clock-domain")
    """The ranks that are assumed to read one counter, before this is verified: those of a host where the host has one
    clock (`auto`), those of a host in any case, or none."""
    clocksync: NamesOfLaunches = (Spec("ictus"),)
    clock_bound_s: Annotated[Duration, Field(ge=1e-9, le=1)] | None = Field(default=None, alias="clock-bound")
    """Clocks are learnt until every one is proven right to this; None: as long as `clocksync` says."""
    clock_error_s: Annotated[Duration, Field(ge=1e-9, le=1)] | None = Field(default=None, alias="clock-error")
    """Likewise until every one states a standard error of at most this for 5 s later."""
    procsync: Names = (Spec("window"),)
    scheme: Name = Spec("per-call")
    cache: Names = (Spec("warm"),)
    repetition: Name = FIXED
    methods: tuple[Method, ...] = ()
    """Several ways to measure each case in the same launches. If there are any, they replace `procsync`, `scheme` and
    `repetition`, which then keep their defaults.
    """
    algorithms: Algorithms = Field(default=(), alias="algorithm")
    """The libraries' own algorithms to be tried, as `allreduce=ring,default`, crossed (model/algorithm.py)."""
    warmup: Whole = Field(default=20, ge=1)
    seed: Whole | None = Field(default=None, ge=0, le=LARGEST_SEED)
    """Decides schedule and launches; None: drawn and recorded."""
    platform: Name | None = None
    """What simulated libraries run on; None for real ones."""
    timeout_s: Duration = Field(default=600.0, alias="timeout")
    retries: Whole = Field(default=2, ge=0)
    """How often a failed launch is repeated."""
    contention_retries: Whole = Field(default=2, ge=0, alias="contention-retries")
    """How often a launch that others disturbed is repeated."""
    block_time_s: Duration = Field(default=5.0, alias="block-time")
    """A block of cases ends after this time, and the clocks are measured again."""
    resync_time_s: Duration = Field(default=60.0, alias="resync-time")
    """Clocks are synchronised anew between blocks when the last time is longer ago."""
    pin: Pins = ("cores",)
    """Where ranks are placed: one on each core, or as the library does; several are a factor of launches."""
    map_by: Mappings = Field(default=("core",), alias="map-by")
    """What consecutive ranks take in turn: cores of a node, its sockets, or nodes; several are a factor."""
    plugins: Plugins = Field(default=(), alias="plugin")
    """Files with operations of the user (model/plugin.py)."""
    modules: Modules = ()
    """What `module load` gets before libraries are searched."""
    launcher_options: LauncherOptions = Field(default=(), alias="launcher-options")
    """Words for the launcher, after Ictus' own; several texts are a factor of launches."""
    core_flags: CoreFlags = Field(default=(), alias="core-flags")
    """Flags that the core is built with, after Ictus' own; several texts are a factor of launches."""
    governor: Governors = ()
    """Of the processors' frequency; none: as it is. Several are a factor of launches."""
    validation: bool = Field(default=True, alias="validate")
    raw: bool = False
    environment: Variables = Field(default_factory=dict, alias="env")
    """Variables for the ranks; those with several values are a factor of launches (model/launch_factor.py)."""
    heap: Heaps = (KEPT,)
    """What becomes of memory that a process frees; several states are a factor of launches."""
    page_faults: bool = Field(default=True, alias="page-faults")
    """Whether those of the calls are counted first, so that cases that depend on the heap are marked."""
    control: str | None = None
    """The label of the library that stays the same from campaign to campaign; None: none is marked."""
    level: float = Field(default=0.05, gt=0, lt=1)
    adjust: Literal["holm", "bh", "none"] = "holm"

    @model_validator(mode="before")
    @classmethod
    def _most_launches(cls, values: object) -> object:
        return with_most_launches(values)

    @field_validator("subsets")
    @classmethod
    def _in_their_place(cls, subsets: tuple[Subset, ...], info: ValidationInfo) -> tuple[Subset, ...]:
        """Nothing beside them that they decide."""
        decided = {"operations": operations_of(subsets), "sizes": sizes_of(subsets)}
        for name, of_all in decided.items() if subsets else ():
            stated, field = info.data.get(name), cls.model_fields[name]
            if stated not in (field.default, of_all):
                raise ValueError(
                    f"{field.alias or name} = {shown(stated)} is given too, which subsets name: leave it out"
                )
        return subsets

    @field_validator("layout")
    @classmethod
    def _of_no_subsets(cls, layouts: tuple[Spec, ...], info: ValidationInfo) -> tuple[Spec, ...]:
        if info.data.get("subsets") and layouts != (BASIC,):
            raise ValueError("subsets have layouts of their own: leave it out")
        return layouts

    @field_validator("time_budget_s")
    @classmethod
    def _of_a_goal(cls, budget_s: float | None, info: ValidationInfo) -> float | None:
        if budget_s is not None and info.data.get("goal", "refused already") is None:
            raise ValueError(
                "a time budget ends the search for a precision goal: give until too, such as '2 %' or 'decided'"
            )
        return budget_s

    @field_validator("over_s")
    @classmethod
    def _of_several_blocks(cls, over_s: float | None, info: ValidationInfo) -> float | None:
        if over_s is not None and info.data.get("launches") == 1:
            raise ValueError("one launch of each library is one block, which has no time to be spread over: give "
                             "launches of 2 or more")  # fmt: skip
        return over_s

    @field_validator("methods")
    @classmethod
    def _alone(cls, methods: tuple[Method, ...], info: ValidationInfo) -> tuple[Method, ...]:
        """Each once, and nothing beside them that they decide."""
        for name in (*FAMILIES, "nrep") if methods else ():
            if info.data.get(name) != cls.model_fields[name].default:
                raise ValueError(
                    f"{name} = {shown(info.data.get(name))} is given too, which methods name: leave one out"
                )
        return tuple(dict.fromkeys(methods))

    @field_validator("nodes", "ppn")
    @classmethod
    def _each_once(cls, counts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(set(counts)))

    @field_validator("processes")
    @classmethod
    def _of_nodes(cls, counts: tuple[int, ...], info: ValidationInfo) -> tuple[int, ...]:
        nodes, ppn = info.data.get("nodes", ()), info.data.get("ppn", ())
        return agreed_processes(tuple(sorted(set(counts))), nodes, ppn, default=TWO)

    @field_validator("libraries")
    @classmethod
    def _labels_differ(cls, libraries: tuple[LibraryRequest, ...]) -> tuple[LibraryRequest, ...]:
        labels = [library.label for library in libraries]
        twice = next((label for label in labels if labels.count(label) > 1), None)
        if twice is not None:
            raise ValueError(f"label '{twice}' is given twice; name them apart, as in 'a={twice}' and 'b={twice}'")
        return libraries

    @field_validator("control")
    @classmethod
    def _one_of_several(cls, control: str | None, info: ValidationInfo) -> str | None:
        """Libraries that are not named yet are known when they are found (model/design.py)."""
        labels = [library.label for library in info.data.get("libraries", ())]
        if control in (None, NO_CONTROL):
            return None
        fault = control_fault(control, labels)
        if fault:
            raise ValueError(fault)
        return control
