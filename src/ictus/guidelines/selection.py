"""Which guidelines: `--guidelines paper`, `all`, `GL3,GL7`, `further,user`, `ibcast-*`."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from ictus.guidelines.rule import Rule, Source
from ictus.model.errors import UsageError
from ictus.model.registries import unknown

ALL = "all"
_PAGE = "docs/guidelines.md"
GROUPS: Mapping[str, str] = {
    Source.PAPER.value: "GL1 to GL17",
    Source.FURTHER.value: "those beyond the paper",
    Source.USER.value: "those of a file",
    ALL: "every one",
}
"""Words that stand for many, with what for."""


def select(rules: Sequence[Rule], words: Sequence[str]) -> tuple[Rule, ...]:
    """The rules that any word names, in their own order. A word is a group, a name in any case, or a name with `*`.

    `UsageError` for a word that names none, with what is known.
    """
    if not words:
        raise UsageError(
            f"--guidelines: there is no word; allowed are {', '.join(GROUPS)}, and names and patterns of {_PAGE}"
        )
    chosen = {name for word in words for name in _named(rules, word)}
    return tuple(rule for rule in rules if rule.name in chosen)


def _named(rules: Sequence[Rule], word: str) -> set[str]:
    text = word.strip().casefold()
    if text == Source.USER.value and not any(rule.source is Source.USER for rule in rules):
        raise UsageError("--guidelines user: no file of guidelines was given; name one by --user FILE")
    found = {
        rule.name
        for rule in rules
        if text in (ALL, rule.source.value) or fnmatchcase(rule.name.casefold(), text.replace("[", "[[]"))
    }
    if not found:
        raise unknown(
            f"guideline '{word}' (--guidelines)", word, (*GROUPS, *dict.fromkeys(r.name for r in rules)), _PAGE
        )
    return found
