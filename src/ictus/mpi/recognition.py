"""From a wrapper to an installation: asked for its version, matched against the flavours, its launcher found."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ictus.model.installation import Installation
from ictus.mpi.environment import launch_environment
from ictus.mpi.flavours import FLAVOURS, Flavour
from ictus.mpi.wrapper import is_c_wrapper, launcher_beside, real_wrapper

_TIMEOUT_S = 20.0


@dataclass(frozen=True)
class Candidate:
    """A wrapper that was seen somewhere."""

    wrapper: Path
    origin: str
    label: str | None = None
    """Given by the user with `ictus mpi add`."""


@dataclass(frozen=True)
class Unusable:
    """A wrapper that was seen but cannot be used, and why."""

    wrapper: Path
    origin: str
    reason: str


def recognise(candidate: Candidate, environ: Mapping[str, str]) -> Installation | Unusable:
    """The installation behind a wrapper; its label is the flavour's name until the caller gives it another one."""
    wrapper = real_wrapper(candidate.wrapper)

    def unusable(reason: str) -> Unusable:
        return Unusable(wrapper, candidate.origin, reason)

    if not os.access(wrapper, os.X_OK):
        return unusable("no such program")
    if is_c_wrapper(wrapper):
        return unusable("compiles C only, and there is no C++ wrapper beside it")
    said = ""
    # Asked first by the flavour that it is called after: what asks one wrapper may make another compile.
    for flavour in sorted(FLAVOURS, key=lambda one: wrapper.name.partition(".")[0] not in one.wrapper_names):
        said = _ask(wrapper, flavour, candidate.origin, environ)
        match = flavour.version_pattern.search(said)
        if match:
            launcher = launcher_beside(wrapper, flavour.launcher_names)
            if launcher is None:
                return unusable(f"{flavour.name} {match[1]} without a launcher beside its wrapper")
            label = candidate.label or flavour.name
            return Installation(label, flavour.name, match[1], wrapper, launcher, origin=candidate.origin)
    first = next((line.strip() for line in said.splitlines() if line.strip()), "nothing")
    known = ", ".join(flavour.name for flavour in FLAVOURS)
    return unusable(f"of no known flavour ({known}); asked for its version it said: {first}")


def _ask(wrapper: Path, flavour: Flavour, origin: str, environ: Mapping[str, str]) -> str:
    assumed = Installation(flavour.name, flavour.name, "0", wrapper, wrapper, origin=origin)
    environment = launch_environment(assumed, flavour.compile_environment(assumed), ambient=environ)
    return output_of((str(wrapper), *flavour.version_arguments), environment.variables)


def output_of(command: tuple[str, ...], environ: Mapping[str, str]) -> str:
    """What a quick command prints on both streams; the reason when it cannot be started or does not end."""
    try:
        done = subprocess.run(
            command,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"{command[0]} did not answer within {_TIMEOUT_S:g} s"
    except OSError as failure:
        return f"{command[0]} cannot be started: {failure.strerror or failure}"
    return done.stdout.decode(errors="replace")
