"""Intel MPI: hydra launches it; wrappers and tools find the library through I_MPI_ROOT, and variables bind its ranks.

The wheel's wrappers hold an unset prefix, and a foreign I_MPI_ROOT would lead them to another release, so I_MPI_ROOT is
always set to the prefix of this installation. The default domain of a rank is a share of the host, many cores wide on a
large one; `I_MPI_PIN_DOMAIN` reduces it to one core. The library yields by itself when oversubscribed.

Algorithms of collectives are numbers (`I_MPI_ADJUST_OPERATION`); the library reports how many there are, and ignores an
unknown number with a message at startup. Its control variables do not show what was set; at debug level 5 it prints at
startup what it read.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
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
from ictus.mpi.flavours import hydra
from ictus.mpi.flavours.flavour import Choice, Flavour, Refused, SetVariable, Situation, lines_with, prefix
from ictus.mpi.flavours.mpich_tuning import Tree
from ictus.mpi.tuning_files import AlgorithmRange, TuningFiles, contradicting

_RANGE = re.compile(r"\brange: *0-(\d+)")
"""How many presets there are, in the description of a control variable."""


class IntelMpi(Flavour):
    """Intel MPI with g++ below its wrapper, as for the other libraries of a comparison."""

    name = "intelmpi"
    summary = "Intel MPI, launched by hydra"
    wrapper_names = ("mpigxx", "mpicxx", "mpiicpx")
    launcher_names = ("mpiexec.hydra", "mpiexec", "mpirun")
    version_arguments = ("-v",)
    version_pattern = re.compile(r"\bfor the Intel\(R\) MPI Library (\S+)")
    library_pattern = re.compile(r"^Intel\(R\) MPI Library (\d\S*)")
    build_info_arguments = ("mpiexec.hydra", "-V")
    wheels = ("impi-rt", "impi-devel")
    prefix_variables = ("I_MPI_ROOT", "EBROOTIMPI")
    steering_variables = ("I_MPI_",)
    plugins = ("pmi2", "pmix")
    sets = (
        SetVariable("I_MPI_ROOT", "always", "another release's would lead its tools there"),
        SetVariable("I_MPI_PIN", "always", "whether ranks are bound to cores"),
        SetVariable("I_MPI_PIN_DOMAIN", "ranks are bound", "one core for each rank; its own domains are larger"),
        SetVariable("I_MPI_PIN_PROCESSOR_LIST", "Ictus may not use all cores", "the cores to bind to"),
        SetVariable("LD_LIBRARY_PATH", "named hosts", "its network library is not found there by itself"),
    )
    evidence_variables = ("I_MPI_DEBUG",)
    algorithm_variables = re.compile(r"I_MPI_(ADJUST_|TUNING|COLL_)")
    rank_variables = hydra.RANK_VARIABLES
    launch_variables = hydra.LAUNCH_VARIABLES
    afterwords = hydra.AFTERWORDS
    own_variables = ("I_MPI_ROOT",)

    def build_info(self, output: str) -> str:
        """The line with version and build."""
        return lines_with(output, "Intel(R) MPI Library")

    def compile_environment(self, installation: Installation) -> dict[str, str]:
        """I_MPI_ROOT."""
        return {"I_MPI_ROOT": prefix(installation)}

    def run_environment(self, installation: Installation, situation: Situation) -> dict[str, str]:
        """I_MPI_ROOT, and one core for each rank or none; the folder of its libraries for hosts that are named, where
        hydra does not find its network library by itself as it does on one host.
        """
        variables = {"I_MPI_ROOT": prefix(installation)}
        if situation.hosts is not None:
            variables["LD_LIBRARY_PATH"] = f"{prefix(installation)}/lib"
        if not situation.pinned:
            return {**variables, "I_MPI_PIN": "off"}
        if situation.cores is None:
            return {**variables, "I_MPI_PIN": "on", "I_MPI_PIN_DOMAIN": "core"}
        # no longer than needed: a list with processors to spare gives a rank several
        cores = ",".join(map(str, situation.cores[: situation.n_ranks]))
        return {**variables, "I_MPI_PIN": "on", "I_MPI_PIN_PROCESSOR_LIST": cores}

    def placement(self, installation: Installation, situation: Situation) -> tuple[str, ...]:  # noqa: ARG002
        """The number of ranks, and hosts that are named; which cores is in the environment."""
        return ("-n", str(situation.n_ranks), *hydra.places(situation))

    def exports(self, variables: Mapping[str, str]) -> tuple[str, ...]:
        """`-genv NAME VALUE`."""
        return hydra.exports(variables)

    def algorithms(self, choices: Mapping[str, Choice], refused: Refused) -> Offer:  # noqa: ARG002
        """As many numbers as the descriptions of `MPIR_CVAR_USE_OPERATION` say, without 0, which chooses none."""
        offer = {}
        for operation in COLLECTIVES:
            match = _RANGE.search(choices.get(f"MPIR_CVAR_USE_{operation.upper()}", Choice()).description)
            if match is not None:
                offer[operation] = tuple(Algorithm(str(number), number) for number in range(1, int(match[1]) + 1))
        return offer

    def use(self, forced: Mapping[str, Algorithm]) -> Setting:
        """The number of each operation."""
        if not forced:
            return Setting()
        numbers = {f"I_MPI_ADJUST_{operation.upper()}": algorithm.name for operation, algorithm in forced.items()}
        return Setting(
            {**numbers, "I_MPI_DEBUG": "5"},
            confirmed=tuple(rf"MPI startup\(\): {name}={number}$" for name, number in numbers.items()),
            refusals=(r"MPI startup\(\): Incorrect",),
        )

    def selected_algorithm(self, call: CallSignature, launch: LaunchEvidence) -> SelectedAlgorithm:
        """The algorithm forced by number; else that of its tuning file, of a format of its own, which it names at debug
        level 3.
        """
        where = f"I_MPI_ADJUST_{call.operation.upper()}"
        forced = launch.environment.get(where, "")
        if forced.isdigit():
            return SelectedAlgorithm(forced, where)
        if forced:
            return SelectedAlgorithm(
                None, where, f"it is {forced}: numbers with the sizes and processes that each is for"
            )
        file = launch.environment.get("I_MPI_TUNING_BIN", "its own for this machine")
        return SelectedAlgorithm(
            None, where, f"the tuning file chooses ({file}; I_MPI_DEBUG=3 names it), and does not report what"
        )

    def knobs(self, operation: str, cvars: Mapping[str, str], *, spread: bool) -> tuple[Knob, ...]:  # noqa: ARG002
        """The limit of eager messages, ranks close together, apart, or on packages in turn."""
        orders = ("compact", "spread", "scatter") if spread else ("compact", "spread")
        places = [Knob(f"order={order}", {"I_MPI_PIN_ORDER": order}, placement=True) for order in orders]
        return (*self.message_knobs(cvars), *places)

    def message_knobs(self, cvars: Mapping[str, str]) -> tuple[Knob, ...]:  # noqa: ARG002
        """The limit of eager messages."""
        name = "I_MPI_EAGER_THRESHOLD"
        return tuple(Knob(f"{name}={size}", {name: str(size)}) for size in EAGER_BYTES)

    def progress_variable(self, cvars: Mapping[str, str]) -> tuple[str, str] | None:
        """`I_MPI_ASYNC_PROGRESS`, which goes by another name among the control variables."""
        control_variable = next((name for name in cvars if name.endswith("ASYNC_PROGRESS")), None)
        return None if control_variable is None else ("I_MPI_ASYNC_PROGRESS", control_variable)

    def tuning_files(self, ranges: Sequence[AlgorithmRange], tree: Tree | None = None) -> TuningFiles:  # noqa: ARG002
        """`I_MPI_ADJUST_OPERATION=algorithm:from-to;...`, sizes of one block, for reduce_scatter the total; or
        `algorithm:0-...@processes-processes`, for all sizes, where an operation has ranges for several numbers of
        processes: release 2021.18 distinguishes either sizes or processes.

        It reads ranges as steps: the first holds from 0 on, whatever its beginning, and the last holds for all sizes
        above. So every size is in a range, and preset 0 returns the choice to the library's fixed rules: where the
        variable is set, the library ignores its tuning file.
        """
        environment: dict[str, str] = {}
        unsized: list[str] = []
        left_out: list[AlgorithmRange] = []
        for operation, group in groupby(ranges, key=lambda entry: entry.operation):
            ranges_of = list(group)
            if len({entry.n for entry in ranges_of}) == 1:
                total = operation == "reduce_scatter"
                parts = _steps(
                    (
                        *((entry.from_bytes, entry.to_bytes) if total else (entry.from_block, entry.to_block)),
                        entry.algorithm.name,
                    )
                    for entry in ranges_of
                )
            else:
                unsized.append(operation)
                taken = {entry.n: entry for entry in reversed(ranges_of)}
                left_out += [
                    entry for choice in taken.values() for entry in contradicting(_at(ranges_of, choice.n), choice)
                ]
                steps = _steps((n, n, taken[n].algorithm.name) for n in sorted(taken))
                parts = [
                    f"{name}:0-{_MOST}@{processes}" for name, _, processes in (step.partition(":") for step in steps)
                ]
            environment[f"I_MPI_ADJUST_{operation.upper()}"] = ";".join(parts)
        return TuningFiles({}, environment, unsized=tuple(unsized), left_out=tuple(left_out))


_MOST = 2**31 - 1


def _steps(ranges: Iterable[tuple[int, int, str]]) -> list[str]:
    """`name:from-to` from 0 to the end, ascending, with 0 in the gaps."""
    parts, begin = list[str](), 0
    for first, last, name in ranges:
        parts += [f"0:{begin}-{first - 1}"] if first > begin else []
        parts.append(f"{name}:{first}-{last}")
        begin = last + 1
    return [*parts, f"0:{begin}-{_MOST}"] if begin <= _MOST else parts


def _at(ranges: Iterable[AlgorithmRange], n: int) -> list[AlgorithmRange]:
    return [entry for entry in ranges if entry.n == n]
