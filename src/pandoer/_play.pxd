"""Cards, rules and legal moves for the compiled searches: steps 1 to 3 of the kernel.

1. Cards: 64-bit sets, one 16-bit lane a suit, the trump suit in lane 0, stronger cards on higher bits.
2. Rules: what a contract and its ruleset say, as fixed-size C data.
3. Which cards may be played.

Everything is validated in Python before it comes here; nothing here knows a contract by name.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

# ---------------------------------------------------------------------------------------------------------
# 1. Cards

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER)
      #include <intrin.h>
      static __inline int lowest_index(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
      static __inline int highest_index(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
      static __inline int count(uint64_t x) { return (int)__popcnt64(x); }
    #else
      #define lowest_index(x) __builtin_ctzll(x)
      #define highest_index(x) (63 - __builtin_clzll(x))
      #define count(x) __builtin_popcountll(x)
    #endif

    #if defined(__GNUC__)
      #define SELDOM __attribute__((noinline, cold))
    #else
      #define SELDOM
    #endif

    /* The bits of x that lie under the mask, moved together (x86's pext, with a portable twin). */
    SELDOM static uint64_t gather_portable(uint64_t x, uint64_t mask) {
        uint64_t packed = 0; int place = 0;
        while (mask) {
            uint64_t low = mask & (0 - mask), run = mask & ~(mask + low);   /* the lowest run of ones */
            int length = count(run);
            packed |= ((x & run) >> lowest_index(low)) << place;
            place += length; mask &= ~run;
        }
        return packed;
    }
    /* And back again (x86's pdep). */
    SELDOM static uint64_t scatter_portable(uint64_t x, uint64_t mask) {
        uint64_t spread = 0; int place = 0;
        while (mask) {
            uint64_t low = mask & (0 - mask), run = mask & ~(mask + low);
            spread |= ((x >> place) << lowest_index(low)) & run;
            place += count(run); mask &= ~run;
        }
        return spread;
    }
    #if defined(__x86_64__) && defined(__GNUC__)
      /* The instructions themselves: a function that is compiled for them could not be inlined. */
      static inline uint64_t scatter_bmi2(uint64_t x, uint64_t mask) {
          uint64_t spread;
          __asm__("pdep %2, %1, %0" : "=r"(spread) : "r"(x), "r"(mask));
          return spread;
      }
      #define scatter(fast, x, mask) ((fast) ? scatter_bmi2(x, mask) : scatter_portable(x, mask))
      static inline uint64_t gather_bmi2(uint64_t x, uint64_t mask) {
          uint64_t packed;
          __asm__("pext %2, %1, %0" : "=r"(packed) : "r"(x), "r"(mask));
          return packed;
      }
      static int has_bmi2(void) { __builtin_cpu_init(); return __builtin_cpu_supports("bmi2") != 0; }
      #define gather(fast, x, mask) ((fast) ? gather_bmi2(x, mask) : gather_portable(x, mask))
    #else
      static int has_bmi2(void) { return 0; }
      #define gather(fast, x, mask) gather_portable(x, mask)
      #define scatter(fast, x, mask) scatter_portable(x, mask)
    #endif
    """
    int lowest_index(uint64_t x) noexcept nogil
    int highest_index(uint64_t x) noexcept nogil
    int count(uint64_t x) noexcept nogil
    int has_bmi2() noexcept nogil
    uint64_t gather(int fast, uint64_t x, uint64_t mask) noexcept nogil
    uint64_t scatter(int fast, uint64_t x, uint64_t mask) noexcept nogil

cdef enum:
    LANE = 0x1FF            # the nine cards of lane 0
    STATES = 16             # most states of an objective
    TRICKS = 8

cdef enum Undertrump:
    FREE, NO_HIGHER, FORCED, VOID

cdef enum Kind:             # of question; the search is compiled once for each
    PLAIN_TRICKS            # how many tricks, without trumps, where who can follow has to
    RUFF_TRICKS             # how many tricks, with trumps, where who can follow has to and others play what they like
    CARD_POINTS             # how many card points
    ANYTHING                # all else

cdef enum Call:             # what the declarer said with a lead of the protected suit
    NO_CALL, MUST, NEED_NOT

ctypedef uint64_t cards_t

cdef extern from *:
    """
    #define ALL_CARDS 0x01FF01FF01FF01FFull
    """
    const cards_t ALL_CARDS


cdef inline cards_t lane_of(cards_t card) noexcept nogil:
    """All nine places of the suit of `card`."""
    return <cards_t>LANE << (lowest_index(card) & 0x30)


cdef inline cards_t top_of(cards_t x) noexcept nogil:
    """The highest bit of a non-empty set."""
    return <cards_t>1 << highest_index(x)


cdef inline cards_t lowest_of(cards_t x) noexcept nogil:
    return x & (0 - x)


# ---------------------------------------------------------------------------------------------------------
# 2. Rules

