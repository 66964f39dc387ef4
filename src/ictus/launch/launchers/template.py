"""template: a command line of the user's own, for launchers that Ictus does not know.

    ictus run --launcher "mpiexec -n {n} --ppn {ppn} {program}"

Words in braces are replaced: `{program}` (the core and its arguments, as words of their own), `{n}`, `{nodes}`,
`{ppn}`, `{map_by}`, `{hosts}` (those of --hosts, with commas), `{options}` (those of --launcher-options). As with every
launcher it is checked that there are as many ranks, on as many nodes, as were asked for.
"""

import re
import shlex
import shutil
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from ictus.launch.launchers.launcher import Dialect
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.job import Hosts, Job
from ictus.model.library import Installation
from ictus.model.spec import Spec

PROGRAM = "{program}"
WORDS = ("n", "nodes", "ppn", "map_by", "hosts", "options", "program")
"""What braces may hold."""
_BRACED = re.compile(r"\{(\w*)\}")


@dataclass(frozen=True)
class Template:
    """A command line with places for what is asked."""

    text: str = ""
    addresses: tuple[str, ...] = ()
    """The hosts of --hosts."""

    name = "template"
    summary = 'a command line of your own: "mpiexec -n {n} --ppn {ppn} {program}"'
    shares_environment = True

    def check_usable(self, clock: Spec) -> None:  # noqa: ARG002 (every clock is)
        """UsageError for an unknown word in braces, or none for the number of ranks; MeasurementError where the program
        is not here.
        """
        words = self._words()
        foreign = next((word for word in _BRACED.findall(self.text) if word not in WORDS), None)
        if foreign is not None:
            raise UsageError(f"--launcher '{self.text}': '{{{foreign}}}' is none of {_listed()}")
        if PROGRAM not in words:
            raise UsageError(f"--launcher '{self.text}': {PROGRAM} must be a word of its own")
        if "{n}" not in self.text and not ("{nodes}" in self.text and "{ppn}" in self.text):
            raise UsageError(
                f"--launcher '{self.text}': it says no number of ranks; use {{n}}, or {{nodes}} and {{ppn}}"
            )
        if "{hosts}" in self.text and not self.addresses:
            raise UsageError(f"--launcher '{self.text}': name the hosts in a file, one per line, with --hosts FILE")
        if shutil.which(words[0]) is None:
            raise MeasurementError(f"--launcher '{self.text}': there is no program '{words[0]}' here")

    def plugins(self) -> tuple[str, ...]:
        """None: there is one way."""
        return ()

    def hosts(self) -> AbstractContextManager[Hosts | None]:
        """None: the command line says where."""
        return nullcontext()

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:  # noqa: ARG002
        """The words, with what is asked in place of those in braces. Raises UsageError where the number of nodes is
        asked for, and the command line has no place for it, or the other way round.
        """
        needs = [key for key in ("nodes", "ppn") if f"{{{key}}}" in self.text]
        if needs and not job.nodes:
            raise UsageError(f"--launcher '{self.text}': {{{needs[0]}}} needs --nodes and --ppn in the plan")
        addresses = self.addresses[: job.nodes or None]
        values = {
            "n": job.n_ranks,
            "nodes": job.nodes,
            "ppn": job.ppn,
            "map_by": job.map_by,
            "hosts": ",".join(addresses),
        }
        several = {PROGRAM: job.program, "{options}": job.launcher_options}
        words: list[str] = []
        for word in self._words():
            words += several[word] if word in several else (_BRACED.sub(lambda match: str(values[match[1]]), word),)
        return tuple(words)

    def _words(self) -> tuple[str, ...]:
        try:
            return tuple(shlex.split(self.text))
        except ValueError as error:
            raise UsageError(f"--launcher '{self.text}': {error}") from error


def _listed() -> str:
    return ", ".join(f"{{{word}}}" for word in WORDS)
