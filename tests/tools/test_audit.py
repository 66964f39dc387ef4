"""What an audit of dependencies makes of the words of pip-audit."""

import json

from tools.audit import verdict

REPORT = {
    "dependencies": [
        {"name": "numpy", "version": "2.0.0", "vulns": []},
        {"name": "jinja2", "version": "3.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3.1.6"], "aliases": []}]},
        {"name": "own", "skip_reason": "not on the index"},
    ],
    "fixes": [],
}


def test_an_advisory_fails_with_package_and_version() -> None:
    bad, text = verdict("run.lock", 1, json.dumps(REPORT), "Found 1 known vulnerability in 1 package")
    assert bad
    assert text == "run.lock: 3 packages, 1 advisories\njinja2 3.0: PYSEC-1, fixed in 3.1.6"


def test_no_advisory_passes() -> None:
    report = {**REPORT, "dependencies": REPORT["dependencies"][:1]}
    assert verdict("run.lock", 0, json.dumps(report), "") == (False, "run.lock: 1 packages, 0 advisories")


def test_a_service_that_cannot_be_reached_is_said_and_no_failure() -> None:
    error = "ERROR:pip_audit._cli:Could not connect to PyPI's vulnerability feed\n"
    bad, text = verdict("run.lock", 1, "", error)
    assert not bad
    assert text.startswith("run.lock: skipped, advisories cannot be asked for here: ")
    assert "Could not connect" in text


def test_a_file_that_cannot_be_read_fails() -> None:
    bad, text = verdict("run.lock", 1, "", "ERROR:pip_audit._cli:package numpy is not hashed\n")
    assert bad
    assert "failed (exit code 1)" in text
