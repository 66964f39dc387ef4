"""The interface of family flavour: all differences between MPI libraries, and nothing else."""
# ruff: noqa: ARG002 (an answer that holds for every library looks at none of its arguments)

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.model.algorithm import (
    COLLECTIVES,
    STEPS,
    Algorithm,
    CallSignature,
    Knob,
    LaunchEvidence,
    Offer,
    SelectedAlgorithm,
    Setting,
)
from ictus.model.errors import UsageError
from ictus.model.job import Hosts
from ictus.model.job_size import ANYWHERE
from ictus.model.library import Installation
from ictus.mpi.tuning_files import AlgorithmRange, TuningFiles


@dataclass(frozen=True)
class Simulation:
    """The platform that simulated ranks run on, ready to be used."""

    library: Path
    """What the simulator makes the platform with."""
    hostfile: Path
    """The host of each rank."""
    description: str
    """The words that go to the library."""
    reading_s: float
    """What reading a clock costs."""


@dataclass(frozen=True)
class Situation:
    """The facts about a launch that decide which options it needs."""

    n_ranks: int
    oversubscribed: bool = False
    """More ranks than cores: ranks must yield while they wait, and cannot be pinned one per core."""
    pin: bool = True
    cores: tuple[int, ...] | None = None
    """The cores to pin to, named only when this process may not use all of the machine's: launchers ignore that limit
    and would pin to the machine's first cores."""
    one_host: bool = True
    """All ranks on this host."""
    as_root: bool = False
    hosts: Hosts | None = None
    """Hosts to name to the launcher. Ranks are not pinned there: hosts made of namespaces share the machine's cores,
    and each would pin its first rank to the first core."""
    nodes: int = ANYWHERE
    """Nodes to start on; 0 leaves it to the launcher."""
    ppn: int = ANYWHERE
    """Ranks on each."""
    map_by: str = "core"
    """What consecutive ranks take in turn: cores of one node, its sockets, or nodes."""
    node_names: tuple[str, ...] = ()
    """The nodes of the allocation by name, where they are known and more than are asked for."""
    simulation: Simulation | None = None
    """The simulated platform of a simulated library."""

    @property
    def pinned(self) -> bool:
        """Whether each rank gets a core of its own."""
        return self.pin and not self.oversubscribed


@dataclass(frozen=True)
class Choice:
    """The values that a library offers, through MPI_T, for a control variable."""

    description: str = ""
    items: tuple[tuple[int, str], ...] = ()
    """Value and name, where it has an enumeration."""


@dataclass(frozen=True)
class SetVariable:
    """A variable that Ictus sets for the ranks of a library: a default, which the user's own value replaces."""

    name: str
    when: str
    """`as root`, `more ranks than cores`."""
    why: str
    """One sentence without its full stop."""


Refused = Callable[[tuple[str, ...]], str]
"""The output of a launch of one rank with these launcher options, which the library is expected to refuse."""


