"""MPICH: hydra launches it without further settings, but its ranks spin without yielding even when oversubscribed.

From release 5 on a library initialised with MPI_THREAD_MULTIPLE yields while it waits (8 ms per barrier become 20 us at
4 ranks on 2 cores, at about twice the latency of 2 ranks). `MPIR_CVAR_DEFAULT_THREAD_LEVEL` switches that on for a
program that calls MPI_Init; it is set only when oversubscribed, and recorded. Release 4 ignores it and stays slow.

Algorithms of collectives are chosen in the layer above the devices, which must not choose first (`DEVICE_COLLECTIVES`).
The descriptions of the control variables list the names; a value is the position of its name. The library silently
replaces an algorithm that cannot serve a call unless `COLLECTIVE_FALLBACK` is `print`; `error` would end the launch in
MPI_Init, which itself calls collectives.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from ictus.model.algorithm import (
    COLLECTIVES,
    EAGER_BYTES,
    Algorithm,
    CallSignature,
    Knob,
    LaunchEvidence,
    Offer,
    SelectedAlgorithm,
    Setting,
)
from ictus.model.library import Installation
from ictus.mpi.flavours import hydra, mpich_tuning
from ictus.mpi.flavours.flavour import Choice, Flavour, Refused, SetVariable, Situation, lines_with, stepped
from ictus.mpi.flavours.mpich_choices import (
    ABOVE,
    COMPOSITION,
    SHARED,
    SHARED_MEMORY,
    Tree,
    chosen,
    composition,
    in_shared_memory,
    name_of,
    selection_tree,
    trees_of,
)
from ictus.mpi.tuning_files import FOLDER, AlgorithmRange, TuningFiles, contradicting

_CHOICE = re.compile(r"^(\w+)\s+- ", re.MULTILINE)
"""`ring   - Force ring algorithm`, a line of a control variable's description."""


_ALGORITHM_VARIABLES = re.compile(
    r"MPIR_CVAR_(\w+_(ALGORITHM|COMPOSITION|DEVICE_COLLECTIVE)$|DEVICE_COLLECTIVES|COLLECTIVE_FALLBACK|\w*COLL\w*_JSON_FILE)"
)


