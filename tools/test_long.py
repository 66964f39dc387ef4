"""What is too slow for `make test`: the tests marked `long`, all of every engine, all other tests in shuffled order and
once more while others keep the cores busy, the advisories about our dependencies, and clang-tidy over the whole core.
Of what is drawn or measured many times for a page it takes a tenth; ICTUS_CAMPAIGNS=1 takes all.

What passed is written below build/test-long, in a folder of this state of the tree: an interrupted run goes on where it
stopped, and an unchanged tree is done at once. The table at the end has all of them. `python -m tools.test_long engine`
runs the stages whose names begin so.
"""

import contextlib
import functools
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.engines import chosen
from tests.passed_before import JOURNAL, add, read
from tools.audit import audit
from tools.prove_suite import busy_cores
from tools.suite import STAGES, Row, in_own_folder, processor_s, stage, summed, table

ROOT = Path(__file__).parent.parent
PASSED = ROOT / "build/test-long"
TOOLS = ROOT / ".venv/bin"
SOURCES = (".py", ".c", ".cmake", ".cpp", ".f90", ".h", ".hpp", ".json", ".lock", ".supp", ".toml", ".txt")


@dataclass(frozen=True)
class Stage:
    """A run of pytest, one line of the table."""

    name: str
    marks: str
    how: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    busy: bool = False


def stages(state: str) -> Iterator[Stage]:
    """All of them; the order in which tests are shuffled is this tree's own."""
    yield from (Stage(f"long {name}", marks.removeprefix("not "), how) for name, marks, how in STAGES)
    yield from (Stage(f"engine {one.name}", "", ("--engine", one.name)) for one in chosen(["all"]))
    yield from (Stage(f"shuffled {name}", marks, how, {"ICTUS_SHUFFLED": state[:8]}) for name, marks, how in STAGES)
    yield from (Stage(f"busy {name}", marks, how, busy=True) for name, marks, how in STAGES)


def run(one: Stage, folder: Path) -> Row:
    """What has passed now and before, with the seconds of all these tests; what failed or was skipped now. Without any
    test it has failed: nobody would see that its marks are wrong.
    """
    journal = folder / f"{one.name}.jsonl"
    words = ("-p", "tests.passed_before")
    with busy_cores() if one.busy else contextlib.nullcontext():
        row = stage(one.name, one.marks, one.how, words, **one.environment, **{JOURNAL: str(journal)})
    passed = read(journal)
    failed = row.failed or int(not passed and not row.skipped)
    tests = len(passed) + failed + row.skipped
    return Row(one.name, sum(passed.values()), row.processor_s, tests, failed, row.skipped)


def digest(paths: Iterable[Path]) -> str:
    """Hash of names and contents."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def files(folder: str, *suffixes: str) -> list[Path]:
    """Files below a folder of the tree."""
    return [path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes and path.is_file()]


def whole_state() -> str:
    """The state of all that a test depends on, and how much of what is drawn it takes."""
    folders = ("src", "native", "tests", "tools", "requirements", "examples")
    sources = (path for folder in folders for path in files(folder, *SOURCES))
    tree = digest((*sources, ROOT / "pyproject.toml", *files("docs/tutorials", ".md")))  # their blocks are tests
    return hashlib.sha256(f"{tree} {os.environ['ICTUS_CAMPAIGNS']}".encode()).hexdigest()[:24]


def tidy() -> Row:
    """clang-tidy for each file of the core; all of them depend on every header, and on nothing else here."""
    include = ROOT / ".venv/mpi/mpich/include"
    data = f'-DICTUS_TEST_DATA="{ROOT / "tests/data"}"'
    flags = ("-std=c++20", "-Inative/src", "-Inative/include", "-Inative/tests", f"-isystem{include}", data)
    shared = digest([ROOT / ".clang-tidy", *files("native", ".hpp", ".h")])
    journal = PASSED / "clang-tidy.jsonl"
    sources = {f"{path.relative_to(ROOT)} {shared} {digest([path])}": path for path in files("native", ".cpp")}

    def check(name: str) -> bool:
        begun = time.monotonic()
        command = (str(TOOLS / "clang-tidy"), "--quiet", str(sources[name].relative_to(ROOT)), "--", *flags)
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            add(journal, name, time.monotonic() - begun)
        else:
            print(done.stdout, flush=True)
        return done.returncode == 0

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        failed = [*pool.map(check, sorted(sources.keys() - read(journal).keys()))].count(False)
    passed = read(journal)
    return Row("clang-tidy", sum(passed[name] for name in sources.keys() & passed.keys()), 0, len(sources), failed)


def advisories() -> Row:
    """A test for each lock file."""
    failed = audit()
    return Row("advisories", 0, 0, len(files("requirements", ".lock")), failed)


def main() -> int:
    """Exit code 1 when anything failed or was skipped. Words choose stages by how their names begin."""
    os.environ.setdefault("ICTUS_CAMPAIGNS", "0.1")
    state = whole_state()
    folder = PASSED / state
    folder.mkdir(parents=True, exist_ok=True)
    checks = {one.name: functools.partial(run, one, folder) for one in stages(state)}
    checks |= {"advisories": advisories, "clang-tidy": tidy}
    words = sys.argv[1:] or [""]
    for word in words:
        if not any(name.startswith(word) for name in checks):
            sys.exit(f"test-long: no stage begins with '{word}'; there are {', '.join(checks)}")
    print(f"state {state}, of what is drawn for pages: {os.environ['ICTUS_CAMPAIGNS']}", flush=True)
    return in_own_folder(lambda: _all_of([check for name, check in checks.items() if name.startswith(tuple(words))]))


def _all_of(checks: Sequence[Callable[[], Row]]) -> int:
    rows = [check() for check in checks]
    rows.append(summed("make test-long", rows, sum(row.seconds for row in rows), processor_s()))
    print(table(rows))
    return int(rows[-1].failed > 0 or rows[-1].skipped > 0)


if __name__ == "__main__":
    sys.exit(main())
