"""What is too slow for `make test`: clang-tidy over the whole core, the tests marked `long`, all of every engine, the
advisories about our dependencies; and all other tests in shuffled order, and once more while others keep the cores
busy. Of what is drawn or measured many times for a page it takes a tenth; ICTUS_CAMPAIGNS=1 takes all.

Each file and each test that passed leaves a stamp of all it depends on in build/test-long, so that an interrupted
run goes on where it stopped and an unchanged tree is done at once.
"""

import hashlib
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.engines import chosen
from tools.audit import audit
from tools.prove_suite import busy_cores

ROOT = Path(__file__).parent.parent
STAMPS = ROOT / "build/test-long"
TOOLS = ROOT / ".venv/bin"
SOURCES = (".py", ".c", ".cmake", ".cpp", ".f90", ".h", ".hpp", ".json", ".lock", ".supp", ".toml", ".txt")
LONG = (str(TOOLS / "python"), "-m", "pytest", "-m", "long", "--quiet", "-rs")
NOTHING_CHOSEN = 5
"""Exit code of pytest where no test has the marks."""


@dataclass(frozen=True)
class Task:
    """One thing to check, and the state of all that it depends on."""

    name: str
    command: tuple[str, ...]
    state: str

    @property
    def stamp(self) -> Path:
        """There when it has passed in this state."""
        return STAMPS / hashlib.sha256("\0".join((self.name, *self.command, self.state)).encode()).hexdigest()[:24]


def digest(paths: Iterable[Path]) -> str:
    """Hash of names and contents."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def files(folder: str, *suffixes: str) -> list[Path]:
    """Files below a folder of the tree."""
    return [path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes and path.is_file()]


def tidy_tasks() -> list[Task]:
    """clang-tidy for each file of the core; all of them depend on every header."""
    wrapper = ROOT / ".venv/mpi/mpich/bin/mpicxx"
    include = wrapper.parent.parent / "include"
    data = f'-DICTUS_TEST_DATA="{ROOT / "tests/data"}"'
    flags = ("-std=c++20", "-Inative/src", "-Inative/include", "-Inative/tests", f"-isystem{include}", data)
    shared = digest([ROOT / ".clang-tidy", *files("native", ".hpp", ".h")])
    return [
        Task(
            f"clang-tidy {path.relative_to(ROOT)}",
            (str(TOOLS / "clang-tidy"), "--quiet", str(path.relative_to(ROOT)), "--", *flags),
            shared + digest([path]),
        )
        for path in sorted(files("native", ".cpp"))
    ]


def test_tasks() -> list[Task]:
    """Each test marked `long`, of the engines that are here too; all of them depend on the whole tree."""
    state = whole_state()
    engines = [engine.name for engine in chosen(["all"]) if not engine.complaint]
    words = ((), *(("--engine", name) for name in engines))
    return [Task(test, (*LONG, *of_engine, test), state) for of_engine in words for test in long_tests(*of_engine)]


def long_tests(*of_engine: str) -> list[str]:
    """Their names."""
    command = (*LONG, *of_engine, "--collect-only", "--no-header")
    listing = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if listing.returncode not in (0, NOTHING_CHOSEN):
        sys.exit(f"test-long: the tests cannot be collected:\n{listing.stdout}")
    return [line for line in listing.stdout.splitlines() if "::" in line]


def whole_state() -> str:
    """The state of all that a test depends on, and how much of what is drawn it takes."""
    folders = ("src", "native", "tests", "tools", "requirements")
    sources = (path for folder in folders for path in files(folder, *SOURCES))
    tree = digest((*sources, *files("docs/tutorials", ".md")))  # their blocks are tests
    return f"{tree} {os.environ.get('ICTUS_CAMPAIGNS', '1')}"


def shuffled_tasks() -> list[Task]:
    """All other tests, files and tests in an order that this tree has for itself (tests/conftest.py)."""
    state = whole_state()
    words = ("env", f"ICTUS_SHUFFLED={state[:8]}", str(TOOLS / "python"), "-m", "pytest", "--quiet")
    marks = ("not long and not mpi", "not long and mpi")
    return [Task(f"shuffled by {state[:8]}: {mark}", (*words, "-m", mark), state) for mark in marks]


def engine_tasks() -> list[Task]:
    """The other tests of each engine that a package brings; one that is missing fails, and says how it is installed."""
    state = whole_state()
    return [Task(f"engine {engine.name}", ("tools/test_engines", engine.name), state) for engine in chosen(["all"])]


def busy_tasks() -> list[Task]:
    """Each file of tests, for a machine whose cores others keep busy."""
    state, words = whole_state(), (str(TOOLS / "python"), "-m", "pytest", "-m", "not long", "--quiet")
    names = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests").rglob("test_*.py"))]
    return [Task(f"{name}, busy cores", (*words, name), state) for name in names]


def passed(task: Task) -> bool:
    """Run a task unless it is stamped; a failure is printed whole."""
    if task.stamp.exists():
        return True
    done = subprocess.run(
        task.command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode in (0, NOTHING_CHOSEN):
        task.stamp.touch()
        return True
    print(f"\nFAILED {task.name}\n$ {shlex.join(task.command)}\n{done.stdout}", flush=True)
    return False


def run(what: str, tasks: Sequence[Task], check: Callable[[Task], bool], n_workers: int) -> int:
    """Number of failures; says how far it is after each task that was not stamped."""
    waiting = [task for task in tasks if not task.stamp.exists()]
    print(f"{what}: {len(tasks)}, of which {len(tasks) - len(waiting)} passed before", flush=True)
    failures = 0
    with ThreadPoolExecutor(n_workers) as pool:
        for done, (task, good) in enumerate(zip(waiting, pool.map(check, waiting), strict=True), start=1):
            failures += not good
            print(f"  {done} of {len(waiting)}: {'passed' if good else 'failed'} {task.name}", flush=True)
    return failures


def main() -> int:
    """Exit code 1 when anything failed."""
    STAMPS.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("ICTUS_CAMPAIGNS", "0.1")
    tidy, tests, engines, shuffled, busy = tidy_tasks(), test_tasks(), engine_tasks(), shuffled_tasks(), busy_tasks()
    failed = run("clang-tidy", tidy, passed, os.cpu_count() or 1) + run("long tests", tests, passed, 1)
    failed += run("engines", engines, passed, 1)
    failed += audit() + run("shuffled tests", shuffled, passed, 1)
    with busy_cores():
        failed += run("tests on busy cores", busy, passed, 1)
    print(f"{len(tidy) + len(tests) + len(engines) + 1 + len(shuffled) + len(busy) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
