"""Rules of signs, which many sets ask for again."""

from functools import cache

from ictus.stats.claim_rules import sign_rule

signs = cache(sign_rule)