class Mpich(Flavour):
    """MPICH and the hydra launcher that comes with it."""

    name = "mpich"
    summary = "MPICH, launched by hydra"
    wrapper_names = ("mpicxx", "mpic++")
    launcher_names = ("mpiexec", "mpiexec.hydra", "mpirun")
    version_arguments = ("-v",)
    version_pattern = re.compile(r"\bfor MPICH version (\S+)")
    library_pattern = re.compile(r"^MPICH Version:\s*(\S+)", re.MULTILINE)
    build_info_arguments = ("mpichversion",)
    wheels = ("mpich",)
    prefix_variables = ("MPICH_HOME", "MPICH_DIR", "EBROOTMPICH")
    steering_variables = ("MPIR_", "MPICH_", "HYDRA_")
    plugins = ("pmi2", "pmix")
    sets = (
        SetVariable(
            "MPIR_CVAR_DEFAULT_THREAD_LEVEL",
            "more ranks than cores",
            "initialised for several threads, release 5 and later yield while they wait; release 4 ignores it",
        ),
    )
    algorithm_variables = _ALGORITHM_VARIABLES
    evidence_variables = ("MPIR_CVAR_COLLECTIVE_FALLBACK", "ICTUS_MARK_CALLS")
    rank_variables = hydra.RANK_VARIABLES
    launch_variables = hydra.LAUNCH_VARIABLES
    afterwords = hydra.AFTERWORDS

    def build_info(self, output: str) -> str:
        """Device, configuration and compilers as mpichversion prints them."""
        return lines_with(output, "MPICH Device:", "MPICH configure:", "MPICH CC:")

    def run_environment(self, installation: Installation, situation: Situation) -> dict[str, str]:  # noqa: ARG002
        """Yielding when oversubscribed."""
        return {"MPIR_CVAR_DEFAULT_THREAD_LEVEL": "MPI_THREAD_MULTIPLE"} if situation.oversubscribed else {}

    def placement(self, installation: Installation, situation: Situation) -> tuple[str, ...]:  # noqa: ARG002
        """`-bind-to core`, or the list of cores, or unbound; the hosts where they are named."""
        ranks = ("-n", str(situation.n_ranks), "-bind-to", _binding(situation))
        return (*ranks, *hydra.places(situation))

    def exports(self, variables: Mapping[str, str]) -> tuple[str, ...]:
        """`-genv NAME VALUE`."""
        return hydra.exports(variables)

    def algorithms(self, choices: Mapping[str, Choice], refused: Refused) -> Offer:  # noqa: ARG002
        """Those that the descriptions of `MPIR_CVAR_OPERATION_INTRA_ALGORITHM` name, without `auto`, which is none."""
        offer = {}
        for operation in COLLECTIVES:
            names = _CHOICE.findall(choices.get(_variable(operation), Choice()).description)
            if names[:1] == ["auto"]:
                offer[operation] = tuple(Algorithm(name, number) for number, name in enumerate(names) if number > 0)
        return offer

    def selects(self, operation: str, variable: str) -> bool:
        """As of every library, but for the variable that says what it does where an algorithm cannot serve a call."""
        return variable != _FALLBACK and super().selects(operation, variable)

    def use(self, forced: Mapping[str, Algorithm]) -> Setting:
        """The algorithm of each operation, no device in between, and a line for each call that gets another one."""
        if not forced:
            return Setting()
        environment = {"MPIR_CVAR_DEVICE_COLLECTIVES": "percoll", _FALLBACK: "print", "ICTUS_MARK_CALLS": "1"}
        expected: dict[str, str] = {}
        for operation, algorithm in forced.items():
            device = _variable(operation, "DEVICE_COLLECTIVE")
            environment |= {device: "0", _variable(operation): algorithm.name}
            expected |= {device: "0", _variable(operation): str(algorithm.number)}
        fallbacks = tuple(rf"{operation.capitalize()} .*cannot be applied" for operation in forced)
        return Setting(environment, expected=expected, fallbacks=fallbacks)

    def selected_algorithm(self, call: CallSignature, launch: LaunchEvidence) -> SelectedAlgorithm:
        """The forced algorithm; else the choice of the library's own trees, of the device first where it may choose."""
        where = _variable(call.operation)
        number = launch.cvars.get(where, "0")
        if number != "0":
            named = (
                algorithm.name for algorithm in launch.offer.get(call.operation, ()) if str(algorithm.number) == number
            )
            return SelectedAlgorithm(next(named, f"number {number}"), where)
        file = launch.environment.get(_TUNING)
        trees = {} if launch.wrapper is None else trees_of(launch.wrapper)
        if file:
            return SelectedAlgorithm(None, _TUNING, f"it chooses by {file}")
        if _device_first(call.operation, launch.cvars):
            return _by_device(call, launch.cvars, trees)
        return _by_tree(call, trees)

    def knobs(self, operation: str, cvars: Mapping[str, str], *, spread: bool) -> tuple[Knob, ...]:  # noqa: ARG002
        """The limit of eager messages on a network that it knows, ranks on hardware threads or on packages in turn."""
        eager = [
            Knob(f"{_EAGER}={size}", {_EAGER: str(size)}, expected={_EAGER: str(size)})
            for size in EAGER_BYTES
            if _EAGER in cvars
        ]
        targets = ("hwthread", "socket") if spread else ("hwthread",)  # by cores is what it does anyway
        places = [Knob(f"map-by={target}", options=("-map-by", target), placement=True) for target in targets]
        return (*eager, *places)

    def message_knobs(self, cvars: Mapping[str, str]) -> tuple[Knob, ...]:
        """In shared memory: the size of a cell, up to which a message is one, and that from which on a message is read
        from the sender's memory; none where control variables do not show them, as in release 4 the latter.
        """
        return tuple(
            Knob(f"{name}={value}", {name: value}, expected={name: value}) for name, value in stepped(_MESSAGES, cvars)
        )

    def choice_tree(self, installation: Installation) -> Tree | None:
        """That of the layer above devices, which a tuning file replaces whole."""
        return selection_tree(installation)

    def progress_variable(self, cvars: Mapping[str, str]) -> tuple[str, str] | None:
        """`MPIR_CVAR_ASYNC_PROGRESS`, both."""
        return (_PROGRESS, _PROGRESS) if _PROGRESS in cvars else None

    def yields(self, version: str) -> bool:
        """From release 5 on; before, every hop of oversubscribed ranks waits for the scheduler."""
        return int(version.split(".", maxsplit=1)[0]) >= 5

    def tuning_files(self, ranges: Sequence[AlgorithmRange], tree: Tree | None = None) -> TuningFiles:
        """A tuning file for the layer above devices, which then must not choose first: the library's own tree with the
        ranges put in. Variables, for all sizes and numbers of processes, where a tree cannot say it.
        """
        by_operation = {
            name: list(of_operation) for name, of_operation in groupby(ranges, key=lambda entry: entry.operation)
        }
        put: list[AlgorithmRange] = []
        forced: dict[str, AlgorithmRange] = {}
        left_out: list[AlgorithmRange] = []
        for name, of_operation in by_operation.items():
            if tree is None or f"collective={name}" not in tree or not all(map(mpich_tuning.can_hold, of_operation)):
                forced[name] = of_operation[0]
                left_out += contradicting(of_operation, of_operation[0])
            elif mpich_tuning.has_sizes(name):
                put += of_operation
            else:
                for _, of_n in groupby(of_operation, key=lambda entry: entry.n):
                    first, *contradicted = of_n
                    put.append(first)
                    left_out += contradicting(contradicted, first)
        environment = {"MPIR_CVAR_DEVICE_COLLECTIVES": "percoll"}
        # MPI_T shows no texts of MPICH: that the file was read is seen by what it does
        device = {_variable(name, "DEVICE_COLLECTIVE"): "0" for name in by_operation}
        read_proofs = dict(device)
        for name in by_operation:
            chosen = forced[name].algorithm if name in forced else _ITS_OWN
            environment[_variable(name)] = chosen.name
            read_proofs |= {} if chosen.number is None else {_variable(name): str(chosen.number)}
        files = {}
        if tree is not None and put:
            files[TUNING] = json.dumps(mpich_tuning.put_in(tree, put), indent=1) + "\n"
            environment["MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"] = f"{FOLDER}/{TUNING}"
        unsized = tuple(name for name in by_operation if name in forced or not mpich_tuning.has_sizes(name))
        return TuningFiles(files, {**environment, **device}, (), unsized, read_proofs, tuple(left_out))


