"""The core and its tests by every compiler at hand: gcc from 12 on, and clang. Warnings are errors, and the C and C++
libraries check bounds (-DICTUS_HARDEN=ON).

Ictus measures with the compiler below the MPI wrapper, which is the user's choice. `apt-get install clang-19` and the
like bring another one here.
"""

from pathlib import Path

import pytest
from tests import engines
from tests.launch_document import launch_document
from tests.native.launching import start
from tests.native.test_plain import FILES, check_whole, name as file_name
from tests.native.trees import built_tree, claims, installation

pytestmark = pytest.mark.engine("compilers")

KNOWN = ("c++", *(f"g++-{n}" for n in range(12, 18)), "clang++", *(f"clang++-{n}" for n in range(14, 25)))
PLACES = {path.resolve(): name for name in reversed(KNOWN) if (path := engines.program(name)) is not None}
COMPILERS = sorted(PLACES.values(), key=KNOWN.index)
"""Each under one of its names, those without a number first."""
PLAN = """\
launch ranks=2 seed=42 clock=tsc clocksync=hca3(span=20ms,fitpoints=50,exchanges=20) output={output}
case id=0 op=bcast size=8 repetition=fixed(100) procsync=window
case id=1 op=allreduce size=1024 repetition=fixed(100) procsync=barrier
"""


@pytest.mark.parametrize("name", COMPILERS)
def test_all_claims_without_mpi_hold_by_a_compiler(name: str) -> None:
    """Unit tests and simulated worlds, optimised and hardened."""
    words = ("-DICTUS_MPI=OFF", "-DICTUS_HARDEN=ON", f"-DCMAKE_CXX_COMPILER={engines.program(name)}")
    tree = built_tree(f"compiler-{name}", *words, targets=("claims",))
    for source in FILES:
        check_whole(tree.claims(file_name(source)), len(claims(source)))


@pytest.mark.mpi
@pytest.mark.parametrize("name", COMPILERS)
def test_a_core_by_a_compiler_measures(name: str, tmp_path: Path) -> None:
    """On MPICH, hardened: the record names the flags, so that no launch of such a core passes for a usual one."""
    compiler = f"-DCMAKE_CXX_COMPILER={engines.program(name)}"
    wrapper = f"-DMPI_CXX_COMPILER={installation('mpich').wrapper}"
    tree = built_tree(f"compiler-{name}-mpich", "-DICTUS_HARDEN=ON", compiler, wrapper, targets=("ictus-bench",))
    (tmp_path / "arguments.txt").write_text(PLAN.format(output=tmp_path))
    core = tree.folder / "ictus-bench"
    ended = start("mpich", 2, core, "--plan", tmp_path / "arguments.txt", folder=tmp_path)
    assert ended.exit_code == 0, ended.output + ended.error
    launch = launch_document(tmp_path)
    assert [case["valid"] for case in launch["cases"]] == [100, 100]
    for flag in ("-D_FORTIFY_SOURCE=3", "-D_GLIBCXX_ASSERTIONS", "-fstack-protector-strong"):
        assert flag in launch["core"]["flags"]
