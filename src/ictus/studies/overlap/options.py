"""Parsed values of the options that only `ictus overlap` has; every UsageError names the option."""

import os

from ictus.engine.study_options import StudyOptions
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.errors import OptionError, UsageError
from ictus.model.quantity import is_whole, parse_sizes
from ictus.model.registries import Registries
from ictus.model.spec import parse_spec, split_list
from ictus.mpi.command import on_one_host
from ictus.render.option_values import check_member

THREADS = ("none", "library", "own")


def operations(text: str) -> tuple[str, ...]:
    """Nonblocking and persistent ones, each once. Raises UsageError for others."""
    forms = {member.name: member.form for member in Registries.load().family("operation").members}
    able = [name for name, form in forms.items() if form in ("nonblocking", "persistent")]
    names = able if text.strip() == "all" else list(split_list(text))
    for name in names:
        check_member("--op", "operation", name)
        if name.partition("(")[0] not in able:
            raise OptionError(("op", name, f"it is blocking, there is nothing to overlap; known are {', '.join(able)}"))
    return tuple(dict.fromkeys(names))


def test_intervals(text: str) -> str:
    """Sizes above 0, or `none`. Raises UsageError."""
    for word in split_list(text):
        try:
            least = 1 if word == "none" else min(parse_sizes(word))
        except UsageError:
            least = 0
        if least < 1:
            raise OptionError(("intervals", word, "expected none, or sizes of 1 byte or more such as 4Ki,64Ki"))
    return text


def thread_core(text: str, n_ranks: int, common: StudyOptions) -> str:
    """`same`, `any`, or numbers: where all ranks are on this host, of CPUs that there are, one for each of `n_ranks`.
    Raises UsageError.
    """
    if text in ("same", "any"):
        return text
    if not all(is_whole(word) for word in split_list(text)):
        raise OptionError(("core", text, "expected same, any, or numbers of CPUs, one for each rank of a host: 0,1"))
    named = [int(word) for word in split_list(text)]
    if common.launcher == Mpiexec.name and common.hosts is None and on_one_host(os.environ):
        allowed = sorted(os.sched_getaffinity(0))
        foreign = [cpu for cpu in named if cpu not in allowed]
        if foreign:
            reason = f"this process may not use CPU {foreign[0]}, only {', '.join(map(str, allowed))}"
            raise OptionError(("core", text, reason))
        if len(named) < n_ranks:
            reason = f"CPUs for {len(named)} of the {n_ranks} ranks of this host; name one for each, or same, or any"
            raise OptionError(("core", text, reason))
    return text


def clocks_for(procsync: str) -> dict[str, str]:
    """Starts that look at no clock need none synchronised: a library's progress thread that shares its rank's core
    makes a synchronisation of thousands of messages take minutes.
    """
    return {"clocksync": "none"} if parse_spec(procsync).name in ("none", "barrier", "harmonize") else {}
