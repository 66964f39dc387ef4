"""`make clocks-study`: runs what is not run yet, and writes docs/data, the figures and clocks-study.md.

The first run takes about an hour on two idle cores. Results are kept in build/clocks-study, so an interrupted study
goes on; delete that folder after a change of the algorithms.
"""

import sys
from typing import TypeVar

from tools.tree_arity import __main__ as tree_arity

from . import data, page, real, simgrid, table
from .frontier import points
from .goal import proof, verdicts, width
from .simulate import build
from .worlds import JUDGED, PROVEN_ON

LIBRARIES = ("mpich", "openmpi")
Value = TypeVar("Value")


def main() -> None:
    """All parts, one after the other; each says what it does. Then the page, from what is kept."""
    program = build()
    judged = [(row, _said(row.name, points(program, row))) for row in JUDGED]
    data.write_points(judged)
    found = [one for row, each in judged for one in verdicts(row, each)]
    data.write_rows(data.AT_EQUAL_TIME, map(data.equal_time_row, found))
    widths = [width(row, each) for row, each in judged if row.symmetric]
    data.write_rows(data.WIDTHS, (one for each in widths for one in data.width_rows(each)))
    data.write_rows(data.PROOFS, (data.proof_row(proof(program, row)) for row in PROVEN_ON))
    settings = [data.virtual_row(*line) for line in _said("the large table", table.rows(program))]
    for library in LIBRARIES:
        settings += data.command_rows(library, "one host", _said(f"real ranks, {library}", real.real_ranks(library)))
    for name, document in _said("SimGrid", simgrid.platforms()).items():
        settings += data.command_rows("simgrid", name.partition(",")[0], document)
    data.write_rows(data.SETTINGS, settings)
    tree_arity.main()
    page.main()


def _said(what: str, value: Value) -> Value:
    print(f"done: {what}", file=sys.stderr, flush=True)
    return value


if __name__ == "__main__":
    main()
