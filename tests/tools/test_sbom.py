"""The software bill of materials names every package of every lock file, with its hashes."""

import re
from pathlib import Path

from tools.sbom import bill, components

REQUIREMENTS = Path(__file__).parents[2] / "requirements"


def test_every_pinned_package_is_a_component_with_hashes() -> None:
    """Counted in another way: lines with `==`, and hashes."""
    found = bill()["components"]
    for path in REQUIREMENTS.glob("*.lock"):
        text = path.read_text("utf-8")
        own = [one for one in found if one["properties"][0]["value"] == path.stem]
        pinned = [line.split(" ")[0] for line in text.splitlines() if re.match(r"[A-Za-z0-9]", line)]
        assert [f"{one['name']}=={one['version']}" for one in own] == pinned
        assert sum(len(one["hashes"]) for one in own) == text.count("--hash=sha256:")
        assert all(one["hashes"] for one in own)


def test_a_package_without_hashes_is_none() -> None:
    """It would not be the one that is installed."""
    assert components("loose==1.0\n", "run") == []
