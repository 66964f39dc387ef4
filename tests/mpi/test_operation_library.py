"""Plug-ins as shared libraries: what counts as their content, and what the compiler says of a mistake."""

import hashlib
from pathlib import Path

import pytest
from tests.native.trees import ROOT, installation

from ictus.model.errors import MeasurementError, UsageError
from ictus.model.plugin import Plugin
from ictus.mpi.operation_library import digest_of, operation_library


def test_what_a_source_includes_is_part_of_its_content(tmp_path: Path) -> None:
    """A changed header beside it is another plug-in; without one the digest is that of the file, as of a library."""
    source, header = tmp_path / "mine.c", tmp_path / "mine.h"
    source.write_text('# include "mine.h"\n#include "ictus/operation.h"\n', "utf-8")
    alone = hashlib.sha256(source.read_bytes()).hexdigest()
    assert digest_of(Plugin(str(source))) == alone
    header.write_text('#include "mine.c"\n#define SEGMENT 1\n', "utf-8")
    first = digest_of(Plugin(str(source)))
    header.write_text('#include "mine.c"\n#define SEGMENT 2\n', "utf-8")
    assert len({alone, first, digest_of(Plugin(str(source)))}) == 3
    with pytest.raises(UsageError, match="has changed"):
        digest_of(Plugin(str(source), first))


@pytest.mark.mpi
def test_what_nothing_defines_is_an_error_of_the_source(tmp_path: Path) -> None:
    """And not of a library in the cache, whose path says nothing to its user."""
    source = tmp_path / "mine.c"
    text = (ROOT / "examples" / "plugins" / "pipelined_bcast.c").read_text("utf-8")
    source.write_text(text.replace("free(state);", "void fre(void*); fre(state);"), "utf-8")
    with pytest.raises(MeasurementError, match=r"mine\.c.*undefined reference to `fre'"):
        operation_library(installation("mpich"), Plugin(str(source)), lambda _: None)
