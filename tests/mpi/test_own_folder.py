"""What Ictus runs from the cache, and believes of the state folder, nobody else can have put there."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from ictus.engine.trust import check_trusted, remember
from ictus.model.errors import ForeignPrograms
from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.model.plan import Plan
from ictus.mpi.build import build_core
from ictus.mpi.cache import cache, exclusive_access
from ictus.mpi.command import compose
from ictus.mpi.own_folder import SUMS, NotOurs, OwnFolder, seal
from ictus.mpi.wheels import wheel_prefixes

from .test_build import SMALL_CORE, installation

__all__ = ["installation"]


@pytest.fixture
def own(tmp_path: Path) -> OwnFolder:
    """A folder with one sealed program in it."""
    made = OwnFolder(tmp_path / "own", "ICTUS_CACHE")
    place = made.make(made.root / "builds" / "one")
    (place / "program").write_text("#!/bin/sh\n")
    (place / "program").chmod(0o775)
    seal(place, "program")
    return made


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is another user's; where we are not root, all files are."""
    if os.geteuid() == 0:
        os.chown(path, 12345, -1, follow_symlinks=False)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)


def mode(path: Path) -> int:
    """The rights of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_made_is_for_this_user_alone(own: OwnFolder) -> None:
    """All folders, whatever the umask, and the checksums; others cannot write the program. sha256sum reads the sums."""
    place = own.root / "builds" / "one"
    assert [mode(one) for one in (own.root, place.parent, place)] == [0o700] * 3
    assert (mode(place / SUMS), mode(place / "program")) == (0o600, 0o755)
    assert own.checked(place / "program") == place / "program"
    assert subprocess.run(("sha256sum", "--check", SUMS), cwd=place, check=True, capture_output=True).returncode == 0


@pytest.mark.parametrize("part", ["", "builds", "builds/one", "builds/one/program", "builds/one/SHA256SUMS"])
def test_another_users_folder_or_file_is_refused(own: OwnFolder, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On any step of the way; the message says whose it is and what to do."""
    give_away(own.root / part, monkeypatch)
    with pytest.raises(NotOurs, match=rf"'{own.root}.*' belongs to user .*remove it, or set ICTUS_CACHE to another"):
        own.checked(own.root / "builds" / "one" / "program")


@pytest.mark.parametrize("part", ["builds", "builds/one", "builds/one/program", "builds/one/SHA256SUMS"])
def test_no_link_is_followed(own: OwnFolder, part: str, tmp_path: Path) -> None:
    """Below the folder; the folder itself may be behind a link of the user's own, as a cache on a scratch disk is."""
    path = own.root / part
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotOurs, match=f"'{path}' is a symbolic link"):
        own.checked(own.root / "builds" / "one" / "program")


def test_the_folder_itself_may_be_a_link_of_the_users_own(
    own: OwnFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that somebody else made is none."""
    link = OwnFolder(tmp_path / "link", "ICTUS_CACHE")
    link.root.symlink_to(own.root)
    link.checked(link.root / "builds" / "one" / "program")
    give_away(link.root, monkeypatch)
    with pytest.raises(NotOurs, match="belongs to"):
        link.checked(link.root / "builds" / "one" / "program")


def test_others_lose_the_right_to_write_what_is_ours(own: OwnFolder) -> None:
    """An earlier version made folders by the umask, which on many machines lets a group write."""
    (own.root / "builds").chmod(0o2777)
    own.checked(own.root / "builds" / "one" / "program")
    assert mode(own.root / "builds") == 0o2755


def test_a_changed_program_is_refused(own: OwnFolder) -> None:
    """By its checksum; one without a checksum too."""
    place = own.root / "builds" / "one"
    (place / "program").write_text("#!/bin/sh\nevil\n")
    with pytest.raises(NotOurs, match=f"'{place}' has another program than was put there"):
        own.checked(place / "program")
    (place / "other").touch()
    with pytest.raises(NotOurs, match="has another other than"):
        own.checked(place / "other")


def test_a_planted_build_is_not_run(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was: whoever could write the cache before us chose what measured. Ours is checked when it is asked for, and
    before each launch.
    """
    made = build_core(installation, native=SMALL_CORE)
    started = Job(2, (str(made.program), "--plan"), Path(), 1.0)
    loaded = Job(2, ("/bin/true",), Path(), 1.0, environment={"LD_PRELOAD": f"/lib/a.so:{made.program}"})
    for job in (started, loaded):
        compose(installation, job)
    made.program.write_bytes(made.program.read_bytes() + b"evil")
    with pytest.raises(NotOurs, match="has another ictus-bench than was put there"):
        build_core(installation, native=SMALL_CORE)
    for job in (started, loaded):
        with pytest.raises(NotOurs, match="has another ictus-bench than was put there"):
            compose(installation, job)
    give_away(made.program.parent, monkeypatch)
    with pytest.raises(NotOurs, match="belongs to"):
        build_core(installation, native=SMALL_CORE)


def test_a_build_without_checksums_is_built_anew(installation: Installation) -> None:
    """As those of earlier versions, and one that was planted before ours."""
    program = build_core(installation, native=SMALL_CORE).program
    program.write_text("#!/bin/sh\nevil\n")
    (program.parent / SUMS).unlink()
    assert build_core(installation, native=SMALL_CORE).program == program
    assert "evil" not in program.read_text("latin-1")


def test_wheels_and_locks_of_another_user_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wrapper of a planted library would be run by discovery, and a link in the place of a lock written to."""
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    own = cache()
    programs = own.make(own.root / "mpi" / "mpich" / "bin")
    assert list(wheel_prefixes(tmp_path)) == [programs.parent]
    (own.root / "mpi" / "new.lock").symlink_to(tmp_path / "mine")
    (tmp_path / "mine").write_text("kept")
    with pytest.raises(Exception, match="cannot write to"), exclusive_access(own.root / "mpi" / "new"):
        pass
    assert (tmp_path / "mine").read_text() == "kept"
    give_away(programs, monkeypatch)
    with pytest.raises(NotOurs, match="belongs to"):
        list(wheel_prefixes(tmp_path))


def test_what_others_wrote_into_the_state_folder_was_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else they would name programs for us."""
    monkeypatch.setenv("ICTUS_STATE", str(tmp_path / "state"))
    plan = Plan.from_values({"env": {"A": "1"}})
    remember(plan)
    check_trusted(tmp_path, plan, "mpiexec")
    give_away(next((tmp_path / "state" / "named").iterdir()), monkeypatch)
    with pytest.raises(ForeignPrograms):
        check_trusted(tmp_path, plan, "mpiexec")
