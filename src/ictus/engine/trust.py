"""What a folder may run, whichever command reads it: its plan names programs, and the folder may be a stranger's.

A wrapper by its path, plug-ins, modules, variables for the ranks (`LD_PRELOAD`), words for the launcher and flags of
the compiler (`-fplugin=`) run what they name; of a plug-in its content counts. Ictus takes them from a folder only
where discovery or `ictus mpi add` knows the wrapper, where the module is loaded already, or where this user has named
the same before. That is remembered in the user's state folder, so that a submitted job continues without a terminal.
Names such as `mpich` are this user's own libraries, and their versions are compared with the recorded ones before
anything is launched. Every command that continues what a folder holds calls `check_trusted` before it uses the plan.
"""

import hashlib
import os
import shlex
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from ictus.launch.launchers.simulated import Simulated
from ictus.model.errors import ForeignPrograms, UsageError
from ictus.model.plan import Plan
from ictus.mpi.cache import state
from ictus.mpi.recognition import real_wrapper
from ictus.mpi.search import Surroundings, candidates


def check_trusted(folder: Path, plan: Plan, launcher: str, typed: Collection[str] = ()) -> None:
    """ForeignPrograms where the plan of a folder names programs that this user did not; `typed` are the plan's keys
    that were given with this call. A simulated launch runs nothing; modules are loaded for it too.
    """
    programs = _modules(plan) if launcher == Simulated.name else _programs(plan)
    foreign = tuple(text for key, text in programs if key not in typed and not _is_remembered(text))
    if foreign:
        raise ForeignPrograms(folder, foreign)


def remember(plan: Plan) -> None:
    """Remember the programs that a plan names: its user gave them, or trusts them."""
    agree(tuple(text for _, text in _programs(plan)))


def agree(programs: tuple[str, ...]) -> None:
    """Remember these. Where nothing can be written, a later call asks again."""
    for program in programs:
        note = _remembered(program)
        with suppress(OSError, UsageError):
            state().make(note.parent)
            note.write_text(f"{program}\n", "utf-8")
            note.chmod(0o600)


def _programs(plan: Plan) -> list[tuple[str, str]]:
    """What a plan runs that is not the user's anyway: the plan's key, and the option that says it."""
    paths = [library for library in plan.libraries if "/" in library.which]
    found_wrappers = {real_wrapper(candidate.wrapper) for candidate in candidates(Surroundings())} if paths else set()
    wrappers = [
        str(path) for path in paths if real_wrapper(Path(path.which).expanduser().absolute()) not in found_wrappers
    ]
    variables = [
        f"{name}={value if isinstance(value, str) else ','.join(value)}" for name, value in plan.environment.items()
    ]
    return [
        *_modules(plan),
        *(("plugin", f"--plugin {shlex.quote(str(plugin))}") for plugin in plan.plugins),
        *(("mpi", f"-m {shlex.quote(wrapper)}") for wrapper in wrappers),
        *(("env", f"--env {shlex.quote(variable)}") for variable in variables),
        *(
            ("launcher-options", f"--launcher-options {shlex.quote(option)}")
            for option in plan.launcher_options
            if option
        ),
        *(("core-flags", f"--core-flags {shlex.quote(core_flag)}") for core_flag in plan.core_flags if core_flag),
    ]


def _modules(plan: Plan) -> list[tuple[str, str]]:
    """Modules of a plan that this shell has not loaded: loading one runs its file."""
    loaded = os.environ.get("LOADEDMODULES", "").split(":")
    return [("modules", f"--modules {shlex.quote(module)}") for module in plan.modules if module not in loaded]


def _is_remembered(program: str) -> bool:
    """Whether this user has named it: a state folder that others can write says nothing."""
    try:
        return state().holds(_remembered(program))
    except UsageError:
        return False


def _remembered(program: str) -> Path:
    return state().root / "named" / hashlib.sha256(program.encode("utf-8", "surrogateescape")).hexdigest()[:32]
