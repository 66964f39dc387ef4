"""The end of a simulated launch that has a fault (scenario.FAULTS): its outcome, and what its ranks say."""

import json
from dataclasses import replace
from pathlib import Path

from ictus.launch.lease import RENEWED_S
from ictus.model.job import Outcome

_SAID = {
    "fail": (("measurement", "another rank failed"), ("measurement", "simulated measurement error")),
    "usage": (("usage", "another rank failed"), ("usage", "simulated usage error")),
    "hang": (("ended", "had not returned from MPI_Finalize when the launch was ended"),),
}
"""By fault: kind and message of the error file of each rank."""
_EXIT_CODES = {"fail": 1, "usage": 2, "timeout": None, "interrupt": None, "hang": None, "hang-unseen": None}


def complain(folder: Path, fault: str) -> None:
    """Write the error files of ranks; the one with the higher number was first."""
    texts = _SAID.get(fault, ())
    for rank, (kind, message) in enumerate(texts):
        time_s = float(len(texts) - rank)
        error = {"rank": rank, "time_s": time_s, "host": "simulated", "kind": kind, "message": message}
        (folder / f"error.{rank}.json").write_text(json.dumps(error))


def ended_by(fault: str, outcome: Outcome, timeout_s: float) -> Outcome:
    """The outcome of a launch that would have been `outcome`; one that hangs is ended after its grace."""
    hung = fault in ("hang", "hang-unseen")
    return replace(
        outcome,
        exit_code=_EXIT_CODES.get(fault, outcome.exit_code),
        elapsed_s=timeout_s if fault == "timeout" else outcome.elapsed_s + hung * RENEWED_S,
        timed_out=fault == "timeout",
        interrupted=fault == "interrupt",
        hung=hung,
    )
