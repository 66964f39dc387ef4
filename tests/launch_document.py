"""A launch folder of format 2 as one object with lists, read by json and numpy.load alone, without our reader.

Where the arrays have NaN, -1 or an empty text the object has None, as launch.json of format 1 had.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ictus.launch.launchers.simulated_record import write_launch

Array = npt.NDArray[Any]

_TRUTHS = ("in_place", "validated", "keeps_freed_memory")
_COUNTS = ("cache_bytes", "epoch_ticks", "cpu", "max_rss_bytes", "page_faults")


def launch_document(folder: Path) -> dict[str, Any]:
    """launch.json and the arrays that it names."""
    document: dict[str, Any] = json.loads((folder / "launch.json").read_text("utf-8"))
    assert document["format"] == 2
    arrays: dict[str, Array] = {}
    for name, array in document["arrays"].items():
        arrays[name] = np.load(folder / array["file"])
        assert list(arrays[name].shape) == array["shape"], name
    cases = _rows(arrays["cases"])
    for case, own in zip(cases, arrays["case_ranks"], strict=True):
        for name in ("root", "timed_root"):
            case[name] = {-1: None, -2: "rotating"}.get(case[name], case[name])
        case["set_up_s"] = {
            what: float(text) for what, _, text in (one.partition("=") for one in _parts(case["set_up_s"]))
        }
        case["per_rank"] = _lists(own)
    blocks = []
    for number, (row, own) in enumerate(zip(_rows(arrays["blocks"]), arrays["clocks"], strict=True)):
        clocks = _lists(own)
        opening = {key: clocks[key] for key in ("slope", "intercept_s", "slope_error", "bound_s")}
        closing = {key: clocks[key] for key in ("residual_s", "interpolated_residual_s")}
        closing |= {key: row[key] for key in ("residual_max_s", "interpolated_residual_max_s")}
        closing["bound_s"] = clocks["closing_bound_s"]
        blocks.append({"block": number, "opening": {**opening, **_of(row, "opening")}})
        blocks[-1]["closing"] = None if row["closing_elapsed_s"] is None else {**closing, **_of(row, "closing")}
    hosts = [{**document["kinds"][row["kind"]], **row, "host": row["name"]} for row in _rows(arrays["hosts"])]
    ranks = _rows(arrays["ranks"])
    for number, rank in enumerate(ranks):
        rank |= {"rank": number, "host": hosts[rank["host"]]["host"]}
    document["clock"]["domain_leader"] = [rank["domain_leader"] for rank in ranks]
    return {**document, "cases": cases, "blocks": blocks, "ranks": ranks, "hosts": hosts}


def rewrite(folder: Path, document: dict[str, Any], samples: Array) -> None:
    """Write such an object, after an edit, and its samples."""
    kept = {key: value for key, value in document.items() if key != "arrays"}
    write_launch(folder, {**kept, "n_ranks": len(document["clock"]["domain_leader"])}, [samples])
    edit_head(folder / "launch.json", n_ranks=document["n_ranks"])  # arrays stay as long as they were


def edit_head(path: Path, **changes: Any) -> None:
    """Change members of a launch.json itself."""
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")
    forget_checksums(path.parents[2])


def forget_checksums(campaign: Path) -> None:
    """Take the checksums out of a campaign's journal, as in one of format 1, so that its files may be changed."""
    journal = campaign / "journal.jsonl"
    if journal.is_file():
        entries = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
        for entry in entries:
            entry.pop("checksums", None)
            entry.pop("checksum", None)  # of the line, which is not the same any more
        journal.write_text("".join(json.dumps(entry) + "\n" for entry in entries), "utf-8")


def _of(row: dict[str, Any], side: str) -> dict[str, Any]:
    return {key: row[f"{side}_{key}"] for key in ("elapsed_s", "messages")}


def _parts(text: str | None) -> list[str]:
    return text.split(",") if text else []


def _rows(array: Array) -> list[dict[str, Any]]:
    names = array.dtype.names or ()
    return [{name: _plain(name, value) for name, value in zip(names, row, strict=True)} for row in array.tolist()]


def _lists(array: Array) -> dict[str, list[Any]]:
    return {name: [_plain(name, value) for value in array[name].tolist()] for name in array.dtype.names or ()}


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode() or None
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if name in (*_TRUTHS, *_COUNTS) and value == -1:
        return None
    return bool(value) if name in _TRUTHS else value
