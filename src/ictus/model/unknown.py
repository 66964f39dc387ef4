"""What is said of a name that nobody knows."""

import difflib
from collections.abc import Iterable

from ictus.model.errors import UsageError

_LISTED = 40
"""An error lists at most this number of names: a hundred do not help a reader."""
_FIRST = 8


def unknown(what: str, name: str, choices: Iterable[str], everything: str = "") -> UsageError:
    """An error for an unknown name, with the known names and the probable one. Of many names only the first are listed;
    `everything` is the command or page with all of them.
    """
    names = list(choices)
    listed = ", ".join(names) or "none"
    if len(names) > _LISTED:
        where = f" ({everything} has all)" if everything else ""
        listed = f"{', '.join(names[:_FIRST])} and {len(names) - _FIRST} more{where}"
    return UsageError(f"unknown {what}{probable(name, names) or ';'} known: {listed}")


def probable(name: str, names: Iterable[str]) -> str:
    """The question that a mistyped name deserves: `, did you mean 'mpich'?`; empty where none of `names` is near it."""
    close = difflib.get_close_matches(name, list(names), n=1)
    return f", did you mean '{close[0]}'?" if close else ""