class Flavour:
    """One family of MPI libraries, recognised by the answers of its compiler wrapper, or by MPI_Get_library_version.

    Each method has the answer for an unknown library; a member overrides what differs. The variables of
    `run_environment` are defaults: the user's own value in the shell or in the plan wins, except where the flavour's
    launcher cannot work otherwise (`own_variables`). Each has its reason in `sets`.
    """

    name: str
    """The word for it everywhere."""
    summary: str
    """One line for lists."""
    wheels: tuple[str, ...] = ()
    """Packages on PyPI that bring it into the environment that they are installed in."""
    wrapper_names: tuple[str, ...] = ("mpicxx", "mpic++")
    """Names of its C++ wrappers, the preferred first, without a distribution's suffix."""
    launcher_names: tuple[str, ...] = ("mpiexec", "mpirun")
    """Names of its launchers, the preferred first, without a distribution's suffix."""
    version_arguments: tuple[str, ...] = ("-v",)
    """Arguments that make the wrapper print its library's name and version."""
    version_pattern: re.Pattern[str] | None = None
    """Matches the wrapper's output for this flavour alone; group 1 is the version. None: the wrapper does not say."""
    library_pattern: re.Pattern[str] | None = None
    """The same for MPI_Get_library_version, which is used where no wrapper says."""
    build_info_arguments: tuple[str, ...] = ()
    """Program beside the wrapper, with arguments, that prints how the library was built; may be empty."""
    simulated: bool = False
    """Whether ranks, network and time are simulated: nothing of this machine is measured, and the wrapper alone can
    compile."""
    prefix_variables: tuple[str, ...] = ()
    """Variables by which sites and their modules name the folder that it is installed in."""
    steering_variables: tuple[str, ...] = ()
    """Beginnings of the names of variables that change its control variables."""
    sets: tuple[SetVariable, ...] = ()
    """All variables that `run_environment` may set, each with its reason."""
    evidence_variables: tuple[str, ...] = ()
    """Of the variables of `use` those that only make the library tell what it did: a program does without them."""
    algorithm_variables: re.Pattern[str] | None = None
    """Matches the beginning of the names of variables that select algorithms of collectives."""
    rank_variables: tuple[str, ...] = ()
    """Beginnings of the names by which its launcher tells each rank who it is: nobody else can set them."""
    launch_variables: tuple[str, ...] = ()
    """Beginnings of the names that its launcher gives its ranks: who finds them would join that launch."""
    own_variables: tuple[str, ...] = ()
    """Variables that a launch needs as they are: they point to the installation, describe the launch, or allow it.
    Those of the shell are not taken where Ictus sets them, and a plan that has another value is refused.
    """
    plugins: tuple[str, ...] = ()
    """Slurm's plug-ins that can introduce its ranks to each other, the best first; none where it is not known."""
    forewords: tuple[str, ...] = ()
    """Regular expressions of the beginnings of paragraphs that say only that there was a failure, before its cause."""
    afterwords: tuple[str, ...] = ()
    """Patterns of the beginnings of lines that its launcher or the library adds to every failure: never its cause."""
    end_announcement: str = ""
    """Pattern of the beginning of a line by which its launcher or a rank says that the launch ends, where it may hang
    then.
    """
    needs_loopback: bool = False
    """Whether its launcher needs connections over 127.0.0.1."""
    shows_functions: bool = False
    """Whether its algorithms are exported functions, so that it can be seen which one a call enters."""
    tuned_by_variables: bool = True
    """Whether variables that ranks read choose its algorithms; False: words for the launcher do, for all sizes."""

    def build_info(self, output: str) -> str:
        """The lines of that output that say which compiler and options the library was built with."""
        return "unknown"

    def compile_environment(self, installation: Installation) -> dict[str, str]:
        """Variables that the wrapper needs; none where it finds itself."""
        return {}

    def run_environment(self, installation: Installation, situation: Situation) -> dict[str, str]:
        """Variables that launcher and ranks need in this situation."""
        return {}

    def placement(self, installation: Installation, situation: Situation) -> tuple[str, ...]:
        """Launcher options: the number of ranks and where each runs. The number alone, which every mpiexec knows
        (MPI 4.1, 11.5); hosts cannot be named to an unknown launcher: UsageError.
        """
        if situation.hosts is not None:
            raise UsageError(f"{installation.label}: how hosts are named to the launcher of {self.name} is not known")
        if situation.nodes or situation.map_by != "core":
            what = f"--nodes {situation.nodes}" if situation.nodes else f"--map-by {situation.map_by}"
            raise UsageError(
                f"{what}: how the launcher of {self.name} is told so is not known; use --launcher with the site's "
                f"own, or a template"
            )
        return ("-n", str(situation.n_ranks))

    def exports(self, variables: Mapping[str, str]) -> tuple[str, ...]:
        """Launcher options that hand `variables` to the ranks, on every host; none where ranks inherit them."""
        return ()

    def algorithms(self, choices: Mapping[str, Choice], refused: Refused) -> Offer:
        """The algorithms that this installation offers for its collectives, by operation. `choices` has the possible
        values of its control variables; `refused` launches with an invalid choice, for libraries that list their
        algorithms only in that error.
        """
        return {}

    def selects(self, operation: str, variable: str) -> bool:
        """Whether a variable decides which algorithm an operation takes: it selects algorithms, and its name has this
        operation or none.
        """
        pattern = self.algorithm_variables
        return pattern is not None and bool(pattern.match(variable)) and named_collective(variable) in (operation, "")

    def hinders(self, operation: str, variable: str) -> bool:
        """Whether a variable that selects algorithms keeps one from being taken that another variable or a tuning file
        selects.
        """
        return self.selects(operation, variable) and named_collective(variable) == operation

    def control_variable(self, variable: str) -> str:
        """The control variable that shows the value of a variable of the environment."""
        return variable

    def use(self, forced: Mapping[str, Algorithm]) -> Setting:
        """The setting that makes a launch use these algorithms, by operation, with the evidence that it did. An
        operation without `algorithms` is refused before.
        """
        return Setting()

    def selected_algorithm(self, call: CallSignature, launch: LaunchEvidence) -> SelectedAlgorithm:
        """Which algorithm it took for a call in a launch."""
        return SelectedAlgorithm(None, self.name, "how this library chooses its algorithms is not known")

    def knobs(self, operation: str, cvars: Mapping[str, str], *, spread: bool) -> tuple[Knob, ...]:
        """Settings that may make an operation faster, of those that a launch with these variables has. `spread`:
        whether there are several packages of cores to place ranks on.
        """
        return ()

    def message_knobs(self, cvars: Mapping[str, str]) -> tuple[Knob, ...]:
        """Limits of eager messages and their like, around those that a launch with these variables has: what decides
        how fast messages between two processes are.
        """
        return ()

    def choice_tree(self, installation: Installation) -> Mapping[str, Any] | None:
        """The library's own tree of conditions, which a tuning file has to repeat; None where it needs none."""
        return None

    def tuning_files(self, ranges: Sequence[AlgorithmRange], tree: Mapping[str, Any] | None = None) -> TuningFiles:
        """The files and variables that make it take these algorithms, sorted by `tuning_files.key`."""
        return TuningFiles(left_out=tuple(ranges))

    def progress_variable(self, cvars: Mapping[str, str]) -> tuple[str, str] | None:
        """The variable that starts a progress thread for collectives, and the control variable that then shows it;
        None where the library's control variables do not have it.
        """
        return None

    def yields(self, version: str) -> bool:
        """Whether ranks of this version can be made to yield while they wait, as oversubscribed ranks must."""
        return True


_COLLECTIVE = re.compile(
    rf"(?:^|_)((?:i?neighbor_|i)?(?:{'|'.join(sorted(COLLECTIVES, key=len, reverse=True))}))(?=_|$)", re.IGNORECASE
)


def stepped(names: Iterable[str], cvars: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The control variables of these names that are counts, each with what is tried: its own value times each step."""
    counts = [(name, int(cvars[name])) for name in names if cvars.get(name, "").isdigit()]
    return tuple((name, str(step * default)) for name, default in counts for step in STEPS)


def named_collective(variable: str) -> str:
    """The collective in the name of a variable, in our spelling: `reduce_scatter` of
    `MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM`; empty where there is none.
    """
    match = _COLLECTIVE.search(variable)
    return "" if match is None else match[1].lower()


def prefix(installation: Installation) -> str:
    """The folder that the installation lies in: two above the wrapper."""
    return str(installation.wrapper.parent.parent)


def lines_with(output: str, *names: str) -> str:
    """The lines `name: value` of `output` with these names, joined by `; `, blanks squeezed."""
    kept = (" ".join(line.split()) for line in output.splitlines() if line.strip().startswith(names))
    return "; ".join(kept) or "unknown"
