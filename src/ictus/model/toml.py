"""Reads files in TOML: plans, guidelines of users."""

import sys
from pathlib import Path
from typing import Any

from ictus.model.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_toml(path: Path, what: str = "plan") -> dict[str, Any]:
    """The content of the TOML file, unchecked; UsageError that names it, as `what`, when it cannot be read."""
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))  # some editors begin a file with a byte order mark
    except OSError as error:
        raise UsageError(f"{what} '{path}': {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{what} '{path}' is not TOML: {error}") from error
