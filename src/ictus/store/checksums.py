"""Checksums of a launch's files: written into the journal when the launch is accepted, compared when a file is read.

XXH3 (64 bits) finds flipped bits, torn files and swapped files at the speed of memory. It does not detect forgery.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from xxhash import xxh3_64

from ictus.model.errors import MeasurementError

_PREFIX = "xxh3:"
_CHUNK = 1 << 20
"""Bytes read at a time."""
_DERIVED = ".parquet"
"""Files that are made from the measured ones, and can be made again."""


class FileHash:
    """The checksum of a file that is read chunk by chunk."""

    def __init__(self) -> None:
        self._hash = xxh3_64()

    def update(self, chunk: bytes | memoryview) -> None:
        """The next bytes of the file."""
        self._hash.update(chunk)

    @property
    def text(self) -> str:
        """As the journal has it."""
        return f"{_PREFIX}{self._hash.hexdigest()}"


@dataclass(frozen=True)
class Checksums:
    """The journal's checksums of the files of one launch, by file name; empty where it has none."""

    of: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether any file is checked."""
        return bool(self.of)

    def covers(self, path: Path) -> bool:
        """Whether this file is checked."""
        return path.name in self.of

    def check(self, path: Path, found: FileHash) -> None:
        """MeasurementError for a file that is not what was measured; one that the journal does not name passes."""
        expected = self.of.get(path.name, found.text)
        if found.text != expected:
            raise MeasurementError(
                f"{path}: the checksum of launch {path.parent.name} is {found.text}, the journal says {expected}: the "
                f"file changed after it was measured; restore it, or remove the launch's folder and measure it again"
            )

    def check_bytes(self, path: Path, content: bytes) -> None:
        """The same for the content of a whole file."""
        found = FileHash()
        found.update(content)
        self.check(path, found)

    def check_file(self, path: Path) -> None:
        """The same for a file on the disk, which is read for it."""
        if self.covers(path) and path.is_file():
            self.check(path, _hash_of(path))


UNCHECKED = Checksums()
"""For a launch without checksums in the journal: all before format 2, and those of other programs."""


def checksums_of(folder: Path) -> dict[str, str]:
    """Checksums of all measured files of a launch folder, by file name."""
    files = (path for path in sorted(folder.iterdir()) if path.is_file() and path.suffix != _DERIVED)
    return {path.name: _hash_of(path).text for path in files}


def _hash_of(path: Path) -> FileHash:
    found = FileHash()
    try:
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(_CHUNK):
                found.update(chunk)
    except OSError as error:
        raise MeasurementError(f"{path}: {error.strerror}") from error
    return found
