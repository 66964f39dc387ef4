"""Runs what continuous integration runs in three states of the machine, each in a fresh clone with empty caches: bare,
with everything that engines bring and foreign variables set, and with two busy loops beside it. All must be green.

`python3 tools/prove_suite.py` runs all three; `bare`, `full` and `busy` name some. Clones and logs are kept below
build/prove.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build/prove"
sys.path.insert(0, str(ROOT))
from tests.engines import chosen, program  # noqa: E402 (of this tree, whatever is installed)

FOREIGN = {
    "OMPI_MCA_btl": "nonesuch", "OMPI_COMM_WORLD_RANK": "3", "PMIX_RANK": "3", "PMI_SIZE": "64", "UCX_TLS": "nonesuch",
    "MPICH_ASYNC_PROGRESS": "1", "MPIR_CVAR_CH4_NETMOD": "nonesuch", "I_MPI_ROOT": "/opt/nowhere", "MPI_HOME": "/usr",
    "SLURM_JOB_ID": "7", "SLURM_JOBID": "7", "SLURM_NTASKS": "64", "SLURM_JOB_NODELIST": "n[1-2]", "SLURM_NNODES": "2",
    "SLURM_TASKS_PER_NODE": "32(x2)", "LOADEDMODULES": "openmpi/5", "MODULEPATH": "/opt/modules",
}  # fmt: skip
"""What a shell in a job of some cluster may have set."""


@contextlib.contextmanager
def busy_cores() -> Iterator[None]:
    """Two loops that take what processor time they get, as long as the block lasts."""
    loops = [subprocess.Popen((sys.executable, "-c", "while True: pass")) for _ in range(2)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def foreign_programs() -> Path:
    """A folder for the front of PATH: Debian's wrappers under the plain names, and launchers that are no good."""
    folder = PLACE / "foreign"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("mpicc", "mpicxx", "mpic++"):
        debian = program(f"{name}.openmpi")
        if debian is not None:
            (folder / name).symlink_to(debian)
    for name in ("mpiexec", "mpirun", "srun"):
        (folder / name).write_text("#!/bin/sh\necho 'a foreign launcher' >&2\nexit 99\n")
        (folder / name).chmod(0o755)
    return folder


def environment(state: str) -> dict[str, str]:
    """Of a run in this state."""
    plain = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    if state != "full":
        return {**plain, "CI": "true"}
    return {**plain, **FOREIGN, "CI": "true", "PATH": f"{foreign_programs()}:{plain['PATH']}"}


def run(state: str) -> tuple[int, float, str]:
    """Exit code, seconds, and the last lines of a fresh clone's .ci/run; exit code 2 where the state cannot be had."""
    there = [engine.name for engine in chosen(["all"]) if not engine.lacking]
    foreign = {"slurm", "simgrid", "debian-mpi"} & set(there)
    missing = [engine.complaint for engine in chosen(["all"]) if engine.complaint]
    if state == "full" and missing:
        return 2, 0.0, "\n".join(missing)
    if state == "bare" and foreign:
        return 2, 0.0, f"this machine has {', '.join(sorted(foreign))}: a bare one has none of them"
    clone = PLACE / state
    shutil.rmtree(clone, ignore_errors=True)
    subprocess.run(("git", "clone", "--quiet", str(ROOT), str(clone)), check=True)
    begun = time.monotonic()
    with (PLACE / f"{state}.log").open("w") as log, busy_cores() if state == "busy" else contextlib.nullcontext():
        command = (str(clone / ".ci/run"),)
        code = subprocess.run(
            command, cwd=clone, env=environment(state), stdout=log, stderr=log, check=False
        ).returncode
    lines = (PLACE / f"{state}.log").read_text(errors="replace").splitlines()
    return code, time.monotonic() - begun, "\n".join((f"engines here: {', '.join(there) or 'none'}", *lines[-8:]))


def main() -> int:
    """Exit code 1 where a state is not green."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    states = ("bare", "full", "busy")
    parser.add_argument("state", nargs="*", choices=[[], *states], help="which; all by default")
    codes = []
    PLACE.mkdir(parents=True, exist_ok=True)
    for state in parser.parse_args().state or states:
        code, seconds, totals = run(state)
        codes.append(code)
        print(f"{state}: {'green' if code == 0 else f'exit code {code}'} after {seconds:.0f} s\n{totals}\n", flush=True)
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
