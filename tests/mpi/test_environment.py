"""What the ranks of a launch find in their environment."""

from dataclasses import replace
from pathlib import Path

from ictus.model.library import Installation
from ictus.mpi.environment import launch_environment


def installation(prefix: Path, origin: str = "wheel") -> Installation:
    return Installation("m", "mpich", "5.0.2", prefix / "bin/mpicxx", prefix / "bin/mpiexec", origin=origin)


def library(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).touch()
    return folder


def test_what_steers_the_library_is_passed_on(tmp_path: Path) -> None:
    """A variable that the user set in the shell reaches the launch unchanged, and is not said to be ours."""
    shell = {"UCX_TLS": "tcp", "MPIR_CVAR_BCAST_INTRA_ALGORITHM": "binomial", "HOME": "/home/x"}
    environment = launch_environment(installation(tmp_path), {}, ambient=shell)
    assert shell == environment.variables
    assert environment.changed_variables == {}
    assert environment.removed == ()


def test_variables_of_another_launcher_are_taken_out(tmp_path: Path) -> None:
    """Under mpiexec or srun the ranks of a launch must not believe that they belong to that one."""
    foreign = {
        "PMI_RANK": "0",
        "PMIX_NAMESPACE": "n",
        "OMPI_COMM_WORLD_SIZE": "4",
        "HYDI_CONTROL_FD": "5",
        "MPI_LOCALNRANKS": "2",
    }
    environment = launch_environment(installation(tmp_path), {}, ambient={**foreign, "OMPI_MCA_btl": "tcp"})
    assert environment.variables == {"OMPI_MCA_btl": "tcp"}
    assert tuple(sorted(foreign)) == environment.removed


def test_the_shell_wins_over_the_flavour_and_the_plan_over_both(tmp_path: Path) -> None:
    """A flavour's variable is a default."""
    environment = launch_environment(
        installation(tmp_path),
        {"A": "flavour", "B": "flavour", "C": "flavour"},
        {"C": "plan"},
        {"B": "shell", "C": "shell"},
    )
    assert environment.changed_variables == {"A": "flavour", "B": "shell", "C": "plan"}
    assert environment.variables == environment.changed_variables


def test_unset_leaves_a_variable_out_whoever_set_it(tmp_path: Path) -> None:
    """The shell's, and those that Ictus sets by itself."""
    environment = launch_environment(
        installation(tmp_path), {"A": "flavour"}, {"A": "unset", "B": "unset", "C": "c"}, {"A": "shell", "B": "shell"}
    )
    assert environment.variables == environment.changed_variables == {"C": "c"}
    assert environment.own_variables == {}


def test_who_set_what_steers_the_library_is_known(tmp_path: Path) -> None:
    """The shell's first; variables of other libraries are not named."""
    environment = launch_environment(
        installation(tmp_path),
        {"MPIR_CVAR_DEFAULT_THREAD_LEVEL": "MPI_THREAD_MULTIPLE", "MPIR_A": "flavour"},
        {"FI_PROVIDER": "tcp"},
        {"MPIR_A": "1", "OMPI_MCA_pml": "ucx", "HOME": "/x"},
    )
    assert environment.own_variables == {"MPIR_CVAR_DEFAULT_THREAD_LEVEL": "MPI_THREAD_MULTIPLE"}
    assert environment.steering == (
        "MPIR_A=1 (shell)",
        "FI_PROVIDER=tcp (plan)",
        "MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_MULTIPLE (Ictus)",
    )


def test_what_is_compiled_for_the_standard_abi_finds_the_library_of_its_launch(tmp_path: Path) -> None:
    """Before all other folders, and on every host; a library with its own ABI is found by the program itself."""
    own = installation(tmp_path / "m")
    shared = replace(own, abi_wrapper=tmp_path / "other/bin/mpicxx_abi")
    assert launch_environment(shared, {}, ambient={}).changed_variables == {"LD_LIBRARY_PATH": f"{tmp_path}/m/lib"}
    found = launch_environment(shared, {}, ambient={"LD_LIBRARY_PATH": "/compiler/lib"})
    assert found.variables == {"LD_LIBRARY_PATH": f"{tmp_path}/m/lib:/compiler/lib"}
    planned = launch_environment(shared, {}, {"LD_LIBRARY_PATH": "/plan"}, {"LD_LIBRARY_PATH": "/compiler/lib"})
    assert planned.variables == {"LD_LIBRARY_PATH": f"{tmp_path}/m/lib:/plan"}
    assert launch_environment(own, {}, ambient={}).changed_variables == {}


def test_i_mpi_root_always_points_to_the_installation(tmp_path: Path) -> None:
    """A foreign I_MPI_ROOT would lead Intel's tools to another release."""
    environment = launch_environment(installation(tmp_path), {"I_MPI_ROOT": "/own"}, ambient={"I_MPI_ROOT": "/other"})
    assert environment.variables == {"I_MPI_ROOT": "/own"}


def test_a_foreign_mpi_in_the_library_path_is_left_out_with_a_warning(tmp_path: Path) -> None:
    """Only the folder that holds another MPI goes; its name is said."""
    foreign = library(tmp_path / "other/lib", "libmpi.so.12")
    compiler = library(tmp_path / "gcc/lib64", "libstdc++.so.6")
    shell = {"LD_LIBRARY_PATH": f"{foreign}:{compiler}"}
    environment = launch_environment(installation(tmp_path / "mpich"), {}, ambient=shell)
    assert environment.variables == {"LD_LIBRARY_PATH": str(compiler)}
    expected = f"LD_LIBRARY_PATH: left out {foreign} for m: it holds libraries of another MPI"
    assert environment.warnings == (expected,)


def test_a_network_library_is_foreign_to_a_wheel_but_not_to_a_site_s_mpi(tmp_path: Path) -> None:
    """A module's MPI may need the libfabric of another module; the wheel brings its own and dies of an older one."""
    fabric = library(tmp_path / "fabric/lib", "libfabric.so.1")
    shell = {"LD_LIBRARY_PATH": str(fabric)}
    assert launch_environment(installation(tmp_path / "m"), {}, ambient=shell).variables == {}
    assert launch_environment(installation(tmp_path / "m", "module"), {}, ambient=shell).variables == shell


def test_the_installation_s_own_folder_stays(tmp_path: Path) -> None:
    """LD_LIBRARY_PATH as the module of this very MPI sets it."""
    own = library(tmp_path / "mpich/lib", "libmpi.so.12", "libfabric.so.1")
    shell = {"LD_LIBRARY_PATH": str(own)}
    environment = launch_environment(installation(tmp_path / "mpich"), {}, ambient=shell)
    assert shell == environment.variables
    assert environment.warnings == ()
