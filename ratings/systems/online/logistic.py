"""The logistic expectation, the same on every machine: correctly rounded decimals, no binary float."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache

SCALE = 400

# Far more digits than any rounded rating needs, so that only the rounding at the end is ever seen.
_CONTEXT = Context(prec=60, rounding=ROUND_HALF_EVEN)
_UNIT = Decimal(1).scaleb(-40)


def expectation(difference: int) -> Fraction:
    """Return the expected score for own rating minus the opponent's, 1 / (1 + 10^(-difference / 400)).

    It is exact where the difference is a multiple of 400, else rounded to 40 decimals; the expectations of the
    two players always add up to 1.
    """
    higher = _of_the_higher(abs(difference))
    return higher if difference >= 0 else 1 - higher


@lru_cache(maxsize=4096)
def _of_the_higher(difference: int) -> Fraction:
    times, rest = divmod(difference, SCALE)
    if not rest:
        return Fraction(10**times, 10**times + 1)
    odds = _CONTEXT.power(Decimal(10), _CONTEXT.divide(Decimal(-difference), Decimal(SCALE)))
    return Fraction(
        _CONTEXT.divide(Decimal(1), _CONTEXT.add(Decimal(1), odds)).quantize(_UNIT, context=_CONTEXT)
    )
