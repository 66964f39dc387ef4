"""Lists of CPUs as the kernel writes them."""


def parse_cpu_list(text: str) -> frozenset[int]:
    """The numbers in the kernel's list format, for example `0-3,8`; empty for empty or unreadable text."""
    numbers: set[int] = set()
    for part in text.strip().split(","):
        low, _, high = part.partition("-")
        if low.isdigit() and (high.isdigit() or not high):
            numbers.update(range(int(low), int(high or low) + 1))
    return frozenset(numbers)
