"""Intervals for chances."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

import numpy as np

Z95 = NormalDist().inv_cdf(0.975)


def wilson(successes: float, samples: float) -> tuple[float, float]:
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


def stratified(
    successes: Sequence[float], samples: Sequence[int], shares: Sequence[float]
) -> tuple[float, float, float]:
    """A chance that is a mean over strata, with its 95 % interval.

    Parameters
    ----------
    successes, samples
        Of each stratum; every stratum has at least one sample.
    shares
        Their chances, which sum to 1.

    Returns
    -------
    tuple of float
        The chance and the ends of Wilson's interval for as many simple samples as have the same variance.  For strata
        of few samples the variance of each is taken at its chance drawn to the mean of all by one sample, and enlarged
        so that it is right on average where all chances are equal.

    Examples
    --------
    A stratum that is certain and one that is hopeless leave little to chance:

    >>> p, low, high = stratified([100, 0], [100, 100], [0.5, 0.5])
    >>> f"{p:.2f} {low:.2f} {high:.2f}"
    '0.50 0.49 0.51'
    """
    s, n, w = (np.asarray(values, float) for values in (successes, samples, shares))
    p = min(1.0, float((w * s / n).sum()))
    drawn = (s + p) / (n + 1)
    enlarged = 1 / (1 - n / (n + 1) ** 2)
    variance = float((w * w * enlarged * drawn * (1 - drawn) / n).sum())
    if variance <= 0:
        low, high = wilson(p * n.sum(), n.sum())
    else:
        alike = p * (1 - p) / variance
        low, high = wilson(p * alike, alike)
    return p, low, high
