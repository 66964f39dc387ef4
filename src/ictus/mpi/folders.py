"""Where Ictus keeps what belongs to the user and not to a campaign: settings, and what can be made again."""

import os
from pathlib import Path


def config_folder() -> Path:
    """`$ICTUS_CONFIG`, else `$XDG_CONFIG_HOME/ictus`, else `~/.config/ictus`. It need not exist."""
    return _folder("ICTUS_CONFIG", "XDG_CONFIG_HOME", ".config")


def cache_folder() -> Path:
    """`$ICTUS_CACHE`, else `$XDG_CACHE_HOME/ictus`, else `~/.cache/ictus`. It need not exist."""
    return _folder("ICTUS_CACHE", "XDG_CACHE_HOME", ".cache")


def _folder(own: str, base: str, default: str) -> Path:
    if os.environ.get(own):
        return Path(os.environ[own]).expanduser().resolve()
    root = os.environ.get(base, "")
    return (Path(root) if Path(root).is_absolute() else Path.home() / default) / "ictus"
