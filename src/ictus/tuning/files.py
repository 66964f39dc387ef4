"""Remedies as files that a library reads, and the variables that make it read them: one writer for each library.

What was confirmed is written and nothing else: an algorithm is chosen for the sizes between the first and the last of
neighbouring sizes at which it was confirmed, and for the number of processes that it was confirmed with. All else stays
the library's own choice, where its format allows.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from ictus.model.algorithm import COLLECTIVES, Setting
from ictus.tuning import mpich_tree
from ictus.tuning.choice import Choice, key
from ictus.tuning.mpich_tree import Tree

FOLDER = "{folder}"
"""Stands for the folder of the files in the variables."""


@dataclass(frozen=True)
class Written:
    """Files by name, and what makes a launch use them."""

    files: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    """With FOLDER in the place of where the files are."""
    options: tuple[str, ...] = ()
    """Words for the launcher."""
    whole: tuple[str, ...] = ()
    """Operations whose remedy the library takes for all sizes."""
    shown: Mapping[str, str] = field(default_factory=dict)
    """Control variables by which a launch shows that it read the files."""
    left_out: tuple[Choice, ...] = ()
    """What the files do not say: another algorithm is taken for all sizes of the operation."""

    def setting(self, folder: str) -> Setting:
        """As a variant's setting, with the files in that folder."""
        environment, shown = (
            {name: value.replace(FOLDER, folder) for name, value in given.items()}
            for given in (self.environment, self.shown)
        )
        return Setting(environment, self.options, shown)


Writer = Callable[[Sequence[Choice], Tree | None], Written]


def write(flavour: str, choices: Sequence[Choice], variables: Mapping[str, str], tree: Tree | None = None) -> Written:
    """The files of a library of this flavour. `variables` are settings that were confirmed besides."""
    written = WRITERS.get(flavour, _simulated)(sorted(choices, key=key), tree) if choices else Written()
    environment = {**written.environment, **variables}
    text = "".join(f"{name}={value}\n" for name, value in sorted(environment.items()))
    files = {**written.files, **({"remedy.env": text} if environment else {})}
    return replace(written, files=files, environment=environment)


RULES = "openmpi.rules"
TUNING = "mpich.json"
WORDS = "simgrid.words"


def openmpi(choices: Sequence[Choice], tree: Tree | None = None) -> Written:  # noqa: ARG001
    """Dynamic rules of component tuned, in the classic format that releases 4 and 5 read.

    A rule holds from its size (or number of processes) up to that of the next; algorithm 0 gives the choice back to the
    library. Sizes are total volumes, but of allgatherv, which counts one block.
    """
    by_operation = [(name, list(own)) for name, own in groupby(choices, key=lambda one: one.operation)]
    lines = [f"{len(by_operation)} # collectives"]
    left_out: list[Choice] = []
    for operation, own in by_operation:
        by_n = [(n, list(of_n)) for n, of_n in groupby(own, key=lambda one: one.n)]
        sections: dict[int, list[str]] = {}
        for n, of_n in by_n:
            sections[n] = _rules(of_n)
            sections.setdefault(n + 1, ["0 0 0 0 # its own choice"])
            left_out += _others(of_n, of_n[0]) if operation in WITHOUT_SIZES_OF_OPENMPI else ()
        lines += [f"{COLLECTIVES_OF_OPENMPI.index(operation)} # {operation}", f"{len(sections)} # numbers of processes"]
        for n, rules in sorted(sections.items()):
            lines += [f"{n} # processes", f"{len(rules)} # sizes", *rules]
    environment = {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "true",
        "OMPI_MCA_coll_tuned_priority": "90",
        "OMPI_MCA_coll_tuned_dynamic_rules_filename": f"{FOLDER}/{RULES}",
    }
    shown = {name.removeprefix("OMPI_MCA_"): value for name, value in environment.items()}
    whole = tuple(name for name, _ in by_operation if name in WITHOUT_SIZES_OF_OPENMPI)
    return Written({RULES: "\n".join(lines) + "\n"}, environment, (), whole, shown, tuple(left_out))


COLLECTIVES_OF_OPENMPI = (
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw", "barrier", "bcast", "exscan",
    "gather", "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "scatter", "scatterv",
)  # fmt: skip
"""In the order of their numbers in a rules file."""
assert sorted(COLLECTIVES_OF_OPENMPI) == sorted(COLLECTIVES)

WITHOUT_SIZES_OF_OPENMPI = ("alltoallv", "barrier", "exscan", "gather", "scan", "scatter")
"""Their rules hold for all sizes: it looks them up at 0 (alltoallv, barrier) or at one element of each process (exscan,
scan), and those of gather and scatter by arguments that mean nothing on some ranks, who then choose otherwise than the
others and wait for ever.
"""


def _rules(choices: Sequence[Choice]) -> list[str]:
    """Lines `size algorithm fan-out segment` of one operation and number of processes, ascending from 0."""
    if choices[0].operation in WITHOUT_SIZES_OF_OPENMPI:
        one = choices[0]
        return [f"0 {one.algorithm.number} 0 {one.segment_bytes} # {one.algorithm.name}"]
    rules = {0: "0 0 0 0 # its own choice"}
    for one in choices:
        block = one.operation == "allgatherv"
        first, last = (one.from_block, one.to_block) if block else (one.from_bytes, one.to_bytes)
        rules[first] = f"{first} {one.algorithm.number} 0 {one.segment_bytes} # {one.algorithm.name}"
        rules.setdefault(last + 1, f"{last + 1} 0 0 0 # its own choice")
    return [rules[size] for size in sorted(rules)]


