"""SimGrid's SMPI: not a library to compare, but a simulator of the same program with hundreds or thousands of ranks.

All ranks run in one process, on a described platform, in simulated time. So clock synchronisation can be compared with
the truth, at any scale, and repeated to the last digit. Speeds are those of the platform, not of a library.

Each setting of the simulator has a reason:

- computing takes no time, and reading a clock takes what the platform says: a run does not depend on this machine;
- times are exact to 1 ps, not to 1 ns, because clocks are judged by them;
- a message takes its latency and its size over the bandwidth, without corrections (model CM02);
- small messages leave at once, as on any network, whether or not a rank waits for them;
- collectives choose their algorithms as Open MPI does, except broadcasts: from 256 ranks on these would begin with
  all-to-all exchanges for each communicator, whose simulation takes minutes.

It lists its algorithms only in the error about an unknown one; a run that goes on uses the selected one. If an option
for an operation occurs twice, the last one counts.
"""

import re
from collections.abc import Mapping, Sequence

from ictus.model.algorithm import (
    COLLECTIVES,
    DEFAULT,
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
from ictus.mpi.flavours.flavour import Choice, Flavour, Refused, SetVariable, Situation, lines_with
from ictus.mpi.flavours.mpich_tuning import Tree
from ictus.mpi.tuning_files import AlgorithmRange, TuningFiles, one_each

SIMULATOR = "simgrid"
"""Its name, as a library of its own."""

_EAGER_BYTES = 65536

_VALID = re.compile(r"Valid algorithms: ([^.]*)\.")
_NONE = ("automatic", DEFAULT)
"""Not offered: `automatic` runs all algorithms one after another; `default` means the choice of the settings below."""

_SETTINGS = (
    "--log=root.thres:warning",
    "--cfg=smpi/simulate-computation:no",
    "--cfg=surf/precision:1e-12",
    "--cfg=network/model:CM02",
    "--cfg=network/crosstraffic:no",
    f"--cfg=smpi/async-small-thresh:{_EAGER_BYTES}",
    f"--cfg=smpi/send-is-detached-thresh:{_EAGER_BYTES}",
    "--cfg=smpi/coll-selector:ompi",
    "--cfg=smpi/bcast:binomial_tree",
)


class SimGrid(Flavour):
    """SMPI with smpirun."""

    name = SIMULATOR
    summary = "SimGrid's SMPI, which simulates ranks, network and time"
    wrapper_names = ("smpicxx",)
    launcher_names = ("smpirun",)
    version_arguments = ("--version",)
    version_pattern = re.compile(r"\bSimGrid version (\S+)")
    build_info_arguments = ("smpirun", "-version")
    simulated = True
    sets = (SetVariable("ICTUS_PLATFORM", "always", "the platform, for the library that makes it"),)
    own_variables = ("ICTUS_PLATFORM",)
    tuned_by_variables = False

    def build_info(self, output: str) -> str:
        """The version is its only answer."""
        return lines_with(output, "SimGrid version")

    def run_environment(self, installation: Installation, situation: Situation) -> dict[str, str]:  # noqa: ARG002
        """The platform, for the library that makes it."""
        return {} if situation.simulation is None else {"ICTUS_PLATFORM": situation.simulation.description}

    def placement(self, installation: Installation, situation: Situation) -> tuple[str, ...]:  # noqa: ARG002
        """Ranks, platform, the host of each rank, settings."""
        simulation = situation.simulation
        if simulation is None:
            raise UsageError("simgrid's ranks are started on a simulated platform; other launchers have none")
        return (
            *("-np", str(situation.n_ranks)),
            *("-platform", str(simulation.library)),
            *("-hostfile", str(simulation.hostfile)),
            *_SETTINGS,
            f"--cfg=smpi/wtime:{simulation.reading_s:.17g}",
        )

    def algorithms(self, choices: Mapping[str, Choice], refused: Refused) -> Offer:  # noqa: ARG002
        """Its answer to an unknown algorithm."""
        offer = {}
        for operation in COLLECTIVES:
            match = _VALID.search(refused((_option(operation, "?"),)))
            if match is not None:
                names = match[1].split(", ")
                offer[operation] = tuple(Algorithm(name) for name in names if name not in _NONE)
        return offer

    def use(self, forced: Mapping[str, Algorithm]) -> Setting:
        """The word for each operation."""
        return Setting(options=tuple(_option(operation, algorithm.name) for operation, algorithm in forced.items()))

    def selected_algorithm(self, call: CallSignature, launch: LaunchEvidence) -> SelectedAlgorithm:  # noqa: ARG002
        """The selected algorithm and the selector."""
        if call.operation == "bcast":
            return SelectedAlgorithm("binomial_tree", "--cfg=smpi/bcast")
        return SelectedAlgorithm(None, "--cfg=smpi/coll-selector:ompi", "it chooses by the fixed rules of Open MPI")

    def knobs(self, operation: str, cvars: Mapping[str, str], *, spread: bool) -> tuple[Knob, ...]:  # noqa: ARG002
        """None: the platform is simulated, and not ours to tune."""
        return ()

    def tuning_files(self, ranges: Sequence[AlgorithmRange], tree: Tree | None = None) -> TuningFiles:  # noqa: ARG002
        """Words for smpirun, for all sizes."""
        taken, left_out = one_each(ranges)
        words = tuple(f"--cfg=smpi/{operation}:{name}" for operation, name in taken.items())
        return TuningFiles({WORDS: "\n".join(words) + "\n"}, {}, words, tuple(taken), left_out=left_out)


WORDS = "simgrid.words"


def _option(operation: str, name: str) -> str:
    return f"--cfg=smpi/{operation}:{name}"
