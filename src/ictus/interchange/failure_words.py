"""Words that say that a program did not end well, in the output of the program, of its library or of its launcher.

The table of forms says what each means. Harmless forms are taken out of a line before the others are looked for: "0
errors" says that nothing failed, and "0 errors, then Segmentation fault" that something did.
"""

import re
from dataclasses import dataclass
from enum import Enum


class Meaning(Enum):
    """What a form says of the launch."""

    HARMLESS = "nothing failed: a count of none, a setting, the name of a function"
    REMARK = "the whole line is a remark of a library, in which an error is one that it got over"
    END = "the program ended, also in a remark"
    FAILURE = "something failed"


@dataclass(frozen=True)
class Form:
    """One form, for lines in any case."""

    meaning: Meaning
    pattern: str


_COUNTED = r"(?:errors?|failed|failures?|mismatch(?:es)?|abort(?:s|ed)?|killed|cancell?ed|time-?outs?)"
_MANY = r"(?:errors|failures|mismatches|aborts|timeouts)"
_NONE = r"(?:0(?:\s*(?:/|of)\s*\d+)?|none|no|off|false|disabled)\s*(?:$|[,;.)\]|])"
FORMS = (
    Form(Meaning.HARMLESS, rf"(?<![\w.-])0 (?:\w+ )?{_MANY}\b"),
    Form(Meaning.HARMLESS, rf"(?:^\s*|[,;(|]\s*|\b(?:with|had|has|and|found|reported) )0 (?:\w+ )?{_COUNTED}\b"),
    Form(Meaning.HARMLESS, rf"\b(?:no|zero|without(?: any)?) (?:\w+ )?{_COUNTED}\b"),
    Form(Meaning.HARMLESS, rf"\b\w*{_COUNTED}\w*(?: count)?\s*[:=]\s*{_NONE}"),
    Form(Meaning.HARMLESS, r"\bMPI_ERR\w*|\b\w*errhandler\w*"),
    Form(
        Meaning.HARMLESS,
        r"\berrors?[ _-](?:check\w*|handl\w+|detect\w+|correct\w+|bars?|report\w+|logg\w+|output|file|stream)\b"
        r"|\berror[ _-]codes?[:= ]+0\b",
    ),
    Form(Meaning.HARMLESS, r"\S*\berrors?\.\w+"),  # a file
    Form(
        Meaning.HARMLESS,
        r"\btime[ -]?(?:limit|out)s?\b\s*(?:\([\w ]+\)\s*)?(?:[:=]|is|of|set to)\s*\d\S*"
        r"(?!.*\b(?:exceeded|reached|expired)\b)",
    ),
    Form(Meaning.HARMLESS, r"\b(?:terminated|ended|finished) (?:normally|successfully|cleanly)\b"),
    Form(Meaning.HARMLESS, r"\b(?:exit(?:ed)?|return(?:ed)?)\b.{0,40}\b(?:code|status)\b\D{0,4}0(?::0)?\b(?!\.)"),
    Form(Meaning.REMARK, r"\bwarn(?:ing)?\b|<warn>|\binfo\b|<info>|\bdebug\b"),
    Form(Meaning.END, r"\babort|bad termination|core dumped|segmentation fault|segfault|\bkilled\b|cancelled"),
    Form(Meaning.END, r"assert(?:ion)?\b.*\bfail|\bfatal\b"),
    Form(Meaning.END, r"\btime[ -]?(?:limit|out)\b.*\b(?:exceeded|reached|expired)\b"),
    Form(Meaning.FAILURE, r"abort|bus error|floating point exception|\bterminated\b|terminate called|traceback"),
    Form(Meaning.FAILURE, r"\bsig(?:segv|kill|term|abrt|bus|fpe|ill|int)\b|\bsignal[: ]+\d"),
    Form(Meaning.FAILURE, r"\b(?:on|caught|received) signal\b|\bctrl-c\b|\binterrupt(?:ed)?\b"),
    Form(Meaning.FAILURE, r"time[ -]?limit|timed out|\btime[- ]?out\b|node fail|preempt(?:ed|ion)\b|\bpanic\b"),
    Form(Meaning.FAILURE, r"\b(?:exit(?:ed|s)?|return(?:ed)?)\b.{0,40}\b(?:code|status)\b\D{0,4}[1-9]|\bcode [1-9]"),
    Form(Meaning.FAILURE, r"non-?zero (?:exit|status)"),
    Form(Meaning.FAILURE, r"(?<![\w-])errors?\b|\bfailed\b|\bfailure\b|mismatch|wrong result|data corrupt"),
    Form(Meaning.FAILURE, r"invalid (?:buffer|pointer|argument|communicator)|out of memory|\boom\b|oom-kill"),
    Form(Meaning.FAILURE, r"no space left|connection (?:reset|refused|closed)|lost connection"),
)
"""All forms that are known."""
_PATTERNS = {
    meaning: re.compile("|".join(form.pattern for form in FORMS if form.meaning is meaning), re.IGNORECASE)
    for meaning in Meaning
}
_LONGEST = 160


def says_failure(text: str) -> bool:
    """Whether a line that is neither a comment nor a row says that something failed."""
    remaining = _PATTERNS[Meaning.HARMLESS].sub(" ", text)
    if _PATTERNS[Meaning.END].search(remaining):
        return True
    return bool(_PATTERNS[Meaning.FAILURE].search(remaining)) and not _PATTERNS[Meaning.REMARK].search(remaining)


def says_all_is_well(text: str) -> bool:
    """Whether a line counts failures and says nothing else: `0 errors`, which begins like a row of a table."""
    remaining, n_forms = _PATTERNS[Meaning.HARMLESS].subn(" ", text)
    return n_forms > 0 and not re.search(r"\d", remaining)


def quoted(text: str) -> str:
    """A line for a message: without its margins, and not longer than a few words."""
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]} ..."