def mpich(choices: Sequence[Choice], tree: Tree | None) -> Written:
    """A tuning file for the layer above devices, which then must not choose first: the library's own tree with the
    choices put in. Variables, for all sizes and numbers of processes, where a tree cannot say it.
    """
    by_operation = {name: list(own) for name, own in groupby(choices, key=lambda one: one.operation)}
    put: list[Choice] = []
    forced: dict[str, Choice] = {}
    left_out: list[Choice] = []
    for name, own in by_operation.items():
        if tree is None or f"collective={name}" not in tree or not all(map(mpich_tree.can_hold, own)):
            forced[name] = own[0]
            left_out += _others(own, own[0])
        elif mpich_tree.has_sizes(name):
            put += own
        else:
            for _, of_n in groupby(own, key=lambda one: one.n):
                first, *more = of_n
                put.append(first)
                left_out += _others(more, first)
    environment = {"MPIR_CVAR_DEVICE_COLLECTIVES": "percoll"}
    # MPI_T shows no texts of MPICH: that the file was read is seen by what it does
    shown = {f"MPIR_CVAR_{name.upper()}_DEVICE_COLLECTIVE": "0" for name in by_operation}
    for name in by_operation:
        chosen = forced[name].algorithm.name if name in forced else "auto"
        environment[f"MPIR_CVAR_{name.upper()}_INTRA_ALGORITHM"] = chosen
    files = {}
    if tree is not None and put:
        files[TUNING] = json.dumps(mpich_tree.put_in(tree, put), indent=1) + "\n"
        environment["MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"] = f"{FOLDER}/{TUNING}"
    whole = tuple(name for name in by_operation if name in forced or not mpich_tree.has_sizes(name))
    return Written(files, {**environment, **shown}, (), whole, shown, tuple(left_out))


def _others(own: Iterable[Choice], taken: Choice) -> list[Choice]:
    """Those that `taken`, which holds for all sizes, contradicts."""
    same = (taken.algorithm, taken.segment_bytes)
    return [one for one in own if (one.algorithm, one.segment_bytes) != same]


def _one_each(choices: Sequence[Choice]) -> tuple[dict[str, str], tuple[Choice, ...]]:
    """The algorithm of each operation, where a library takes one for all sizes, and the choices that contradict it."""
    taken: dict[str, Choice] = {}
    for one in choices:
        taken.setdefault(one.operation, one)
    left_out = tuple(other for one in taken.values() for other in _others(_of(choices, one.operation), one))
    return {name: one.algorithm.name for name, one in taken.items()}, left_out


def _of(choices: Iterable[Choice], operation: str) -> list[Choice]:
    return [one for one in choices if one.operation == operation]


def intelmpi(choices: Sequence[Choice], tree: Tree | None = None) -> Written:  # noqa: ARG001
    """`I_MPI_ADJUST_OPERATION=algorithm:from-to;...`, sizes of one block, of reduce_scatter the total; or
    `algorithm:0-...@processes-processes`, for all sizes, where an operation has choices for several numbers of
    processes: release 2021.18 tells apart either sizes or processes.

    It reads ranges as steps: the first holds from 0 on, whatever it begins with, the last for all that is above. So
    every size is in a range, and preset 0 gives the choice back: to fixed rules, for where the variable is set the
    library does not look into its tuning file.
    """
    environment: dict[str, str] = {}
    whole: list[str] = []
    left_out: list[Choice] = []
    for operation, group in groupby(choices, key=lambda one: one.operation):
        own = list(group)
        if len({one.n for one in own}) == 1:
            total = operation == "reduce_scatter"
            parts = _steps(
                (*((one.from_bytes, one.to_bytes) if total else (one.from_block, one.to_block)), one.algorithm.name)
                for one in own
            )
        else:
            whole.append(operation)
            taken = {one.n: one for one in reversed(own)}
            left_out += [other for one in taken.values() for other in _others(_at(own, one.n), one)]
            steps = _steps((n, n, taken[n].algorithm.name) for n in sorted(taken))
            parts = [f"{name}:0-{_MOST}@{processes}" for name, _, processes in (one.partition(":") for one in steps)]
        environment[f"I_MPI_ADJUST_{operation.upper()}"] = ";".join(parts)
    return Written({}, environment, whole=tuple(whole), left_out=tuple(left_out))


_MOST = 2**31 - 1


def _steps(ranges: Iterable[tuple[int, int, str]]) -> list[str]:
    """`name:from-to` from 0 to the end, ascending, with 0 between what is given."""
    parts, begin = list[str](), 0
    for first, last, name in ranges:
        parts += [f"0:{begin}-{first - 1}"] if first > begin else []
        parts.append(f"{name}:{first}-{last}")
        begin = last + 1
    return [*parts, f"0:{begin}-{_MOST}"] if begin <= _MOST else parts


def _at(choices: Iterable[Choice], n: int) -> list[Choice]:
    return [one for one in choices if one.n == n]


def simgrid(choices: Sequence[Choice], tree: Tree | None = None) -> Written:  # noqa: ARG001
    """Words for smpirun, for all sizes."""
    taken, left_out = _one_each(choices)
    words = tuple(f"--cfg=smpi/{operation}:{name}" for operation, name in taken.items())
    return Written({WORDS: "\n".join(words) + "\n"}, {}, words, tuple(taken), left_out=left_out)


def _simulated(choices: Sequence[Choice], tree: Tree | None = None) -> Written:  # noqa: ARG001
    """What the simulated launcher's libraries read."""
    taken, left_out = _one_each(choices)
    variables = {f"SIMULATED_{name.upper()}": chosen for name, chosen in taken.items()}
    return Written({}, variables, whole=tuple(taken), left_out=left_out)


WRITERS: Mapping[str, Writer] = {"openmpi": openmpi, "mpich": mpich, "intelmpi": intelmpi, "simgrid": simgrid}