cdef struct Rules:
    Kind kind
    int players
    int declarer
    int partner             # holder of the protected card, or -1
    bint trumps             # lane 0 is the trump suit
    bint ruff_when_able
    int undertrump
    bint beat_led_trump
    bint jack_exempt
    int trump_leads
    bint must_ruff
    bint partner_exempt
    bint first_lead_trump
    bint ranked_trumps      # which trumps may be played depends on their ranks
    bint counting           # points or tricks instead of yes or no
    bint valued             # cards have points
    cards_t jack            # the trump jack where its identity matters, else 0
    cards_t called          # the protected called card, or 0
    cards_t called_lane
    cards_t special         # cards that are never equal to a neighbour
    int trick_points        # for winning any trick
    int last_points         # for winning the last one
    uint8_t value[64]       # card points
    uint8_t worths[37]      # all different points of cards, from the lowest
    cards_t worth[37]       # and the places that have them
    int lane_shift[4]       # where the lane of each public suit begins
    uint16_t encode_lane[4][512]
    uint8_t next[STATES][TRICKS][4][2]
    uint8_t side[STATES]
    uint8_t avoid[STATES][TRICKS]
    uint8_t shun[STATES][TRICKS]
    uint8_t jack_seats[STATES][TRICKS]
    uint8_t owe[STATES][TRICKS]
    uint8_t must[STATES][TRICKS]
    uint8_t enough[STATES][TRICKS]
    uint8_t share[STATES][TRICKS]
    uint8_t by_gaps[STATES][TRICKS]     # proofs go by the gaps between the cards of a player who shuns or owes a trick


cdef inline cards_t encode(const Rules* r, cards_t cards) noexcept nogil:
    """From public bits to the search's."""
    cdef cards_t out = 0
    cdef int suit
    for suit in range(4):
        out |= <cards_t>r.encode_lane[suit][(cards >> (16 * suit)) & LANE] << r.lane_shift[suit]
    return out


cdef struct Trick:
    cards_t led             # lane of the suit led
    cards_t best            # the card that is winning
    cards_t played          # all cards laid so far
    int best_seat
    int points
    int call
    bint lost               # the contract was lost by a protected card


# ---------------------------------------------------------------------------------------------------------
# 3. Which cards may be played

cdef inline cards_t follow_rules(const Rules* r, cards_t hand, const Trick* t, bint spared) noexcept nogil:
    """Rules 1 to 3 of RULES.md section 3 for a trick that another led.

    `spared` says that the player's side is winning and the ruleset spares it from ruffing.
    """
    cdef cards_t following = hand & t.led, trumps, over, under, plain
    if not r.trumps:
        return following if following else hand
    trumps = hand & LANE
    if t.led & LANE:
        if not trumps:
            return hand
        if r.beat_led_trump:
            over = trumps & ~(t.best | (t.best - 1))
            if over:
                return over
        return trumps
    if following and not r.ruff_when_able:
        return following
    plain = hand & ~<cards_t>LANE
    over = trumps
    under = 0
    if t.best & LANE:
        over = trumps & ~(t.best | (t.best - 1))
        under = trumps & (t.best - 1)
    if not following and over and r.must_ruff and not spared:
        return over
    if under and (following or not spared):
        if r.undertrump == NO_HIGHER:
            if over:
                under = 0
        elif r.undertrump == FORCED:
            if over or plain:
                under = 0
        elif r.undertrump == VOID:
            if following:
                under = 0
    return (following if following else plain) | over | under


cdef inline cards_t legal(const Rules* r, cards_t hand, const Trick* t, int seat, int side) noexcept nogil:
    """The cards that `seat` may play to a trick that another led, from a hand that is not empty."""
    cdef cards_t moves, following
    cdef bint spared = r.must_ruff and r.partner_exempt and ((side >> seat) & 1) == ((side >> t.best_seat) & 1)
    if t.call == MUST:
        if seat == r.partner:
            return r.called
        following = hand & t.led
        if following:
            return following
        following = hand & ~<cards_t>LANE if r.trumps else hand
        return following if following else hand
    moves = follow_rules(r, hand, t, spared)
    if r.jack_exempt and hand & r.jack and hand != r.jack:
        moves |= follow_rules(r, hand & ~r.jack, t, spared)
    if t.call == NEED_NOT and seat == r.partner and hand & t.led & ~r.called:
        moves &= ~r.called
    return moves


cdef inline cards_t lead_moves(const Rules* r, cards_t hand, int seat, int side, int trick,
                               bint call_live, bint* must_only) noexcept nogil:
    """The cards that `seat` may lead; `must_only` says that the called suit may only be led with *must*."""
    cdef cards_t trumps = hand & LANE
    must_only[0] = False
    if trick == 0 and r.first_lead_trump and r.trumps and trumps:
        return trumps
    if trick < r.trump_leads and r.trumps and trumps and (side >> seat) & 1:
        if trick == 0 and call_live and seat == r.declarer:
            must_only[0] = True
            return trumps | (hand & r.called_lane)
        return trumps
    return hand


cdef inline void lay(const Rules* r, Trick* t, cards_t card, int seat) noexcept nogil:
    """Lay a card to a trick that has been led."""
    t.played |= card
    if r.valued:
        t.points += r.value[lowest_index(card)]
    if card & lane_of(t.best):
        if card > t.best:
            t.best = card
            t.best_seat = seat
    elif r.trumps and card & LANE and t.call != MUST:
        t.best = card
        t.best_seat = seat
    if card == r.called and t.call == NEED_NOT:
        t.lost = True


cdef inline void lead(const Rules* r, Trick* t, cards_t card, int seat, int call) noexcept nogil:
    """Begin a trick."""
    t.led = lane_of(card)
    t.best = card
    t.played = card
    t.best_seat = seat
    t.points = r.value[lowest_index(card)]
    t.call = call
    t.lost = False


cdef inline void put_next(const Rules* r, Trick* t, int laid, cards_t card, int seat, int call) noexcept nogil:
    """Lay a card to a trick in which so many lie; with the first one `call` is said."""
    if laid:
        lay(r, t, card, seat)
    else:
        lead(r, t, card, seat, call)
