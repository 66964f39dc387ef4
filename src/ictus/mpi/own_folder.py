"""Folders of this user from which Ictus runs something or believes what it reads: the cache, and what the user named.

They may lie where others can write, such as a scratch file system, and somebody may have put a program there before us.
So what is taken from them belongs to this user or to root, can be written by nobody else, is reached through no link,
and is what was put there by its checksum. Each folder on the way is opened inside the one before (openat) and looked at
while it is open: a name that is exchanged meanwhile leads nowhere else. How the user comes to the folder itself, by
links too, is the user's business.
"""

import errno
import hashlib
import os
import pwd
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from ictus.model.errors import UsageError

SUMS = "SHA256SUMS"
"""In a sealed folder, as `sha256sum --check` reads it; written last, so that where it lies the folder is whole."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_CHUNK = 1 << 20


class NotOurs(UsageError):
    """Something that another user could have put there."""


@dataclass(frozen=True)
class OwnFolder:
    """A folder of this user; it need not exist."""

    root: Path
    variable: str
    """Names another folder in its place."""

    def make(self, path: Path) -> Path:
        """A folder below the root, or the root itself: what is missing is made for this user alone (mode 0700), what is
        there is checked. NotOurs; OSError where it cannot be made.
        """
        self.root.parent.mkdir(parents=True, exist_ok=True)
        missing = [
            step for step in (path, *path.parents) if step.is_relative_to(self.root) and not os.path.lexists(step)
        ]
        for step in reversed(missing):
            step.mkdir(mode=0o700, exist_ok=True)
        self.check(path)
        return path

    def check(self, path: Path) -> None:
        """NotOurs for a folder that is there and that another user could have put there."""
        with self._opened(path):
            pass

    @contextmanager
    def file(self, path: Path) -> Iterator[FileIO]:
        """A file below the root, opened for reading. NotOurs; OSError where it is missing."""
        with self._opened(path.parent) as folder:
            if folder is None:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
            descriptor = self._inside(folder, path, _FILE)
        with FileIO(descriptor) as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise self._not_ours(path, "is no regular file")
            self._close_to_others(descriptor, path)
            yield file

    def holds(self, path: Path) -> bool:
        """Whether there is such a file. NotOurs."""
        try:
            with self.file(path):
                return True
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            message = f"'{path}' cannot be read: {error.strerror}; set {self.variable} to another folder"
            raise UsageError(message) from error

    def checked(self, path: Path) -> Path:
        """A file of a sealed folder below the root, for its content is what was put there. NotOurs."""
        try:
            with self.file(path.parent / SUMS) as sums, self.file(path) as file:
                if f"{_sum(file)}  {path.name}" in sums.readall().decode("utf-8", "replace").splitlines():
                    return path
        except OSError as error:
            raise UsageError(f"'{path}' cannot be read: {error.strerror}; remove '{path.parent}'") from error
        raise self._not_ours(path.parent, f"has another {path.name} than was put there (sha256sum --check {SUMS})")

    @contextmanager
    def _opened(self, path: Path) -> Iterator[int | None]:
        """A folder of the root's, opened through all between them; None where it is not there."""
        at = self.root
        try:
            if at.is_symlink():
                self._check_owner(at, at.lstat())
            descriptor = os.open(at, _FOLDER)
        except FileNotFoundError:
            yield None
            return
        try:
            self._close_to_others(descriptor, at)
            for part in path.relative_to(self.root).parts:
                at /= part
                try:
                    inner = self._inside(descriptor, at, _FOLDER | os.O_NOFOLLOW)
                except FileNotFoundError:
                    yield None
                    return
                os.close(descriptor)
                descriptor = inner
                self._close_to_others(descriptor, at)
            yield descriptor
        finally:
            os.close(descriptor)

    def _inside(self, folder: int, path: Path, flags: int) -> int:
        try:
            return os.open(path.name, flags, dir_fd=folder)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR):
                raise self._not_ours(path, "is a symbolic link, or no folder") from error
            raise

    def _close_to_others(self, descriptor: int, path: Path) -> None:
        """Others lose the right to write what is this user's: a shell's umask may have given it to them."""
        facts = os.fstat(descriptor)
        self._check_owner(path, facts)
        if not facts.st_mode & _BY_OTHERS:
            return
        if facts.st_uid != os.geteuid():
            raise self._not_ours(path, f"can be written by others (mode {stat.S_IMODE(facts.st_mode):04o})")
        os.fchmod(descriptor, stat.S_IMODE(facts.st_mode) & ~_BY_OTHERS)

    def _check_owner(self, path: Path, facts: os.stat_result) -> None:
        if facts.st_uid not in (os.geteuid(), 0):
            raise self._not_ours(path, f"belongs to {_name(facts.st_uid)}")

    def _not_ours(self, path: Path, why: str) -> NotOurs:
        return NotOurs(
            f"'{path}' {why}: others could have put files there, so it is not used; remove it, or set "
            f"{self.variable} to another folder"
        )


def seal(folder: Path, *names: str) -> None:
    """Write down the checksums of files that are whole now; nobody but this user may write them from now on."""
    lines = []
    for name in names:
        with (folder / name).open("rb", buffering=0) as file:
            os.fchmod(file.fileno(), stat.S_IMODE(os.fstat(file.fileno()).st_mode) & ~_BY_OTHERS)
            lines.append(f"{_sum(file)}  {name}\n")
    sums = folder / SUMS
    sums.unlink(missing_ok=True)
    sums.touch(0o600)
    sums.write_text("".join(lines), "utf-8")


def _sum(file: FileIO) -> str:
    digest = hashlib.sha256()
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


def _name(user: int) -> str:
    try:
        return f"user '{pwd.getpwuid(user).pw_name}'"
    except KeyError:
        return f"user {user}"
