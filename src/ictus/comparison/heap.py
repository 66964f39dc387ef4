"""Cases that depend on what becomes of freed memory: their mark in tables, and the sentences about them."""

from collections.abc import Iterator

import polars as pl

from ictus.comparison.case_titles import operation_title
from ictus.model.launch_factor import without_heap
from ictus.store.campaign import Campaign
from ictus.store.page_faults import PAGE

MARK = "‡"
NOTE = f"{MARK} depends on the heap: a call pays for pages of memory where freed memory is returned."


def with_page_faults(frame: pl.DataFrame, campaign: Campaign) -> pl.DataFrame:
    """Rows of launches and cases with `heap_matters`: whether page faults of a call depend on the heap."""
    effects = {} if campaign.heap is None else campaign.heap.by_case
    if not any(effect.matters for effect in effects.values()):
        return frame.with_columns(pl.lit(value=False).alias("heap_matters"))
    places = [
        (mpi, variant, case_id) for (mpi, variant, case_id), heap_effect in effects.items() if heap_effect.matters
    ]
    types = {"mpi": pl.String, "_variant": pl.String, "case_id": pl.UInt32}
    marked = pl.DataFrame(places, schema=types, orient="row").with_columns(pl.lit(value=True).alias("heap_matters"))
    plain = {name: without_heap(name) for name in frame["algorithm"].unique()}
    named = frame.with_columns(pl.col("algorithm").replace(plain).alias("_variant"))
    joined = named.join(marked, on=["mpi", "_variant", "case_id"], how="left", maintain_order="left")
    return joined.with_columns(pl.col("heap_matters").fill_null(value=False)).drop("_variant")


def heap_sentences(campaign: Campaign) -> Iterator[str]:
    """How many cases of each library depend on the heap, by which operations; of which libraries it cannot be
    controlled. Nothing where page faults were not counted.
    """
    if campaign.heap is None:
        return
    operations = dict(campaign.cases.select("case_id", "operation").iter_rows())
    for mpi in campaign.labels:
        heaps = {key[2]: effect for key, effect in campaign.heap.by_case.items() if key[0] == mpi}
        marked = [case_id for case_id, heap_effect in heaps.items() if heap_effect.matters]
        names = dict.fromkeys(operation_title({"operation": operations[case_id]}) for case_id in marked)
        faulting = [effect for effect in heaps.values() if effect.kept >= PAGE and not effect.matters]
        if mpi in campaign.heap.fixed:
            yield f"{mpi}: the heap cannot be controlled, its processes have an allocator of their own."
        elif marked:
            yield (
                f"{mpi}: {len(marked)} of {len(heaps)} cases depend on the heap ({', '.join(names)}). Their times are "
                "those of a program that keeps freed memory; `--heap kept,returned` measures both."
            )
        if faulting:
            yield (
                f"{mpi}: {len(faulting)} of {len(heaps)} cases pay for pages of memory in every call, whatever the "
                "heap: for them it cannot be controlled."
            )
