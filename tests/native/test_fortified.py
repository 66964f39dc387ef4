"""Simulated ranks work where every program is fortified (Ubuntu's and Fedora's default): their jumps between stacks are
what glibc's checks of a longjmp would end the program for. tests/native/test_compilers.py builds all of them so.
"""

import subprocess
from pathlib import Path

from tests.native.trees import NATIVE

FORTIFIED = ("-O2", "-D_FORTIFY_SOURCE=3")


def test_fibers_take_turns_in_a_fortified_program(tmp_path: Path) -> None:
    """Before the fix: `longjmp causes uninitialized stack frame: terminated`, exit by SIGABRT."""
    program, sources = tmp_path / "fibers", (NATIVE / "tests/programs/fibers.cpp", NATIVE / "src/transport/fiber.cpp")
    words = ("c++", "-std=c++20", *FORTIFIED, f"-I{NATIVE}/src", *map(str, sources), "-o", str(program))
    subprocess.run(words, check=True)
    ended = subprocess.run((program,), capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "12 turns\n")
