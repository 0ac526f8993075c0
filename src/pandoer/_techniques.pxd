"""The techniques of the search, each of which can be switched off in a test build, so that answers can be compared.

In an ordinary build `on` is a constant.  With the macro PANDOER_SWITCHES (setup.py sets it for the variable of the same
name) `_solver.switch_off` decides.
"""

from libc.stdint cimport uint64_t

cdef enum Technique:
    TABLE,                  # positions seen before
    PATTERNS,               # only relevant ranks have to agree
    KEEPING,                # proofs of a yes or no are kept from deal to deal
    SIBLINGS,               # a failed move speaks for others of its suit
    RUNS,                   # equal cards as one move
    UNLED,                  # a discard speaks for others when neither suit is led in its proof
    CUTS,                   # the card that cut off last
    PRAISE,                 # how often a card cut off
    EXPECTING,              # exact values are looked for where they may be expected
    MUST_WIN,               # bounds from here
    CASHING, UNDER_TRUMPS, SIDE_WINNERS, ENEMIES_TAKE, ENEMIES_KEEP, JOINING, STRANDED, TOP_TRUMPS, TRUMP_TRICKS,
    ALL_TRUMPS, DRAWING, ALONE, SHARING,
    BEST_DUCK,              # for a lone player who must not win a trick: his highest beaten card
    SAFE_SUITS, THREATS, ONE_AHEAD, DROPPING, HIS_LEAD, GAPS, LOOSER, SHEDDING, KEPT_JACK, SURE_TRUMP,
    FAST_BITS,              # the processor's own instructions for bits
    TECHNIQUES

cdef extern from *:
    """
    #ifdef PANDOER_SWITCHES
      static uint64_t switched_off = 0;
      #define switches 1
      #define on(technique) (!(switched_off >> (technique) & 1))
    #else
      static uint64_t switched_off;
      #define switches 0
      #define on(technique) 1
    #endif
    """
    uint64_t switched_off
    bint switches
    bint on(int technique) noexcept nogil
