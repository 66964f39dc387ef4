"""What a case is called in tables, where one of its factors may be what is compared, so that it has none."""

from ictus.comparison.rows import Case
from ictus.model.quantity import format_size


def size_title(case: Case) -> str:
    """`64 B`; a dash where sizes are what is compared."""
    return format_size(int(case["size_bytes"])) if "size_bytes" in case else "–"


def processes_title(case: Case) -> str:
    """`n=2`; nothing where numbers of processes are what is compared."""
    return f"n={case['n']}" if "n" in case else ""
