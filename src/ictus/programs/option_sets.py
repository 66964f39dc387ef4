"""The options that decide how a user's program is launched, declared once for all commands that launch one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ictus.programs.request import ProgramRequest
from ictus.render.plan_options import Library, NoPin, Variables, environment, launcher_option, one_number


@dataclass(frozen=True)
class RankOptions:
    """Whose processes, and how many."""

    mpi: Library = None
    n: Annotated[int, one_number("2")] = 2


@dataclass(frozen=True)
class StartOptions:
    """How they are started."""

    env: Variables = None
    no_pin: NoPin = None
    launcher: Annotated[str, launcher_option()] = "mpiexec"

    def request(self, words: Sequence[str], ranks: RankOptions, timeout_s: float = math.inf) -> ProgramRequest:
        """The launch of the program `words`. UsageError for a variable that is not an assignment."""
        variables = environment(self.env) or {}
        return ProgramRequest(words, ranks.mpi, ranks.n, variables, not self.no_pin, self.launcher, timeout_s)
