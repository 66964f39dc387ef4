"""Null distributions by listing every arrangement: slow, obvious, and independent of the code under test."""

from fractions import Fraction
from itertools import combinations, product


def arrangements(pooled, n):
    """Every way to call `n` of the pooled values a and the rest b."""
    places = range(len(pooled))
    for chosen in combinations(places, n):
        yield [pooled[i] for i in chosen], [pooled[i] for i in places if i not in chosen]


def mann_whitney(a, b):
    """Pairs with a > b, ties one half."""
    return sum(Fraction(2 * (x > y) + (x == y), 2) for x in a for y in b)


def exact_rank_sum(a, b, alternative):
    """Share of arrangements whose U is at least as extreme."""
    observed = mann_whitney(a, b)
    return _tail([mann_whitney(x, y) for x, y in arrangements([*a, *b], len(a))], observed, alternative)


def positive_ranks(differences):
    """Sum of the ranks of |d|, d > 0; no ties."""
    ordered = sorted(abs(d) for d in differences)
    return sum(ordered.index(abs(d)) + 1 for d in differences if d > 0)


def exact_signed_rank(differences, alternative):
    """Share of the 2^n sign patterns whose T+ is at least as extreme."""
    n = len(differences)
    null = [
        sum(rank * sign for rank, sign in zip(range(1, n + 1), signs, strict=True))
        for signs in product((0, 1), repeat=n)
    ]
    return _tail(null, positive_ranks(differences), alternative)


def distance(a, b, alternative):
    """Largest distance of the distribution functions; `less`: where that of a lies above."""
    at = {x: (Fraction(sum(y <= x for y in a), len(a)), Fraction(sum(y <= x for y in b), len(b))) for x in [*a, *b]}
    above, below = max(f - g for f, g in at.values()), max(g - f for f, g in at.values())
    return {"less": max(above, 0), "greater": max(below, 0), "two-sided": max(above, below)}[alternative]


def exact_kolmogorov_smirnov(a, b, alternative):
    """Share of arrangements whose distance is at least as large."""
    observed = distance(a, b, alternative)
    found = [distance(x, y, alternative) for x, y in arrangements([*a, *b], len(a))]
    return Fraction(sum(d >= observed for d in found), len(found))


def _tail(null, observed, alternative):
    less = Fraction(sum(value <= observed for value in null), len(null))
    greater = Fraction(sum(value >= observed for value in null), len(null))
    return {"less": less, "greater": greater, "two-sided": min(Fraction(1), 2 * min(less, greater))}[alternative]
