"""MPICH: hydra launches and nothing needs to be set, but its ranks spin without yielding even when oversubscribed.

From release 5 a library initialised with MPI_THREAD_MULTIPLE yields while it waits (8 ms per barrier become 20 µs at 4
ranks on 2 cores, at about twice the latency of 2 ranks), and `MPIR_CVAR_DEFAULT_THREAD_LEVEL` turns that on for a
program that calls MPI_Init. It is set only when oversubscribed, and recorded with the launch. Release 4 ignores it and
stays slow.

Algorithms of collectives are chosen among those of the layer above devices, which then must not choose first
(`DEVICE_COLLECTIVES`). The library tells their names in the descriptions of its control variables, a value being the
place of its name. An algorithm that cannot serve a call is replaced without a word, unless `COLLECTIVE_FALLBACK` is
`print`; `error` would end the launch in MPI_Init, which itself calls collectives.
"""

import re
from collections.abc import Mapping

from ictus.model.algorithm import COLLECTIVES, Algorithm, Offer, Setting
from ictus.model.installation import Installation
from ictus.model.told import EAGER_BYTES, Knob, Launched, Signature, Told
from ictus.mpi.flavours import hydra
from ictus.mpi.flavours.flavour import Choice, Refused, Situation, lines_with
from ictus.mpi.selection import SHARED, Tree, chosen, composition, in_shared_memory, name_of
from ictus.mpi.selection_tree import ABOVE, COMPOSITION, SHARED_MEMORY, trees_of

_CHOICE = re.compile(r"^(\w+)\s+- ", re.MULTILINE)
"""`ring   - Force ring algorithm`, a line of a control variable's description."""


class Mpich:
    """MPICH and the hydra launcher that comes with it."""

    name = "mpich"
    summary = "MPICH, launched by hydra"
    wrapper_names = ("mpicxx", "mpic++")
    launcher_names = ("mpiexec", "mpiexec.hydra", "mpirun")
    version_arguments = ("-v",)
    version_pattern = re.compile(r"\bfor MPICH version (\S+)")
    build_info_arguments = ("mpichversion",)
    simulated = False

    def build_info(self, output: str) -> str:
        """Device, configuration and compilers as mpichversion prints them."""
        return lines_with(output, "MPICH Device:", "MPICH configure:", "MPICH CC:")

    def compile_environment(self, installation: Installation) -> dict[str, str]:  # noqa: ARG002
        """None: the wrapper finds itself."""
        return {}

    def run_environment(self, installation: Installation, situation: Situation) -> dict[str, str]:  # noqa: ARG002
        """Yielding when oversubscribed."""
        return {"MPIR_CVAR_DEFAULT_THREAD_LEVEL": "MPI_THREAD_MULTIPLE"} if situation.oversubscribed else {}

    def placement(self, installation: Installation, situation: Situation) -> tuple[str, ...]:  # noqa: ARG002
        """`-bind-to core`, or the list of cores, or unbound; the hosts where they are named."""
        ranks = ("-n", str(situation.n_ranks), "-bind-to", _binding(situation))
        return (*ranks, *hydra.places(situation.hosts, situation.n_ranks))

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

    def use(self, forced: Mapping[str, Algorithm]) -> Setting:
        """The algorithm of each operation, no device in between, and a line for each call that gets another one."""
        if not forced:
            return Setting()
        environment = {"MPIR_CVAR_DEVICE_COLLECTIVES": "percoll", "MPIR_CVAR_COLLECTIVE_FALLBACK": "print"}
        expected: dict[str, str] = {}
        for operation, algorithm in forced.items():
            device = _variable(operation, "DEVICE_COLLECTIVE")
            environment |= {device: "0", _variable(operation): algorithm.name}
            expected |= {device: "0", _variable(operation): str(algorithm.number)}
        fallbacks = tuple(rf"{operation.capitalize()} .*cannot be applied" for operation in forced)
        return Setting(environment, expected=expected, fallbacks=fallbacks)

    def told(self, call: Signature, launched: Launched) -> Told:
        """What was forced; else what the library's own trees choose, of the device first where it may choose."""
        where = _variable(call.operation)
        number = launched.cvars.get(where, "0")
        if number != "0":
            named = (one.name for one in launched.offer.get(call.operation, ()) if str(one.number) == number)
            return Told(next(named, f"number {number}"), where)
        file = launched.environment.get(_TUNING)
        trees = {} if launched.wrapper is None else trees_of(launched.wrapper)
        if file:
            return Told(None, _TUNING, f"it chooses by {file}")
        if _device_first(call.operation, launched.cvars):
            return _by_device(call, launched.cvars, trees)
        return _by_tree(call, trees)

    def knobs(self, operation: str, cvars: Mapping[str, str], *, spread: bool) -> tuple[Knob, ...]:  # noqa: ARG002
        """The limit of eager messages on a network that it knows, ranks on hardware threads or on packages in turn."""
        eager = [
            Knob(f"{_EAGER}={size}", {_EAGER: str(size)}, expected={_EAGER: str(size)})
            for size in EAGER_BYTES
            if _EAGER in cvars
        ]
        targets = ("hwthread", "socket") if spread else ("hwthread",)  # by cores is what it does anyway
        places = [Knob(f"map-by={one}", options=("-map-by", one), placement=True) for one in targets]
        return (*eager, *places)


