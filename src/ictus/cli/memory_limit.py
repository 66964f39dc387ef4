"""Too little memory for this process: said in one line before, or instead of, a traceback of whatever met it first.

With `ulimit -v` a library that is imported finds no addresses, and the process ends in the middle of the import, in an
abort of a library's own, or later in a MemoryError.
"""

import resource

from ictus.model.errors import UsageError

_LEAST = 2 * 2**30
"""Bytes of addresses in which every command works on a machine of few cores; each of its threads reserves some."""


def check_addresses() -> None:
    """UsageError where the process may not have the addresses that Ictus needs."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < _LEAST:
        raise UsageError(
            f"this process may have {allowed // 1024} KiB of addresses (ulimit -v); ictus needs {_LEAST // 1024} KiB "
            "or more: `ulimit -v unlimited` lifts the limit of a shell; a batch system has an option for a job's memory"
        )


def is_lack_of_memory(error: BaseException) -> bool:
    """Whether this is how a library says that it got no memory."""
    text = str(error)
    lacking = ("failed to map segment", "Cannot allocate memory", "cannot allocate memory")
    return isinstance(error, MemoryError) or (isinstance(error, ImportError) and any(word in text for word in lacking))
