# cython: language_level=3, cdivision=True, initializedcheck=False
"""What one suit can do to a lone player who must not win a trick: pattern tables.

The declarer D is not on lead and has no trumps.  In the game of a single suit every trick is one of two kinds:

* a defender leads a card of the suit.  The others who have the suit follow with any card of it, or may play
  none when they can ruff.  D plays his highest card below the lead; when he has none, the highest that some
  defender is forced to beat; when there is none either, he wins the trick and is killed.
* another suit is led: two defenders, not the leader, may each throw any card of the suit, as often as their
  credit allows; a credit of 3 is without limit.

Real play is such a game in every suit at once, D's answers do not contradict each other, and in real play the
defenders can do no more than here.  So if in no suit D can be killed within the tricks that are left, he makes
it.  The value of a pattern is the fewest tricks that kill him; it depends on nothing but who owns the cards of
the suit, from the lowest to the highest, and on who can ruff.

The values are kept in a cache that is filled as patterns are met and may forget.  An entry is one number of 64
bits, key and value together, so threads share the cache without a lock.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc

cdef enum:
    LONGEST = 9             # cards of a suit
    D = 0                   # the declarer's mark in a pattern; 1 to 3 are the defenders'
    NEVER = 255
    NONE = -1               # a defender plays no card of the suit

    CACHE_BITS = 19

cdef uint64_t* CACHE = <uint64_t*>calloc(<size_t>1 << CACHE_BITS, sizeof(uint64_t))
if CACHE == NULL:
    raise MemoryError("no memory for the pattern cache of misère")


cdef int tricks_to_kill(const uint8_t* owners, int length, int ruffers, int credits) noexcept nogil:
    """The fewest tricks in which one suit can make D win a trick, 255 for never.

    `owners` marks the cards from the lowest; bit i - 1 of `ruffers` says that defender i may ruff while he can
    follow; `credits` has two bits a defender.
    """
    cdef uint8_t[LONGEST] sorted_owners
    cdef uint8_t mark
    cdef uint64_t key = 1, found, place
    cdef int i, j
    if matched(owners, length):
        return NEVER
    # Between two of D's cards the order of the others does not matter.
    for i in range(length):
        mark = owners[i]
        j = i
        if mark != D:
            while j > 0 and sorted_owners[j - 1] != D and sorted_owners[j - 1] > mark:
                sorted_owners[j] = sorted_owners[j - 1]
                j -= 1
        sorted_owners[j] = mark
    for i in range(length):
        key = key << 2 | sorted_owners[i]
    key = (key << 3 | ruffers) << 6 | credits
    place = (key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - CACHE_BITS)
    found = CACHE[place]
    if found >> 8 == key:
        return found & 0xFF
    i = work_out(sorted_owners, length, ruffers, credits)
    CACHE[place] = key << 8 | <uint64_t>i
    return i


cdef inline int spend(int credits, int defender) noexcept nogil:
    """The credits after one discard."""
    cdef int have = credits >> (2 * defender - 2) & 3
    return credits - (1 << (2 * defender - 2)) if 0 < have < 3 else credits


cdef bint matched(const uint8_t* owners, int length) noexcept nogil:
    """Whether each of D's cards has a foreign one of its own above it, as far as there are foreign ones.

    Both sorted from the lowest, d_i < x_i; then D can never be killed.
    """
    cdef int i, mine = 0, others = 0, foreign = 0
    for i in range(length):
        foreign += owners[i] != D
    for i in range(length):
        if owners[i] == D:
            mine += 1
        else:
            others += 1
            if others > mine and mine < length - foreign:
                return False
    return True


cdef int list_cards(const uint8_t* owners, int length, int defender, bint may_pass, int* cards) noexcept nogil:
    """The cards from which a defender chooses, one for each gap between D's cards, and `NONE` if he may pass."""
    cdef int i, n = 0
    cdef bint fresh = True
    for i in range(length):
        if owners[i] == D:
            fresh = True
        elif owners[i] == defender and fresh:
            cards[n] = i
            n += 1
            fresh = False
    if may_pass or n == 0:
        cards[n] = NONE
        n += 1
    return n


cdef int without(const uint8_t* owners, int length, int a, int b, int c, int d, int ruffers,
                 int credits) noexcept nogil:
    """The value after these cards have left the suit, one trick later."""
    cdef uint8_t[LONGEST] rest
    cdef int i, n = 0, value
    for i in range(length):
        if i != a and i != b and i != c and i != d:
            rest[n] = owners[i]
            n += 1
    value = tricks_to_kill(rest, n, ruffers, credits)
    return NEVER if value == NEVER else value + 1


cdef int work_out(const uint8_t* owners, int length, int ruffers, int credits) noexcept nogil:
    cdef int[LONGEST + 1] leads, one, two
    cdef int lowest = -1, i, j, k, n, m, o, leader, a, b, lead, reply, forced, own, best = NEVER, value, left
    for i in range(length):
        if owners[i] == D:
            lowest = i
            break
    # A defender leads the suit.
    for leader in range(1, 4):
        a = leader % 3 + 1
        b = a % 3 + 1
        n = list_cards(owners, length, leader, False, leads)
        for i in range(n):
            lead = leads[i]
            if lead == NONE:
                continue
            reply = NONE
            for j in range(lead):
                if owners[j] == D:
                    reply = j
            if reply == NONE:
                # He has nothing below the lead: the highest that one of the others cannot but beat.
                forced = -1
                for k in range(1, 4):
                    if k != leader:
                        for own in range(length):
                            if owners[own] == k:
                                forced = max(forced, own)
                                break
                for j in range(forced):
                    if owners[j] == D:
                        reply = j
                if reply == NONE:
                    return 1
            m = list_cards(owners, length, a, ruffers >> (a - 1) & 1, one)
            for j in range(m):
                o = list_cards(owners, length, b, ruffers >> (b - 1) & 1, two)
                for k in range(o):
                    value = without(owners, length, lead, reply, one[j], two[k], ruffers, credits)
                    best = min(best, value)
    # Another suit is led, and two of them throw cards of this one.
    for leader in range(1, 4):
        a = leader % 3 + 1
        b = a % 3 + 1
        m = list_cards(owners, length, a, True, one) if credits >> (2 * a - 2) & 3 else pass_only(one)
        o = list_cards(owners, length, b, True, two) if credits >> (2 * b - 2) & 3 else pass_only(two)
        for j in range(m):
            for k in range(o):
                if one[j] != NONE or two[k] != NONE:
                    left = credits
                    if one[j] != NONE:
                        left = spend(left, a)
                    if two[k] != NONE:
                        left = spend(left, b)
                    value = without(owners, length, one[j], two[k], NONE, NONE, ruffers, left)
                    best = min(best, value)
    return best


cdef inline int pass_only(int* cards) noexcept nogil:
    cards[0] = NONE
    return 1
