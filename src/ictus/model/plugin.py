"""Plug-ins of a plan: libraries or sources of the user with operations (native/include/ictus/operation.h).

A plan names a file. Once a core was asked, it has the file's checksum and what its operations are: so whoever reads the
plan knows them without the file, and no other file is taken for it.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from ictus.model.errors import UsageError
from ictus.model.member import Member, read_member
from ictus.model.registries import plug_in

SOURCES = (".c", ".cc", ".cpp", ".cxx", ".f90", ".F90", ".f08")
"""Endings of sources, which are compiled for each library; any other file is a shared library."""
_SEPARATOR = "#sha256="
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FIELDS = ("path", "sha256", "operations")


@dataclass(frozen=True)
class Plugin:
    """A file with operations, as the user names it, or as it was when a core was asked."""

    path: str
    sha256: str = ""
    """Of the file; empty where any is meant."""
    operations: tuple[Member, ...] = ()
    """Empty until a core was asked."""

    def __str__(self) -> str:
        return f"{self.path}{_SEPARATOR}{self.sha256}" if self.sha256 else self.path

    @property
    def is_described(self) -> bool:
        """Whether its operations are known."""
        return bool(self.operations)

    def described(self, path: str, sha256: str, operations: tuple[Member, ...]) -> "Plugin":
        """This plug-in as it is on this machine; UsageError for an operation that another plug-in has too."""
        plug_in(operations)
        return replace(self, path=path, sha256=sha256, operations=operations)

    def record(self) -> dict[str, Any]:
        """As a plan has it; the inverse of `read_plugin`."""
        operations = [_without_defaults(asdict(operation)) for operation in self.operations]
        return dict(zip(_FIELDS, (self.path, self.sha256, operations), strict=True))


def read_plugin(value: object) -> Plugin:
    """`libmine.so`, `libmine.so#sha256=...`, or what `record` gave. Its operations are known to this process from now
    on. UsageError for anything else.
    """
    if isinstance(value, Plugin):
        return value
    if isinstance(value, str) and value.strip():
        path, _, digest = value.strip().partition(_SEPARATOR)
        return _checked(Plugin(path, digest))
    if not isinstance(value, Mapping) or not set(value) <= set(_FIELDS) or not isinstance(value.get("path"), str):
        raise UsageError(f"expected a file such as './libmine.so' or 'mine.c', not {value!r}")
    try:
        operations = tuple(read_member(operation) for operation in value.get("operations", ()))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UsageError(f"plug-in '{value['path']}': its operations are not as `ictus-bench describe` has them") from (
            error
        )
    plug_in(operations)
    return _checked(Plugin(value["path"], str(value.get("sha256", "")), operations))


def _checked(plugin: Plugin) -> Plugin:
    if plugin.sha256 and not _DIGEST.fullmatch(plugin.sha256):
        raise UsageError(f"plug-in '{plugin.path}': '{plugin.sha256}' is not a SHA-256, 64 hexadecimal digits")
    return plugin


def _without_defaults(values: Mapping[str, Any]) -> dict[str, Any]:
    """What `read_member` fills in again is left out."""
    parameters = [
        {key: entry for key, entry in parameter.items() if entry is not None and entry is not False and entry != ()}
        for parameter in values["parameters"]
    ]
    kept = {key: entry for key, entry in values.items() if entry not in ("", False) and key != "parameters"}
    return {**kept, "parameters": parameters}
