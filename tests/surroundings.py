"""What tests see of the machine: the compiler, the tools of the system and the two MPI wheels of `make setup`, whatever
else is installed or set. A test with the mark of an engine sees that engine too.
"""

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Mapping, MutableMapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests.engines import ENGINES, ROOT, programs

BUILT = ROOT / "build/tests"
CACHE = BUILT / "cache"
"""ICTUS_CACHE of all tests: what `ictus` itself builds, kept from one session to the next."""

KEPT = ("LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "LOGNAME", "CI", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
KEPT_BEGINNINGS = ("PIP_", "UV_", "SSL_CERT_", "OPENBLAS_", "PYTEST_", "COVERAGE_", "TESTS_")
KNOBS = (
    "ICTUS_SHUFFLED", "ICTUS_UPDATE_GOLDEN", "ICTUS_FUZZ_S", "ICTUS_FAULTS", "ICTUS_TRIES", "ICTUS_OBJECTS",
    "ICTUS_SYNCHRONISATIONS", "ICTUS_HOSTS", "ICTUS_RANKS", "ICTUS_TABLE", "ICTUS_CAMPAIGNS", "ICTUS_SUITES",
)  # fmt: skip
"""Variables of the tests themselves."""
ONE_THREAD = {"POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Two workers have two cores: on small tables more threads only wait for each other."""
FROM_PATH = ("c++", "g++", "cc", "gcc", "git", "make", "cmake", "ninja")
"""Taken from PATH where the machine has them in no folder of the system."""


def surroundings(ambient: Mapping[str, str], engines: Sequence[str] = ()) -> dict[str, str]:
    """The environment of tests that need these engines, in a shell that has `ambient`.

    HOME is a folder of the tests' own. What set-up fetched stays in reach: the settings and caches of pip and uv.
    """
    kept = {
        name: value
        for name, value in ambient.items()
        if name in KEPT or name in KNOBS or name.startswith(KEPT_BEGINNINGS)
    }
    home = Path(ambient.get("HOME", "/"))
    cache = Path(ambient.get("XDG_CACHE_HOME") or home / ".cache")
    settings = Path(ambient.get("XDG_CONFIG_HOME") or home / ".config")
    kept.setdefault("UV_CACHE_DIR", str(cache / "uv"))
    for name, path in (("PIP_CONFIG_FILE", settings / "pip/pip.conf"), ("UV_CONFIG_FILE", settings / "uv/uv.toml")):
        if path.is_file():
            kept.setdefault(name, str(path))
    searched = [place for name in engines for place in ENGINES[name].places]
    own = {
        **ONE_THREAD,
        "LC_ALL": "C.UTF-8",
        "HOME": str(BUILT / "home"),
        "PATH": str(_path(engines, ambient.get("PATH", ""))),
        "ICTUS_CACHE": str(CACHE),
        "ICTUS_STATE": str(CACHE / "state"),
        "ICTUS_SEARCH": ",".join(("added", "wheels", *dict.fromkeys(searched))),
    }
    return kept | own | {name: value for one in engines for name, value in ENGINES[one].variables.items()}


def enter(environ: MutableMapping[str, str], engines: Sequence[str] = ()) -> None:
    """Make an environment that of tests; doing it twice changes nothing more."""
    wanted = surroundings(environ, engines)
    Path(wanted["HOME"]).mkdir(parents=True, exist_ok=True)
    for name in set(environ) - set(wanted):
        del environ[name]
    environ.update(wanted)


def _path(engines: Sequence[str], path: str) -> Path:
    """A folder with a link to every program that such tests see; made once, and anew after the machine changed."""
    links = {one.name: one for one in programs(engines)}
    for name in FROM_PATH:
        found = shutil.which(name, path=path)
        if name not in links and found is not None:
            links[name] = _origin(Path(found))
    python = Path(sys.base_prefix, "bin/python3")
    links |= {"python3": python} if python.exists() else {}
    pkgconf = Path(sys.prefix, "bin/pkg-config")
    links |= {"pkg-config": pkgconf} if pkgconf.exists() else {}
    listed = "\n".join(f"{name} {target}" for name, target in sorted(links.items()))
    folder = BUILT / "path" / ("+".join((*engines, hashlib.sha256(listed.encode()).hexdigest()[:12])))
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(dir=folder.parent))
        for name, target in links.items():
            (partial / name).symlink_to(target)
        partial.chmod(0o755)
        with suppress(OSError):  # another process of this session was first
            partial.rename(folder)
        if partial.is_dir():
            shutil.rmtree(partial)
    return folder


def _origin(found: Path) -> Path:
    """Of a link in a folder that was made here."""
    return found.readlink() if found.is_symlink() and found.is_relative_to(BUILT) else found
