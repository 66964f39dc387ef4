"""Writes a software bill of materials, CycloneDX 1.5 as JSON, of all that `make setup` installs: build/sbom.json.

Names, versions and hashes are those of requirements/*.lock, which pip is given too. Where the advisories can be asked,
`make audit` checks the same files.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)[^\n]*((?:\n +--hash=\S+[^\n]*)+)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def components(lock: str, group: str) -> list[dict[str, Any]]:
    """The packages of a lock file, each with the hashes of its distributions."""
    return [
        {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name.lower().replace('_', '-')}@{version}",
            "scope": "required" if group == "run" else "excluded",
            "hashes": [{"alg": "SHA-256", "content": digest} for digest in _HASH.findall(hashes)],
            "properties": [{"name": "ictus:group", "value": group}],
        }
        for name, version, hashes in _PINNED.findall(lock)
    ]


def bill() -> dict[str, Any]:
    """The whole document; a package of several groups stands in each."""
    parts: list[dict[str, Any]] = []
    for path in sorted((ROOT / "requirements").glob("*.lock")):
        parts += components(path.read_text("utf-8"), path.stem)
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    application = {"type": "application", "name": "ictus", "version": version[1] if version else "unknown"}
    head = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": application}}
    return {**head, "components": parts}


def main() -> int:
    """Write it; says where."""
    target = ROOT / "build" / "sbom.json"
    target.parent.mkdir(exist_ok=True)
    document = bill()
    target.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    print(f"{len(document['components'])} components: {target.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
