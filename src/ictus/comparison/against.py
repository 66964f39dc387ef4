"""`ictus compare A --against B C`: all folders behind the option are its values."""

from collections.abc import Sequence
from pathlib import Path

AGAINST = "--against"
"""The option of `ictus compare` that takes all folders behind it."""


def is_campaign_folder(word: str) -> bool:
    """Whether a word among folders and names is a folder."""
    return "/" in word or (Path(word) / "campaign.json").is_file()


def against_many(words: Sequence[str]) -> list[str]:
    """The words of a command line, of which all folders behind `--against` are its values: `--against a b` becomes
    `--against a --against b`.
    """
    spelled: list[str] = []
    follows = False
    for index, word in enumerate(words):
        named = index > 0 and words[index - 1] == AGAINST
        follows = follows and (named or is_campaign_folder(word)) and not word.startswith("-")
        if word == AGAINST:
            follows = True
        elif follows and not named:
            spelled.append(AGAINST)
        spelled.append(word)
    return spelled
