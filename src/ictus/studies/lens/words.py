"""What the lenses show, in sentences."""

from collections.abc import Iterator, Sequence

from ictus.comparison.case_titles import grouped, operation_title
from ictus.model.quantity import format_duration, format_size
from ictus.studies.lens.analysis import LENS, LensRow


def notes(rows: Sequence[LensRow]) -> Iterator[str]:
    """How to read the tables, in one line each."""
    reference = rows[0].reference.replace("_", " ")
    yield (
        f"Each number is what the suite calls its latency, the median over launches; ratio: to the {reference} of the "
        f"same launch (Hodges-Lehmann over the launches' own ratios)."
    )
    few = max((row.result.n_a for row in rows if row.result.ratio_low is None), default=0)
    if few:
        given = "1 launch gives" if few == 1 else f"{few} launches give"
        yield f"{given} no 95 % interval: the smallest and largest ratio are shown."


def lens_sentences(rows: Sequence[LensRow]) -> Iterator[str]:
    """How far the numbers of one call are apart, and where the library that is ahead depends on who is asked."""
    lenses = [row for row in rows if row.kind == LENS and row.headline_s is not None]
    if widest := _widest(lenses):
        yield widest
    for group in grouped(lenses, lambda row: (row.case["operation"], row.case["n"], row.case["size_bytes"])):
        if dissent := _dissent(group):
            yield dissent


def _widest(rows: Sequence[LensRow]) -> str:
    """The call of which the lenses' numbers are furthest apart."""
    spans = []
    for group in grouped(rows, lambda row: (row.mpi, *map(str, row.case.values()))):
        ordered = sorted(group, key=lambda row: row.headline_s or 0.0)
        low, high = ordered[0].headline_s, ordered[-1].headline_s
        if len(group) > 1 and low and high:
            spans.append((high / low, ordered[0], ordered[-1]))
    if not spans:
        return ""
    factor, least, most = max(spans, key=lambda span: span[0])
    return (
        f"One {_call(least)} of {least.mpi} is {format_duration(least.headline_s or 0.0)} by {least.lens} and "
        f"{format_duration(most.headline_s or 0.0)} by {most.lens}: a factor of {factor:.2g}."
    )


def _dissent(rows: Sequence[LensRow]) -> str:
    """`MPI_Bcast, 8 B: by the makespan mpich is ahead; by osu and imb openmpi.`; empty where all agree."""
    by_library = {row.mpi: row.reference_s for row in rows if row.reference_s is not None}
    if len(by_library) < 2:
        return ""
    first = min(by_library, key=lambda label: by_library[label] or 0.0)
    others: dict[str, list[str]] = {}
    for group in grouped(rows, lambda row: row.lens):
        ahead = min(group, key=lambda row: row.headline_s or 0.0)
        if len(group) == len(by_library) and ahead.mpi != first:
            others.setdefault(ahead.mpi, []).append(group[0].lens)
    if not others:
        return ""
    told = "; ".join(f"by {_listed(lenses)} {label}" for label, lenses in others.items())
    reference = rows[0].reference.replace("_", " ")
    return f"{_call(rows[0])}: by the {reference} {first} is ahead in the median; {told}."


def _call(row: LensRow) -> str:
    size = f" of {format_size(int(row.case['size_bytes']))}" if row.case["moved_bytes"] else ""
    return f"{operation_title(row.case)}{size}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
