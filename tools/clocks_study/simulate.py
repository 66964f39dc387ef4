"""Running worlds: lines to ictus-simulate, its results kept, so that a study that was interrupted goes on."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "clocks-study"


def build() -> Path:
    """The simulator, built without sanitizers."""
    environment = {**os.environ, "PATH": f"{ROOT / '.venv' / 'bin'}:{os.environ.get('PATH', '')}"}
    cmake = shutil.which("cmake", path=environment["PATH"])
    if cmake is None:
        sys.exit("the study needs cmake: run `make setup` first")
    configure = (cmake, "-G", "Ninja", "-S", str(ROOT / "native"), "-B", str(BUILD / "tree"), "-DICTUS_MPI=OFF")
    for command in (configure, (cmake, "--build", str(BUILD / "tree"), "--target", "ictus-simulate")):
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return BUILD / "tree" / "ictus-simulate"


def _ask(program: Path, lines: list[str]) -> list[str]:
    ended = subprocess.run((str(program),), input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        sys.exit(ended.stderr)
    return ended.stdout.splitlines()


def run(program: Path, name: str, pairs: Iterable[tuple[str, str]], piece: int = 40) -> Iterator[dict[str, Any]]:
    """The result of each (world, algorithm), in order; a process simulates `piece` of them. Results are kept in a file
    called `name`; delete the folder build/clocks-study to run all anew, as must be done when the algorithms have
    changed.
    """
    kept = BUILD / f"{name}.jsonl"
    kept.parent.mkdir(parents=True, exist_ok=True)
    known: dict[str, dict[str, Any]] = {}
    if kept.exists():
        for line in kept.read_text("utf-8").splitlines():
            one = json.loads(line)
            known[f"{one['world']} {one['algorithm']}"] = one
    wanted = [f"{world} {algorithm}" for world, algorithm in pairs]
    missing = [line for line in wanted if line not in known]
    workers = os.cpu_count() or 1
    pieces = [missing[i : i + piece] for i in range(0, len(missing), piece)]
    with ThreadPoolExecutor(workers) as pool, kept.open("a", encoding="utf-8") as file:
        for lines, answers in zip(pieces, pool.map(lambda lines: _ask(program, lines), pieces), strict=True):
            for line, answer in zip(lines, answers, strict=True):
                known[line] = json.loads(answer)
                file.write(answer + "\n")
            file.flush()
    for line in wanted:
        yield known[line]
