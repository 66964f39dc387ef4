"""Steps of Slurm of a run that was killed: found by their name, and ended.

Ranks under srun are children of slurmstepd, on other hosts too: they have no mark that this host could see, and they
live on where srun is killed. So each step is named after the folder of the launches that it belongs to.
"""

import hashlib
import os
import shutil
import subprocess
import time
from pathlib import Path

PATIENCE_S = 60.0
"""Slurm kills a step that does not end by itself after KillWait, which is 30 s where a site does not say otherwise."""
_POLL_S = 0.5
_TIMEOUT_S = 20.0


def step_name(launches: Path) -> str:
    """What steps of launches in this folder are called; another folder's steps have other names."""
    return f"ictus-{hashlib.sha256(os.fsencode(launches.resolve())).hexdigest()[:16]}"


def end_steps(launches: Path, patience_s: float = PATIENCE_S) -> str | None:
    """End the steps of this folder that still run; what was done, in a sentence, or None where there was none."""
    steps = _steps(step_name(launches))
    if not steps:
        return None
    for step in steps:
        _ask("scancel", "--signal=KILL", step)
    deadline = time.monotonic() + patience_s
    while (left := _steps(step_name(launches))) and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    what = f"; still there: {', '.join(left)}" if left else ""
    return f"steps of Slurm of an earlier run that was killed still ran and were ended: {', '.join(steps)}{what}"


def _steps(name: str) -> tuple[str, ...]:
    """`JOB.STEP` of each of this user's running steps with this name; none where there is no Slurm, or no answer."""
    if shutil.which("squeue") is None:
        return ()
    listed = _ask("squeue", "--steps", "--noheader", f"--user={os.geteuid()}", "--format=%i|%j")
    pairs = (line.strip().partition("|") for line in listed.splitlines())
    return tuple(step for step, _, label in pairs if label == name)


def _ask(*words: str) -> str:
    try:
        answer = subprocess.run(words, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout
