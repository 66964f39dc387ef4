"""The core and its tests by every compiler at hand: gcc from 12 on, and clang. Warnings are errors, and the C and C++
libraries check bounds (-DICTUS_HARDEN=ON).

Ictus measures with the compiler below the MPI wrapper, which is the user's choice. `apt-get install clang-19` and the
like bring another one here.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.launch_document import launch_document
from tests.native.launching import start
from tests.native.test_plain import FILES
from tests.native.trees import built_tree, installation

pytestmark = pytest.mark.long

COMPILERS = ("c++", *(f"g++-{n}" for n in range(12, 18)), "clang++", *(f"clang++-{n}" for n in range(14, 25)))
PLAN = """\
launch ranks=2 seed=42 clock=tsc clocksync=hca3(span=20ms,fitpoints=50,exchanges=20) output={output}
case id=0 op=bcast size=8 repetition=fixed(100) procsync=window
case id=1 op=allreduce size=1024 repetition=fixed(100) procsync=barrier
"""


def _numbered(name: str) -> str:
    """The path of a compiler; skipped, with its name, where this machine has none of it."""
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"no {name}")
    same = [other for other in COMPILERS[: COMPILERS.index(name)] if _version(other) == _version(name)]
    if same:
        pytest.skip(f"{name} is {same[0]}")
    return program


def _version(name: str) -> str | None:
    """What a compiler says of itself, without the name that it was called by; paths end at ccache for all of them."""
    program = shutil.which(name)
    if program is None:
        return None
    said = subprocess.run((program, "--version"), capture_output=True, text=True, check=True).stdout
    return said.partition(" ")[2]


@pytest.mark.parametrize("name", COMPILERS)
def test_all_claims_without_mpi_hold_by_a_compiler(name: str) -> None:
    """Unit tests and simulated worlds, optimised and hardened."""
    words = ("-DICTUS_MPI=OFF", "-DICTUS_HARDEN=ON", f"-DCMAKE_CXX_COMPILER={_numbered(name)}")
    tree = built_tree(f"compiler-{name}", *words)
    assert len(FILES) > 50
    for path in FILES:
        program = tree.program(path.parent.name, path.stem)
        done = subprocess.run((program,), capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, f"{path.name}\n{done.stdout}{done.stderr}"


@pytest.mark.mpi
@pytest.mark.parametrize("name", COMPILERS)
def test_a_core_by_a_compiler_measures(name: str, tmp_path: Path) -> None:
    """On MPICH, hardened: the record names the flags, so that no launch of such a core passes for a usual one."""
    compiler = f"-DCMAKE_CXX_COMPILER={_numbered(name)}"
    wrapper = f"-DMPI_CXX_COMPILER={installation('mpich').wrapper}"
    tree = built_tree(f"compiler-{name}-mpich", "-DICTUS_HARDEN=ON", compiler, wrapper, targets=("ictus-bench",))
    (tmp_path / "arguments.txt").write_text(PLAN.format(output=tmp_path))
    core = tree.folder / "ictus-bench"
    ended = start("mpich", 2, core, "--plan", tmp_path / "arguments.txt", folder=tmp_path)
    assert ended.exit_code == 0, ended.output + ended.error
    launch = launch_document(tmp_path)
    assert [case["valid"] for case in launch["cases"]] == [100, 100]
    for flag in ("-D_FORTIFY_SOURCE=3", "-D_GLIBCXX_ASSERTIONS", "-fstack-protector-strong"):
        assert flag in str(launch["build"])
