"""launch.json and the arrays beside it, as the core writes them, from one object with lists."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ictus.model.launch_arrays import LAUNCH_FORMAT
from ictus.model.launch_lists import split_launch


def write_launch(
    folder: Path, document: Mapping[str, Any], samples: Sequence[NDArray[Any]], raw: Sequence[NDArray[Any]] = ()
) -> None:
    """Write a launch whose parts are `document`, and the samples (and stamps) of each case; launch.json last."""
    split = split_launch({**document, "format": LAUNCH_FORMAT})
    listed = {"samples": np.concatenate(samples), **({"raw": np.concatenate(raw)} if raw else {})}
    arrays = {**listed, **split.arrays}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    files = {name: {"file": f"{name}.npy", "shape": list(array.shape)} for name, array in arrays.items()}
    (folder / "launch.json").write_text(json.dumps({**split.head, "arrays": files}))
