"""The one error family of the package."""

from __future__ import annotations

__all__ = ["PandoerError"]


class PandoerError(ValueError):
    """A mistake in what the user wrote: a card, a hand, a deal, a bid, a rule.

    The message quotes what was given and says what was expected.
    """
