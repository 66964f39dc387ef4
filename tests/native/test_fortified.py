"""Simulated ranks work where every program is fortified (Ubuntu's and Fedora's default): their jumps between stacks are
what glibc's checks of a longjmp would end the program for.
"""

import subprocess
from pathlib import Path

import pytest
from tests.native.test_plain import FILES
from tests.native.trees import NATIVE, built_tree

FORTIFIED = ("-O2", "-D_FORTIFY_SOURCE=3")
SIMULATED = [path for path in FILES if path.parent.name == "sim"]


def test_fibers_take_turns_in_a_fortified_program(tmp_path: Path) -> None:
    """Before the fix: `longjmp causes uninitialized stack frame: terminated`, exit by SIGABRT."""
    program, sources = tmp_path / "fibers", (NATIVE / "tests/programs/fibers.cpp", NATIVE / "src/transport/fiber.cpp")
    words = ("c++", "-std=c++20", *FORTIFIED, f"-I{NATIVE}/src", *map(str, sources), "-o", str(program))
    subprocess.run(words, check=True)
    ended = subprocess.run((program,), capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "12 turns\n")


@pytest.mark.long
def test_all_simulated_worlds_hold_in_fortified_programs() -> None:
    """Every program of native/tests/sim, built with these flags: nothing but the fibers' own file is exempt."""
    flags = f"-DCMAKE_CXX_FLAGS={' '.join(FORTIFIED)}"
    tree = built_tree("fortified", "-DICTUS_MPI=OFF", flags, targets=tuple(f"sim_{path.stem}" for path in SIMULATED))
    assert len(SIMULATED) > 10
    for path in SIMULATED:
        ended = subprocess.run((tree.program("sim", path.stem),), capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stdout + ended.stderr
