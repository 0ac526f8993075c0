"""Intervals for chances."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)


def wilson(successes: float, samples: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a chance, `successes` out of `samples` (E. B. Wilson, 1927).

    >>> low, high = wilson(50, 100)
    >>> f"{low:.3f} {high:.3f}"
    '0.404 0.596'
    """
    if samples == 0:
        return 0.0, 1.0
    p = successes / samples
    spread = Z95 * sqrt(p * (1 - p) / samples + (Z95 / (2 * samples)) ** 2)
    middle = p + Z95 * Z95 / (2 * samples)
    scale = 1 + Z95 * Z95 / samples
    low = max(0.0, (middle - spread) / scale) if successes > 0 else 0.0
    high = min(1.0, (middle + spread) / scale) if successes < samples else 1.0
    return low, high
