"""`ictus redirect convert`: profiles of PGMPITuneLib made ours, and ours made its."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ictus.model.errors import UsageError
from ictus.programs.redirect.launch import profile_files, read_text
from ictus.render.output import errors, warn


def convert(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="A profile of ours, or PGMPITuneLib's: a file, or a folder of *.prf.")
    ],
    target: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="Of ours a file; of PGMPITuneLib's a folder: OUT/PROCESSES/OPERATION.prf."),
    ],
) -> None:
    """Write a profile in the other form: ours or PGMPITuneLib's.

    Its sizes are what one process sends, ours the total volume. It has one file for each collective and reads those of
    one number of processes: --ppath=OUT/4. What has no counterpart is left out and said; evidence stays behind.
    """
    from ictus.programs.redirect.pgmpi import is_pgmpi  # noqa: PLC0415

    if target.exists():
        raise UsageError(f"'{target}' exists: choose another name")
    files = profile_files(source)
    if source.is_dir() or is_pgmpi(read_text(source)):
        _to_ours(files, target)
    else:
        _to_theirs(source, target)


def _to_ours(files: Sequence[Path], target: Path) -> None:
    from ictus.programs.redirect.pgmpi import parse_profiles  # noqa: PLC0415
    from ictus.programs.redirect.profile import format_profile  # noqa: PLC0415

    found = parse_profiles((str(file), read_text(file)) for file in files)
    _write(target, format_profile(found.profile))
    warn(found.remarks)


def _to_theirs(source: Path, target: Path) -> None:
    from ictus.programs.redirect.pgmpi import format_pgmpi  # noqa: PLC0415
    from ictus.programs.redirect.profile import parse_profile  # noqa: PLC0415

    made = format_pgmpi(parse_profile(read_text(source), str(source)))
    if not made.texts:
        raise UsageError(f"'{source}' has nothing that PGMPITuneLib can say: {'; '.join(made.remarks) or 'no line'}")
    for (n, operation), text in made.texts.items():
        _write(target / str(n) / f"{operation}.prf", text)
    warn(made.remarks)


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"'{file}' cannot be written: {error.strerror}") from error
    errors().print(f"{file}", soft_wrap=True, highlight=False, markup=False)
