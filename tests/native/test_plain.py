"""The native unit tests and simulated worlds: each claim of each C++ file is a test here."""

import subprocess
from pathlib import Path

import pytest
from tests.native.trees import NATIVE, claims, plain_tree

FILES = sorted((NATIVE / "tests").glob("unit/*.cpp")) + sorted((NATIVE / "tests").glob("sim/*.cpp"))
CLAIMS = [(path, claim) for path in FILES for claim in claims(path)]


@pytest.mark.parametrize(
    ("source", "claim"), CLAIMS, ids=[f"{path.parent.name}-{path.stem}-{claim}" for path, claim in CLAIMS]
)
def test_the_claim_holds(source: Path, claim: str) -> None:
    """What the C++ test of this name says, under the sanitizers."""
    program = plain_tree().program(source.parent.name, source.stem)
    ended = subprocess.run((program, claim), check=False, capture_output=True, text=True, timeout=300)
    assert (ended.returncode, ended.stdout.splitlines()[-1:]) == (0, ["1 passed, 0 failed"]), (
        ended.stdout + ended.stderr
    )


def test_every_file_makes_claims() -> None:
    """A file whose tests are not found would pass unseen."""
    assert [path.name for path in FILES if not claims(path)] == []
