"""Asks for advisories about every package that set-up installs: pip-audit on requirements/*.lock. `make audit`

Exit code 1 where one of them has a known vulnerability. Where the service cannot be reached, the audit is skipped, with
the reason: a machine without the internet can still be tested.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
_UNREACHABLE = re.compile(r"(?i)connect|resolve|timed? ?out|SSL|proxy|HTTPError|Forbidden|Gateway|Unavailable")


def vulnerable(report: dict[str, Any]) -> list[str]:
    """A line for each advisory in a report of pip-audit."""
    return [
        f"{package['name']} {package['version']}: {advisory['id']}, "
        f"fixed in {', '.join(advisory['fix_versions']) or 'no version'}"
        for package in report["dependencies"]
        for advisory in package.get("vulns", ())
    ]


def verdict(name: str, code: int, output: str, error: str) -> tuple[bool, str]:
    """Whether a lock file has a known vulnerability, or could not be read, and what is said of it."""
    try:
        report = json.loads(output)
    except ValueError:
        reason = next((line for line in reversed(error.strip().splitlines()) if line.strip()), "nothing was said")
        if _UNREACHABLE.search(error):
            return False, f"{name}: skipped, advisories cannot be asked for here: {reason}"
        return True, f"{name}: pip-audit failed (exit code {code}): {reason}"
    advisories = vulnerable(report)
    counts = f"{name}: {len(report['dependencies'])} packages, {len(advisories)} advisories"
    return bool(advisories), "\n".join([counts, *advisories])


def audit() -> int:
    """Number of lock files with an advisory; says each."""
    failed = 0
    for path in sorted((ROOT / "requirements").glob("*.lock")):
        options = ("--disable-pip", "--require-hashes", "--format=json", "--progress-spinner=off", "--timeout=15")
        command = (sys.executable, "-m", "pip_audit", *options, "--requirement", str(path))
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        bad, text = verdict(path.name, done.returncode, done.stdout, done.stderr)
        failed += bad
        print(f"audit: {text}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(1 if audit() else 0)
