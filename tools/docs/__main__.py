"""`python -m tools.docs`: what is made from the program itself, the pages of the reference and, in packaging/share,
manual pages and completions. `--check` only compares.
"""

import sys
from pathlib import Path

from tools.docs.api import api, documents
from tools.docs.columns import columns
from tools.docs.operations import operations
from tools.docs.registries import algorithms, plan, scenario
from tools.docs.variables import variables

from ictus.cli.manual import share_files
from ictus.cli.reference import reference

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
SHARE = ROOT / "packaging" / "share"
"""What the wheel installs below PREFIX/share."""


def main() -> int:
    """Write the pages, or with `--check` exit 1 where a page is not what it would be."""
    pages = {
        REFERENCE / "cli.md": reference(),
        REFERENCE / "plan.md": plan(),
        REFERENCE / "scenario.md": scenario(),
        REFERENCE / "algorithms.md": algorithms().rstrip("\n") + "\n",
        REFERENCE / "operations.md": operations(),
        REFERENCE / "variables.md": variables(),
        REFERENCE / "api.md": api(),
        REFERENCE / "documents.md": documents(),
        REFERENCE / "columns.md": columns(),
        **{SHARE / name: text for name, text in share_files().items()},
    }
    stale = [path for path, text in pages.items() if not path.exists() or path.read_text("utf-8") != text]
    left = [path for path in SHARE.rglob("*") if path.is_file() and path not in pages]
    if "--check" in sys.argv[1:]:
        for path in (*stale, *left):
            print(f"{path.relative_to(ROOT)} is out of date: run make docs", file=sys.stderr)
        return 1 if stale or left else 0
    for path in left:
        path.unlink()
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pages[path], "utf-8")
        print(f"{path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
