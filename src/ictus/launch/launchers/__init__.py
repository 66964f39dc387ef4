"""Family launcher: one file for each way to start ranks; the list below names all of them.

A new one needs a file with a class that fits `Launcher`, a line below, and its words in tests/launch/test_launchers.py.
The simulated launcher (`simulated.py`) is not in the list: it replaces the whole process, not only its command line;
`ictus list launcher` and the docs have it behind these.
"""

import re
from dataclasses import replace
from pathlib import Path

from ictus.launch.launchers.flux import FluxRun
from ictus.launch.launchers.jsrun import Jsrun
from ictus.launch.launchers.launcher import Dialect, Launcher
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.launchers.namespaces import Namespaces
from ictus.launch.launchers.pals import Pals
from ictus.launch.launchers.srun import Srun
from ictus.launch.launchers.ssh import Ssh
from ictus.launch.launchers.template import PROGRAM, Template
from ictus.model.errors import OptionError, UsageError
from ictus.model.input_file import UnreadableFile, text_content
from ictus.model.spec import Spec

__all__ = [
    "LAUNCHERS",
    "Dialect",
    "Launcher",
    "check_usable",
    "is_known",
    "launcher",
    "named_hosts",
    "starter",
    "with_hosts",
]

LAUNCHERS: tuple[Launcher, ...] = (
    Mpiexec(),
    Srun(),
    FluxRun(),
    Pals(),
    Jsrun(),
    Ssh(),
    Template(),
    Namespaces(),
)
_HOSTS = " --hosts "
"""Stands between the text of a launcher and the file of its hosts, as on the command line."""
_SPECIFIC = re.compile(r"(?P<name>\w+)(?:\((?P<parameters>.*)\))?")


def with_hosts(text: str, file: Path | None) -> str:
    """The text of a launcher that starts on the hosts of a file. OptionError where it cannot be read."""
    if file is None:
        return text
    _hosts_in(file)
    return f"{text}{_HOSTS}{file.absolute()}"


def named_hosts(text: str) -> tuple[str, ...]:
    """The hosts of the file that the text of a launcher names; none where it names no file."""
    _, file = _split(text)
    return () if file is None else _hosts_in(file)


def check_usable(text: str, clock: Spec) -> None:
    """The check of the launcher; nothing for the simulated one, or an unknown one. Raises as it."""
    if is_known(text):
        launcher(text).check_usable(clock)


def is_known(text: str) -> bool:
    """Whether it names a launcher, with or without parameters and hosts, or is a template."""
    words, _ = _split(text)
    return PROGRAM in words or words.partition("(")[0] in {member.name for member in LAUNCHERS}


def launcher(text: str) -> Launcher:
    """The launcher of that name, `srun`; with parameters, `ssh(agent=/opt/agent)`; with a file of hosts; or a template,
    which is any text with `{program}`.

    Raises:
        UsageError: there is none; the message lists the known ones. A parameter is unknown, or it takes no hosts.
    """
    words, file = _split(text)
    addresses = () if file is None else _hosts_in(file)
    if PROGRAM in words:
        return Template(words, addresses)
    matched = _SPECIFIC.fullmatch(words)
    name = matched["name"] if matched else words
    member = next((candidate for candidate in LAUNCHERS if candidate.name == name), None)
    if matched is None or member is None or isinstance(member, Template):
        names = ", ".join(known_launcher.name for known_launcher in LAUNCHERS)
        raise UsageError(f"launcher '{words}' is unknown; known: {names}; a template has {PROGRAM} in it")
    if isinstance(member, Mpiexec) and addresses:
        member = Ssh()
    if isinstance(member, Ssh):
        return replace(member, addresses=addresses, **_parameters(words, matched["parameters"] or ""))
    if matched["parameters"] is not None:
        raise UsageError(f"launcher '{words}': {name} has no parameters")
    if addresses:
        raise UsageError(f"--hosts '{file}': {name} starts on the hosts of its allocation; leave it out")
    return member


def starter(text: str, plugin: str) -> Launcher:
    """The launcher of that name; the library's own, where that is the way that was found for it (Job.plugin). Raises as
    `launcher`.
    """
    return Mpiexec() if plugin == Mpiexec.name else launcher(text)


def _split(text: str) -> tuple[str, Path | None]:
    words, sign, file = text.rpartition(_HOSTS)
    return (words, Path(file)) if sign and PROGRAM not in file else (text, None)


def _parameters(words: str, text: str) -> dict[str, str]:
    pairs = [part.strip().partition("=") for part in text.split(",") if part.strip()]
    wrong = next((key for key, sign, value in pairs if key not in ("agent", "interface") or not (sign and value)), None)
    if wrong is not None:
        raise UsageError(f"launcher '{words}': '{wrong}' is not a parameter of it; there are agent and interface")
    return {key: value for key, _, value in pairs}


def _hosts_in(file: Path) -> tuple[str, ...]:
    """The hosts of a file, one a line, each once: the first word, without what Open MPI (`slots=4`) or hydra (`:4`)
    have behind it; `#` begins a remark.
    """
    try:
        lines = text_content(file).splitlines()
    except UnreadableFile as error:
        raise OptionError(("hosts", str(file), f"cannot be read: {error.reason}")) from error
    words = (line.partition("#")[0].split() for line in lines)
    names_typed = tuple(dict.fromkeys(word[0].partition(":")[0] for word in words if word))
    if not names_typed:
        raise OptionError(("hosts", str(file), "it names no host; expected one host per line"))
    return names_typed
