"""The launcher of the tests' compilers: an object is taken again exactly where compiling anew would give the same."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.native import compiled_once

SOURCE = '#include "value.h"\nint value(void) { return VALUE; }\n'


@dataclass(frozen=True)
class Bench:
    """A C file with its header, and a compiler that writes down when it really compiles."""

    folder: Path

    def compile(self, *words: str) -> "tuple[bool, subprocess.CompletedProcess[str]]":
        """Whether it was compiled, and how that ended; the object is `value.o` beside a depfile."""
        (self.folder / "value.o").unlink(missing_ok=True)
        before = self._calls()
        command = (str(self.folder / "cc"), "-MD", "-MF", "value.d", *words, "-o", "value.o", "-c", "value.c")
        ended = subprocess.run(
            (sys.executable, compiled_once.__file__, *command),
            cwd=self.folder,
            env={**os.environ, "ICTUS_OBJECTS": str(self.folder / "objects")},
            check=False,
            capture_output=True,
            text=True,
        )
        return self._calls() > before, ended

    def _calls(self) -> int:
        log = self.folder / "calls"
        return len(log.read_text().splitlines()) if log.exists() else 0


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Nothing compiled yet."""
    (tmp_path / "value.h").write_text("#define VALUE 1\n")
    (tmp_path / "value.c").write_text(SOURCE)
    compiler = tmp_path / "cc"
    compiler.write_text(f'#!/bin/sh\ncase "$*" in *-E*) ;; *) echo x >>{tmp_path}/calls;; esac\nexec cc "$@"\n')
    compiler.chmod(0o755)
    return Bench(tmp_path)


def test_the_same_text_is_compiled_once(bench: Bench) -> None:
    """The copy is the object, and what it depends on is told each time."""
    assert bench.compile("-O2")[0]
    first = (bench.folder / "value.o").read_bytes()
    (bench.folder / "value.d").unlink()
    (bench.folder / "value.c").write_text("/* said otherwise */\n" + SOURCE)
    assert not bench.compile("-O2", "-Wall", "-DUNUSED=1")[0]
    assert (bench.folder / "value.o").read_bytes() == first
    assert "value.h" in (bench.folder / "value.d").read_text()


def test_whatever_changes_code_is_compiled_again(bench: Bench) -> None:
    """An option, a macro that is used, a header, the compiler."""
    assert bench.compile("-O2")[0]
    assert bench.compile("-O1")[0]
    assert bench.compile("-O2", "-fPIC")[0]
    (bench.folder / "value.h").write_text("#define VALUE 2\n")
    assert bench.compile("-O2")[0]
    os.utime(bench.folder / "cc", (1, 1))
    assert bench.compile("-O2")[0]
    assert not bench.compile("-O2")[0]


def test_warnings_that_were_let_pass_do_not_pass_as_errors(bench: Bench) -> None:
    """What was compiled strictly serves all, anything else only those who let warnings pass."""
    (bench.folder / "value.c").write_text("int value(void) { int unused; return 1; }\n")
    compiled, ended = bench.compile("-Wall")
    assert (compiled, ended.returncode) == (True, 0)
    compiled, ended = bench.compile("-Wall", "-Werror")
    assert compiled
    assert ended.returncode != 0
    assert "unused" in ended.stderr
    (bench.folder / "value.c").write_text(SOURCE)
    assert bench.compile("-Wall", "-Werror")[0]
    assert not bench.compile()[0]


def test_a_mistake_is_said_by_the_compiler(bench: Bench) -> None:
    """Its exit code and its words, and nothing is kept."""
    for text in ("int value(void) { return }\n", '#include "nowhere.h"\n'):
        (bench.folder / "value.c").write_text(text)
        for _ in range(2):
            compiled, ended = bench.compile()
            assert (compiled, ended.returncode) == (True, 1)
            assert "error" in ended.stderr
    assert not (bench.folder / "objects").exists()
