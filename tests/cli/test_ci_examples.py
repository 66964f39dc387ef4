"""The examples of examples/ci: parsed, and every command in them executed by a shell, with launches simulated."""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.comparison.junit_schema import check_junit

from ictus.cli.app import app

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "ci"
SLOWER = '{{"factors": {{"{label}": {factor}}}, "launch_spread": 0.02, "noise": 0.03, "bandwidth": 4e9}}'


class Runner:
    """A machine of a continuous integration: an empty folder, and a PATH on which Ictus simulates its launches."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.environment = {"GITHUB_PATH": "path.txt", "GITHUB_STEP_SUMMARY": "summary.md"}
        made = 'mkdir -p "$3/bin"; echo exit 0 > "$3/bin/pip"; chmod +x "$3/bin/pip"; ln -sf "$PWD/bin/ictus" "$3/bin"'
        self._program("bin/python3", made)  # -m venv FOLDER
        self._program("ci/build-mpi.sh", 'mkdir -p "$2"')
        ictus = f'"{sys.executable}" -m ictus'
        small = '--sizes 8 --launches 6 --nrep 20 --seed "$(cat seed.txt)"'  # behind the example's own: these win
        simulated = f'{ictus} "$@" --launcher simulated --scenario world.json {small}'
        few = f'{ictus} "$@" --op bcast'  # a figure takes a tenth of a second
        words = f'run) exec {simulated};; mpi) exit 0;; diagnose) exec {few};; *) exec {ictus} "$@"'
        self._program("bin/ictus", f'case "$1" in {words};; esac')

    def _program(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def world(self, label: str, factor: float, seed: int) -> None:
        """What is measured from now on: that library is slower by a factor."""
        (self.folder / "seed.txt").write_text(str(seed))
        (self.folder / "world.json").write_text(SLOWER.format(label=label, factor=factor))

    def execute(self, script: str, variables: Mapping[str, str] | None = None) -> int:
        """The exit code of a script in a shell that ends at the first error, as both runners have it."""
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        environment = {**os.environ, **self.environment, "PATH": path, **(variables or {})}
        return subprocess.run(["bash", "-e", "-c", script], cwd=self.folder, env=environment, check=False).returncode


def read(name: str) -> Any:
    """The example as data."""
    return yaml.safe_load((EXAMPLES / name).read_text("utf-8"))


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """An empty machine."""
    return Runner(tmp_path / "machine")


@pytest.mark.figures
@pytest.mark.long
def test_the_workflow_of_github(runner: Runner) -> None:
    """Every step runs; the comparison of a slower pull request fails; summary, tests and pages are there either way."""
    steps = read("github-actions.yml")["jobs"]["compare"]["steps"]
    runner.world("after", 1.15, seed=1)
    codes = {}
    for step in steps:
        if "run" in step:
            script = re.sub(r"\$\{\{[^}]*\}\}", "0123abc", step["run"])
            codes[step["name"]] = runner.execute(script)
    assert codes.pop("Compare") == 1
    assert set(codes.values()) == {0}
    assert "**hit by 3 of 3 cases**" in (runner.folder / "summary.md").read_text("utf-8")
    assert check_junit((runner.folder / "junit.xml").read_text("utf-8")).get("failures") == "3"
    upload = next(step for step in steps if "upload" in step.get("uses", ""))
    assert all((runner.folder / name).exists() for name in upload["with"]["path"].split())


@pytest.mark.long
def test_the_pipeline_of_gitlab(runner: Runner) -> None:
    """The first commits make baselines; a slower one fails and is none, nor is a topic branch; eight are kept."""
    job = read("gitlab-ci.yml")["mpi-performance"]
    script = "\n".join([*job["before_script"], *job["script"]])

    def variables(number: int, branch: str = "main") -> dict[str, str]:
        return {"CI_COMMIT_BRANCH": branch, "CI_DEFAULT_BRANCH": "main", "CI_PIPELINE_ID": str(number)}

    def pipeline(number: int, factor: float, branch: str = "main") -> int:
        subprocess.run(["rm", "-rf", runner.folder / "now"], check=True)
        runner.world("mpich", factor, seed=number)
        return runner.execute(script, variables(number, branch))

    def kept() -> set[str]:
        return {path.name for path in (runner.folder / "baselines").iterdir()}

    assert [pipeline(number, 1.0) for number in (1, 2, 3, 4)] == [0] * 4
    assert not (runner.folder / "junit.xml").exists(), "fewer baselines judge nothing"
    assert pipeline(5, 1.3) == 1
    assert check_junit((runner.folder / "junit.xml").read_text("utf-8")).get("failures") == "3"
    assert pipeline(6, 1.0, branch="topic") == 0
    assert kept() == {"1", "2", "3", "4"}
    assert all((runner.folder / name).exists() for name in job["artifacts"]["paths"])
    for number in range(7, 12):
        (runner.folder / "baselines" / str(number)).mkdir()
    assert runner.execute(job["script"][-1], variables(12)) == 0
    assert len(kept()) == 8
    assert "12" in kept()


@pytest.mark.long
def test_the_workflow_of_github_with_a_baseline(runner: Runner) -> None:
    """As that of GitLab: each run gets the cached folders, and saves one where all steps before it passed."""
    job = read("github-baseline.yml")["jobs"]["baseline"]
    cache = runner.folder / "cache"
    (restore,) = [step for step in job["steps"] if step.get("uses", "").startswith("actions/cache/restore")]
    (save,) = [step for step in job["steps"] if step.get("uses", "").startswith("actions/cache/save")]
    kept = runner.folder / restore["with"]["path"]
    assert save["with"]["path"] == restore["with"]["path"]
    assert save["with"]["key"].startswith(restore["with"]["restore-keys"])

    def pipeline(number: int, factor: float, *, on_main: bool = True) -> list[str]:
        """Names of the steps that passed."""
        runner.world("mpich", factor, seed=number)
        subprocess.run(["rm", "-rf", kept, runner.folder / "now"], check=True)
        passed = []
        for step in job["steps"]:
            if "if" in step and "default_branch" in step["if"] and not on_main:
                continue
            if step is restore and cache.exists():
                subprocess.run(["cp", "-r", cache, kept], check=True)
            if step is save:
                subprocess.run(["rm", "-rf", cache], check=True)
                subprocess.run(["cp", "-r", kept, cache], check=True)
            if "run" in step:
                if runner.execute(step["run"].replace("${{ github.run_id }}", str(number))) != 0:
                    break
                passed.append(step["name"])
        return passed

    every = ["Install Ictus and an MPI", "Measure", "Compare", "Make it a baseline"]
    assert [pipeline(number, 1.0) for number in (1, 2, 3, 4)] == [every] * 4
    assert pipeline(5, 1.3) == every[:2]
    assert pipeline(6, 1.0, on_main=False) == every[:3]
    assert {path.name for path in cache.iterdir()} == {"1", "2", "3", "4"}


@pytest.mark.parametrize("name", [path.name for path in sorted(EXAMPLES.glob("*.yml"))])
def test_every_example_is_yaml_and_names_commands_that_exist(name: str) -> None:
    """Each `ictus COMMAND` with each of its options is one of the command line."""
    text = (EXAMPLES / name).read_text("utf-8")
    assert isinstance(read(name), dict)
    lines = text.replace("\\\n", " ").splitlines()
    used = [found.groups() for line in lines if (found := re.search(r"(?:^|[\s/])ictus ([a-z]+) (.*)", line))]
    assert used
    commands: Any = app.commands
    for word, rest in used:
        options = {option for one in commands[word].params for option in one.opts}
        assert set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest)) <= options, word