_TUNING = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"
_OWN_TREE = "the library's own tree of conditions"


def _device_first(operation: str, cvars: Mapping[str, str]) -> bool:
    """`MPIR_CVAR_DEVICE_COLLECTIVES` is all, none, or by each operation's variable."""
    return {"0": True, "1": False}.get(
        cvars.get("MPIR_CVAR_DEVICE_COLLECTIVES", "2"), cvars.get(_variable(operation, "DEVICE_COLLECTIVE")) == "1"
    )


def _by_device(call: Signature, cvars: Mapping[str, str], trees: Mapping[str, Tree]) -> Told:
    """Where shared memory or the network does all of it, that is known; node by node is said to be so."""
    composed = composition(trees.get(COMPOSITION), call, cvars.get(_variable(call.operation, "COMPOSITION"), "0"))
    if composed is None:
        return Told(None, _OWN_TREE, "the device chooses first, and what it chooses here is not known")
    if not in_shared_memory(call, composed):
        if call.operation in SHARED and not call.one_host and composed != "gamma":
            return Told(None, _OWN_TREE, f"the device does it host by host (composition {composed})")
        return _by_tree(call, trees)
    posix = cvars.get(_variable(call.operation, "POSIX_INTRA_ALGORITHM"), _AUTO)
    leaf = chosen(trees[SHARED_MEMORY], call) if posix == _AUTO and SHARED_MEMORY in trees else None
    if leaf is None:
        return Told(None, _OWN_TREE, f"the device chooses first (composition {composed}), and not its shared memory")
    above = _by_tree(call, trees).algorithm
    first = f"; first calls on a communicator may still be {above}" if above else ""
    name = leaf.rpartition(f"_{call.operation}_")[2]
    return Told(name, f"the device's own trees, composition {composed}", f"in shared memory, on one host{first}")


def _by_tree(call: Signature, trees: Mapping[str, Tree]) -> Told:
    leaf = chosen(trees[ABOVE], call) if ABOVE in trees else None
    if leaf is None:
        return Told(None, _OWN_TREE, "what it chooses here is not known" if ABOVE in trees else "it was not found")
    return Told(name_of(leaf), _OWN_TREE)


_AUTO = "2"
_EAGER = "MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD"


def _variable(operation: str, what: str = "INTRA_ALGORITHM") -> str:
    return f"MPIR_CVAR_{operation.upper()}_{what}"


def _binding(situation: Situation) -> str:
    if not situation.pinned:
        return "none"
    if situation.cores is None:
        return "core"
    return "user:" + ",".join(map(str, situation.cores))
