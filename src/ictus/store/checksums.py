"""Checksums of a launch's files: written into the journal when the launch is accepted, compared when a file is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ictus.model.checksum import FileHash
from ictus.model.errors import MeasurementError
from ictus.model.input_file import ARRAY_BYTES, DOCUMENT_BYTES, regular_file
from ictus.store.npy_header import read_header

_CHUNK = 1 << 20
"""Bytes read at a time."""
_DERIVED = ".parquet"
"""Files that are made from the measured ones, and can be made again."""
_READ = (".json", ".npy")
"""Files that analysis reads; texts are for people."""
_OF_REPETITIONS = ("samples.npy", "raw.npy")
_ORIGINS = ("launch.json", "cases.npy", "samples.npy")
"""What the tables of a launch are made of."""


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

    def check(self, path: Path, measured: FileHash) -> None:
        """MeasurementError for a file that is not what was measured; one that the journal does not name passes."""
        expected = self.of.get(path.name, measured.text)
        if measured.text != expected:
            raise MeasurementError(
                f"{path}: the checksum of launch {path.parent.name} is {measured.text}, the journal says {expected}: "
                "the file changed after it was measured; restore it, or remove the launch's folder and measure it again"
            )

    def check_bytes(self, path: Path, content: bytes) -> None:
        """The same for the content of a whole file."""
        measured = FileHash()
        measured.update(content)
        self.check(path, measured)

    def check_file(self, path: Path) -> None:
        """The same for a file on the disk, which is read for it."""
        if self.covers(path) and path.is_file():
            self.check(path, hash_of(path))

    def check_small(self, folder: Path) -> None:
        """The same for all JSON files and arrays of a launch but those of repetitions, which are compared when they are
        read. MeasurementError too where one is missing.
        """
        for name in self.of:
            if name.endswith(_READ) and name not in _OF_REPETITIONS:
                self.check(folder / name, hash_of(folder / name))

    def check_all(self, folder: Path) -> None:
        """The same for every JSON file and array, those of repetitions included."""
        for name in self.of:
            if name.endswith(_READ):
                self.check(folder / name, hash_of(folder / name))

    def origin(self) -> str | None:
        """One text for all that tables are made of; None where a file of it has no checksum."""
        return ",".join(self.of[name] for name in _ORIGINS) if set(_ORIGINS) <= set(self.of) else None


UNCHECKED = Checksums()
"""For a launch without checksums in the journal: all before format 2, and those of other programs."""


def checksums_of(folder: Path) -> dict[str, str]:
    """Checksums of all measured files of a launch folder, by file name."""
    files = (path for path in sorted(folder.iterdir()) if path.is_file() and path.suffix != _DERIVED)
    return {path.name: hash_of(path).text for path in files}


def hash_of(path: Path) -> FileHash:
    """The checksum of a file. MeasurementError where it cannot be read, or is larger than one of its kind can be."""
    measured = FileHash()
    at_most = DOCUMENT_BYTES if path.suffix == ".json" else ARRAY_BYTES
    try:
        if path.name in _OF_REPETITIONS and path.stat().st_size > at_most:
            at_most = read_header(path).end  # as large as a campaign makes it, and not as a hole in a file
        with regular_file(path, at_most) as file:
            while chunk := file.read(_CHUNK):
                measured.update(chunk)
    except OSError as error:
        raise MeasurementError(f"{path}: {error.strerror}") from error
    return measured