_ITS_OWN = Algorithm("auto", 0)
TUNING = "mpich.json"


_FALLBACK = "MPIR_CVAR_COLLECTIVE_FALLBACK"
_PROGRESS = "MPIR_CVAR_ASYNC_PROGRESS"
_TUNING = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"
_OWN_TREE = "the library's own tree of conditions"


def _device_first(operation: str, cvars: Mapping[str, str]) -> bool:
    """`MPIR_CVAR_DEVICE_COLLECTIVES` is all, none, or by each operation's variable."""
    return {"0": True, "1": False}.get(
        cvars.get("MPIR_CVAR_DEVICE_COLLECTIVES", "2"), cvars.get(_variable(operation, "DEVICE_COLLECTIVE")) == "1"
    )


def _by_device(call: CallSignature, cvars: Mapping[str, str], trees: Mapping[str, Tree]) -> SelectedAlgorithm:
    """Known where shared memory or the network does all of it; node by node is reported as such."""
    composed = composition(trees.get(COMPOSITION), call, cvars.get(_variable(call.operation, "COMPOSITION"), "0"))
    if composed is None:
        return SelectedAlgorithm(None, _OWN_TREE, "the device chooses first, and what it chooses here is not known")
    if not in_shared_memory(call, composed):
        if call.operation in SHARED and not call.one_host and composed != "gamma":
            return SelectedAlgorithm(None, _OWN_TREE, f"the device does it host by host (composition {composed})")
        return _by_tree(call, trees)
    posix = cvars.get(_variable(call.operation, "POSIX_INTRA_ALGORITHM"), _AUTO)
    leaf = chosen(trees[SHARED_MEMORY], call) if posix == _AUTO and SHARED_MEMORY in trees else None
    if leaf is None:
        return SelectedAlgorithm(
            None, _OWN_TREE, f"the device chooses first (composition {composed}), and not its shared memory"
        )
    above = _by_tree(call, trees).algorithm
    first = f"; first calls on a communicator may still be {above}" if above else ""
    name = leaf.rpartition(f"_{call.operation}_")[2]
    return SelectedAlgorithm(
        name, f"the device's own trees, composition {composed}", f"in shared memory, on one host{first}"
    )


def _by_tree(call: CallSignature, trees: Mapping[str, Tree]) -> SelectedAlgorithm:
    leaf = chosen(trees[ABOVE], call) if ABOVE in trees else None
    if leaf is None:
        return SelectedAlgorithm(
            None, _OWN_TREE, "what it chooses here is not known" if ABOVE in trees else "it was not found"
        )
    return SelectedAlgorithm(name_of(leaf), _OWN_TREE)


_AUTO = "2"
_EAGER = "MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD"
_MESSAGES = ("MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE", "MPIR_CVAR_CH4_IPC_CMA_P2P_THRESHOLD")


def _variable(operation: str, what: str = "INTRA_ALGORITHM") -> str:
    return f"MPIR_CVAR_{operation.upper()}_{what}"


def _binding(situation: Situation) -> str:
    if not situation.pinned:
        return "none"
    if situation.cores is None:
        return "core"
    return "user:" + ",".join(map(str, situation.cores))
