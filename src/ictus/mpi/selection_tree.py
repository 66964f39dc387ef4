"""MPICH's own tree of conditions that choose algorithms: it is kept in the library as text, and told in no other way.

A tuning file (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE) replaces that tree whole: of an operation that it leaves out
the library ends at the first call. So a file with a single choice put in needs the tree that it is put into.
"""

import copy
import functools
import json
from pathlib import Path
from typing import Any

from ictus.model.installation import Installation

_MARK = b'"collective='
ABOVE, COMPOSITION, SHARED_MEMORY = '"algorithm=MPIR_', '"composition=', '"algorithm=MPIDI_POSIX_'
"""Leaves of the layer above devices; of the device, and of its shared memory."""
_LEAST = 2**20
"""A shared library is no smaller; the names beside it are links, or texts that stand for links."""


def selection_tree(installation: Installation) -> dict[str, Any] | None:
    """The tree of the layer above devices; None where the library has none that can be found."""
    return copy.deepcopy(trees_of(installation.wrapper).get(ABOVE))


@functools.cache
def trees_of(wrapper: Path) -> dict[str, dict[str, Any]]:
    """The trees of a library, by what their leaves begin with: `ABOVE`, `COMPOSITION`, `SHARED_MEMORY`."""
    folder = wrapper.resolve().parent.parent / "lib"
    for path in sorted(folder.glob("libmpi.so*")):
        try:
            content = path.read_bytes() if path.stat().st_size > _LEAST else b""
        except OSError:
            continue
        found = {leaf: tree for leaf in (ABOVE, COMPOSITION, SHARED_MEMORY) if (tree := tree_in(content, leaf))}
        if found:
            return found
    return {}


def tree_in(content: bytes, leaf: str = ABOVE) -> dict[str, Any] | None:
    """The tree with such leaves in the bytes of a library: a text that ends with a zero byte, and is JSON."""
    at = 0
    while (at := content.find(_MARK, at)) >= 0:
        begin, end = content.rfind(b"\0", 0, at) + 1, content.find(b"\0", at)
        text = content[begin : end if end >= 0 else len(content)]
        at = begin + len(text)
        if leaf.encode() in text:
            try:
                tree = json.loads(text)
            except ValueError:
                continue
            if isinstance(tree, dict):
                return tree
    return None
