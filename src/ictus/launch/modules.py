"""Environment modules: `module load` changes variables, which this process and all that it starts have from then on.

Source: the `module` function of Environment Modules and Lmod, which a login shell defines.
"""

import os
import subprocess
from collections.abc import Sequence

from ictus.model.errors import MeasurementError, UsageError

_TIMEOUT_S = 120.0
_MARK = b"\0ictus\0"
_SCRIPT = 'module load "$@" || exit 3; printf "\\0ictus\\0"; env -0'


def load_modules(names: Sequence[str]) -> None:
    """Load modules, those that are loaded already too, which is no error. Raises UsageError with what `module`
    says, MeasurementError where there is no shell.
    """
    if not names:
        return
    words = ("bash", "-lc", _SCRIPT, "bash", *names)
    try:
        ended = subprocess.run(words, capture_output=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MeasurementError(f"--modules '{','.join(names)}': {error}") from error
    output, mark, variables = ended.stdout.partition(_MARK)
    if ended.returncode != 0 or not mark:
        why = (ended.stderr or output).decode(errors="replace").strip() or "this shell has no command `module`"
        raise UsageError(f"--modules '{','.join(names)}': {why}")
    pairs = (
        assignment.partition("=")
        for assignment in variables.decode(errors="surrogateescape").split("\0")
        if "=" in assignment
    )
    for name, _, value in pairs:
        if name not in _OF_THE_SHELL and not name.startswith("BASH_FUNC_"):
            os.environ[name] = value


_OF_THE_SHELL = ("_", "SHLVL", "PWD", "OLDPWD")
