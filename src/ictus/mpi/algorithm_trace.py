"""Finds the algorithm that a library's own rules choose, where no variable shows it: the function that a call enters.

Open MPI's fixed rules are in no control variable, but each of its algorithms is an exported function. A small library
(entered.cpp) is compiled with the wrapper and loaded before ictus-bench in a separate, untimed launch. It reports which
of these functions were entered with how many bytes.
"""

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from ictus.model.environment import UNSET
from ictus.model.errors import MeasurementError
from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.mpi.cache import noexec_reason
from ictus.mpi.command import launch
from ictus.mpi.failure_cause import cause_sentence, with_steering
from ictus.mpi.toolchain import compiler_of

Entered = Mapping[tuple[str, int], tuple[str, ...]]
"""By operation and bytes, of the message or of a block: the functions that such calls entered."""

_COMPILE_TIMEOUT_S = 120.0
_VARIABLE = "ICTUS_ENTERED"


@dataclass(frozen=True)
class TraceRequest:
    """The calls: each operation with each size, in bytes of the whole volume."""

    operations: Sequence[str]
    sizes: Sequence[int]
    datatype: str
    operator: str
    root: str

    def words(self) -> tuple[str, ...]:
        """Options of ictus-bench: each case once, started by a barrier of messages."""
        return (
            *("--op", ",".join(self.operations), "--size", ",".join(map(str, self.sizes))),
            *("--datatype", self.datatype, "--operator", self.operator, "--root", self.root),
            *("--nrep", "1", "--clocksync", "none", "--procsync", "barrier"),
        )


def trace_functions(installation: Installation, program: Path, job: Job, launcher: str, calls: TraceRequest) -> Entered:
    """Launch `program` as `job` says, and return the functions that its calls entered; none where the library shows no
    function.

    Raises: MeasurementError: the library does not compile, or the launch failed.
    """
    with tempfile.TemporaryDirectory(prefix="ictus-entered-") as name:
        folder = Path(name)
        why = noexec_reason(folder, "TMPDIR")
        if why is not None:
            raise MeasurementError(f"{installation.label}: it is not known which algorithms it takes: {why}")
        loaded, report = folder / "libictus-entered.so", folder / "entered.txt"
        _compile(installation, loaded)
        others = job.environment.get("LD_PRELOAD", UNSET)
        preloaded = (str(loaded), *((others,) if others not in ("", UNSET) else ()))
        trace_variables = {"LD_PRELOAD": ":".join(preloaded), _VARIABLE: str(report)}
        made = replace(
            job,
            program=(str(program), *calls.words()),
            folder=folder,
            environment={**job.environment, **trace_variables},
        )
        outcome = launch(installation, made, launcher)
        if outcome.exit_code != 0 or not report.is_file():
            why = f"it is not known which algorithms it takes: {cause_sentence(folder) or 'it printed nothing'}"
            raise MeasurementError(with_steering(f"{installation.label}: {why}", outcome.steering))
        return parse(report.read_text())


def parse(text: str) -> Entered:
    """Lines `operation bytes function`."""
    functions: dict[tuple[str, int], dict[str, None]] = {}
    for line in text.splitlines():
        operation, size, function = line.split()
        functions.setdefault((operation, int(size)), {})[function] = None
    return {key: tuple(names) for key, names in functions.items()}


def _compile(installation: Installation, library: Path) -> None:
    compiler = compiler_of(installation)
    with resources.as_file(resources.files("ictus.mpi") / "entered.cpp") as source:
        words = (str(compiler.wrapper), "-std=c++20", "-O1", "-shared", "-fPIC", str(source), "-o", str(library))
        try:
            compilation = subprocess.run(
                words,
                env=compiler.environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_COMPILE_TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as failure:
            raise MeasurementError(f"{installation.label}: entered.cpp cannot be compiled: {failure}") from failure
    if compilation.returncode != 0:
        error_lines = compilation.stderr.decode(errors="replace").strip().splitlines()
        raise MeasurementError(
            f"{installation.label}: entered.cpp cannot be compiled: {error_lines[0] if error_lines else 'no word'}"
        )
