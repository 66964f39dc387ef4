"""Words that say that a program did not end well, in the output of the program, of its library or of its launcher."""

import re

_BAD = re.compile(
    r"assert(?:ion)?\b.*\bfail|\bassert(?:ion)? failed|abort|core dumped|segmentation fault|segfault|bus error"
    r"|floating point exception|\bkilled\b|\bterminated\b|\bsig(?:segv|kill|term|abrt|bus|fpe|ill|int)\b"
    r"|\bsignal[: ]+\d"
    r"|\b(?:on|caught|received) signal\b|time[ -]?limit|timed out|\btime[- ]?out\b|cancelled|bad termination"
    r"|\bexit(?:ed|s)?\b.{0,40}\b(?:code|status)\b\D{0,4}[1-9]|\bcode [1-9]|non-?zero (?:exit|status)"
    r"|(?<![\w-])errors?\b|invalid (?:buffer|pointer|argument|communicator)|out of memory|\boom\b|oom-kill|\bfatal\b"
    r"|terminate called|traceback|\bfailed\b|\bfailure\b|mismatch|wrong result|data corrupt|no space left"
    r"|connection (?:reset|refused|closed)|lost connection|node fail|preempt|\bpanic\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(?:no|0|zero|without) (?:\w+ )?errors?\b|\berrors?\s*[:=]\s*0\b|\berrors?[ _-](?:bars?|handler|code[:= ]+0)\b"
    r"|\bwarn(?:ing)?\b|<warn>|\binfo\b|<info>|\bdebug\b|\bexit(?:ed)?\b.{0,40}\b(?:code|status)\b\D{0,4}0\b",
    re.IGNORECASE,
)
_GRAVE = re.compile(r"abort|bad termination|core dumped|segmentation|\bkilled\b|cancelled|assert|fatal", re.IGNORECASE)
"""Words that count also in a line that says of itself that it is a warning."""
_LONGEST = 160


def says_failure(text: str) -> bool:
    """Whether a line that is neither a comment nor a row says that something failed."""
    return bool(_BAD.search(text)) and (not _HARMLESS.search(text) or bool(_GRAVE.search(text)))


def quoted(text: str) -> str:
    """A line for a message: without its margins, and not longer than a few words."""
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]} ..."
