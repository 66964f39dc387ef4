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
from ictus.mpi.flavours import hydra
from ictus.mpi.flavours.flavour import Choice, Refused, Situation, lines_with

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


def _variable(operation: str, what: str = "INTRA_ALGORITHM") -> str:
    return f"MPIR_CVAR_{operation.upper()}_{what}"


def _binding(situation: Situation) -> str:
    if not situation.pinned:
        return "none"
    if situation.cores is None:
        return "core"
    return "user:" + ",".join(map(str, situation.cores))
