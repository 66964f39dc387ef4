"""`ictus verify`: is a folder what it says?"""

from pathlib import Path
from typing import Annotated

from ictus.comparison.options import FOLDER
from ictus.model.errors import GateHit
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer
from ictus.render.table import records
from ictus.verification.folder import verify as verified
from ictus.verification.tables import answer_lines


@with_option_sets
def verify(folder: Annotated[Path, FOLDER], *, form: AnswerForm) -> None:
    """Check a folder: compute every number again, with other code.

    It computes summaries from samples, and samples from the time stamps of every rank (with --raw). It checks
    checksums, counts, order, bounds, seeds and schedule. In the folder of a check, a tuning, advice or a study it
    checks every campaign, and reads the documents; it says what it did not check. It ends with exit code 1 where
    something is wrong, and changes nothing.
    """
    verification = verified(folder)
    extra_keys = {
        "launches": verification.launches,
        "cases": verification.cases,
        "samples": verification.samples,
        "from_stamps": verification.from_stamps,
        "files": verification.files,
        "unchecked": list(verification.unchecked),
    }
    rows = records(verification.problems)
    form.print(CommandAnswer("ictus.verify/1", rows, (), lambda: answer_lines(verification), extra_keys))
    if verification.problems:
        raise GateHit(f"'{folder}': {len(rows)} things are wrong" if len(rows) > 1 else f"'{folder}': 1 thing is wrong")
