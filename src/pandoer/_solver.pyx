# cython: language_level=3, cdivision=True, initializedcheck=False
"""The compiled search: alpha-beta on null windows, with a transposition table at the start of each trick.

It is told in numbered steps; the first three, cards, rules and legal moves, are in `_play.pxd`:

4. The transposition table.
5. What is known at the start of a trick without searching.
6. Moves and their order.
7. The search.
8. The entry points that Python calls, and what lets Ctrl-C through.

Everything here is validated by `pandoer.solver` before the call; nothing here knows a contract by name.
A value is what the declaring side still gets: points, or tricks, or for a yes or no `WIN` and `LOSS`.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from pandoer._play cimport (
    ALL_CARDS, ANYTHING, CARD_POINTS, FORCED, FREE, LANE, MUST, NEED_NOT, NO_CALL, NO_HIGHER, PLAIN_TRICKS, RUFF_TRICKS,
    STATES, TRICKS, VOID, Rules, Trick, cards_t, count, encode, gather, has_bmi2, highest_index, lane_of, lay, lead,
    lead_moves, legal, lowest_index, lowest_of, put_next, scatter, top_of,
)

from pandoer._techniques cimport (
    ALL_TRUMPS, ALONE, BEST_DUCK, CASHING, CUTS, DRAWING, DROPPING, ENEMIES_KEEP, ENEMIES_TAKE, EXPECTING, FAST_BITS,
    GAPS, HIS_LEAD, JOINING, KEEPING, KEPT_JACK, LOOSER, MUST_WIN, ONE_AHEAD, PATTERNS, PRAISE, RUNS, SAFE_SUITS, SHARING,
    SHEDDING, SIBLINGS, SIDE_WINNERS, STRANDED, SURE_TRUMP, TABLE, TECHNIQUES, THREATS, TOP_TRUMPS, TRUMP_TRICKS,
    UNDER_TRUMPS, UNLED, on, switched_off, switches,
)

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef extern from *:
    """
    #define NO_LIMIT INT64_MAX
    #define LANE_ENDS 0x8000800080008000ull
    #define FIRST_PLACES 0x0001000100010001ull
    /* The next address where a line of the processor's cache begins. */
    #define line_of(x) ((void*)(((uintptr_t)(x) + 63) & ~(uintptr_t)63))
    """
    const int64_t NO_LIMIT
    void* line_of(void* x)
    const cards_t LANE_ENDS     # a place above all cards of each lane
    const cards_t FIRST_PLACES

ctypedef uint64_t numbers_t     # four small numbers, one a lane

cdef bint FAST = has_bmi2()     # the processor gathers bits by one instruction

cdef enum:
    MADE_CODE = 254         # codes in Rules.next, see pandoer.objectives
    LOST_CODE = 255
    WIN = 10000             # values of a decided yes or no; no count comes near
    LOSS = -10000
    NO_BOUND = 20000
    FIRST_OF_ALL = 10000    # a score for the table's move
    CUT_CACHE = 4096
    MAX_MOVES = 16
    MAX_SPECS = 16
    LOOSE_BITS = 15         # entries of the table of the looser game, as a power of two
    TRICK_BITS = 13         # entries of the table that counts of tricks use, as a power of two
    WAYS = 8                # entries of a bucket of the table
    NO_MOVE = 255
    UNKNOWN = 30000
    TRIED = -30000          # the score of a move that is done with
    LONG = 7                # so many tricks are left when it pays to think about each reply
    SKIP = -32768           # a deal that a block leaves out
    GIVEN_UP = -32767       # the answer for a deal over the limit of nodes


# ---------------------------------------------------------------------------------------------------------
# 4. Proofs and the table that keeps them
#
# Every result of the search is a proof that one side X gets at least g: the declaring side when the answer is
# yes, the others (g is then what the declaring side does not get) when it is no.  A proof knows
#   rel   the cards whose rank it used.  A rank is used with all higher ones of its suit;
#   alw   the cards that X captures wherever the proof ends;
#   som   the cards that X captures somewhere in it.
# Take another position with the same leader, the same numbers of cards of each suit in each hand, and the same
# owners of the relevant top ranks, and map each hand's cards of a suit in order of rank.  The proof maps move by
# move: a relevant winner stays above all irrelevant cards, and X captures the mapped cards.  If a card's points
# change from v to w, then X gets at least
#   g + sum over alw of max(0, w - v) - sum over som of max(0, v - w).
# Furtak and Buro's payoff similarity is the case of an empty alw and a full som; the relevant ranks are
# Ginsberg's partition search.
#
# Where a player alone on his side must win no trick or owes one, a rank is used only against cards of the same gap between
# two of his, and another position has to have the same numbers of cards in each gap.
#
# Of a yes or no a proof also knows
#   led   the suits that are led in it.  Trumps apart, no card of another suit wins a trick, so there each hand has
#         only a number of cards without worth.
#
# The search is compiled once for each kind of question; the type of its proofs says which.

cdef struct PlainProof:     # PLAIN_TRICKS
    cards_t rel

cdef struct RuffProof:      # RUFF_TRICKS
    cards_t rel

cdef struct PointProof:     # CARD_POINTS
    cards_t rel
    cards_t alw
    cards_t som

cdef struct AnyProof:       # ANYTHING
    cards_t rel
    cards_t led             # all places of the suits

ctypedef fused Proof:
    PlainProof
    RuffProof
    PointProof
    AnyProof

ctypedef fused TrickProof:  # where cards differ by their ranks alone
    PlainProof
    RuffProof

ctypedef fused CardProof:   # where they may differ by their points or by what is said of them
    PointProof
    AnyProof


# What a kind of question settles beforehand.  `proof` only chooses the kind.

cdef inline bint with_trumps(const Rules* r, const Proof* proof) noexcept nogil:
    if Proof is PlainProof:
        return False
    elif Proof is RuffProof:
        return True
    else:
        return r.trumps


cdef inline bint with_counting(const Rules* r, const Proof* proof) noexcept nogil:
    if Proof is AnyProof:
        return r.counting
    else:
        return True


cdef inline bint with_points(const Proof* proof) noexcept nogil:
    return Proof is PointProof


cdef inline int seats(const Rules* r, const Proof* proof) noexcept nogil:
    if Proof in TrickProof:
        return 4
    else:
        return r.players


cdef inline void capture(Proof* proof, cards_t cards) noexcept nogil:
    """The cards that X captures in any case, and no others."""
    if Proof is PointProof:
        proof.alw = proof.som = cards


cdef inline void use_nothing(Proof* proof) noexcept nogil:
    """The proof of what needs no cards."""
    proof.rel = 0
    if Proof is PointProof:
        proof.alw = proof.som = 0
    elif Proof is AnyProof:
        proof.led = 0


cdef inline void use_suits_only(AnyProof* proof) noexcept nogil:
    """The proof of what needs no ranks, but lengths of all suits."""
    proof.rel = 0
    proof.led = ALL_CARDS


cdef inline void use_suits(Proof* proof, cards_t suits) noexcept nogil:
    """No suit of a proof is led but these."""
    if Proof is AnyProof:
        proof.led = suits


cdef inline cards_t closed(cards_t x) noexcept nogil:
    """A set with all higher places of each lane where it has any."""
    return (x | (LANE_ENDS - x)) & <cards_t>0x01FF01FF01FF01FF


cdef inline cards_t closed_in_gaps(cards_t x, cards_t walls) noexcept nogil:
    """A set with all higher places up to the next wall, of each gap between the walls where it has any."""
    cdef cards_t open = <cards_t>0x01FF01FF01FF01FF & ~walls
    x |= open & (x << 1)
    open &= open << 1
    x |= open & (x << 2)
    open &= open << 2
    x |= open & (x << 4)
    open &= open << 4
    return x | open & (x << 8)


# Four lanes at once.  `which` are masks of whole lanes.

cdef inline cards_t lanes_with(uint64_t x) noexcept nogil:
    """The lanes where a set has cards, or where a number is not 0."""
    cdef uint64_t found = ~(LANE_ENDS - x) & LANE_ENDS
    return (found - (found >> 15)) | found


cdef inline cards_t up_to_top(cards_t x) noexcept nogil:
    """In each lane the places of the highest card and below."""
    x |= (x >> 1) & <cards_t>0x00FF00FF00FF00FF
    x |= (x >> 2) & <cards_t>0x007F007F007F007F
    x |= (x >> 4) & <cards_t>0x001F001F001F001F
    return x | (x >> 8) & FIRST_PLACES


cdef inline numbers_t counts(cards_t x) noexcept nogil:
    """How many cards a set has in each lane."""
    x -= (x >> 1) & <cards_t>0x5555555555555555
    x = (x & <cards_t>0x3333333333333333) + ((x >> 2) & <cards_t>0x3333333333333333)
    x = (x + (x >> 4)) & <cards_t>0x0F0F0F0F0F0F0F0F
    return (x + (x >> 8)) & <cards_t>0x001F001F001F001F


cdef inline cards_t at_least(numbers_t a, numbers_t b) noexcept nogil:
    """The lanes where a >= b."""
    cdef uint64_t found = ((a | LANE_ENDS) - b) & LANE_ENDS
    return (found - (found >> 15)) | found


cdef inline numbers_t larger(numbers_t a, numbers_t b) noexcept nogil:
    cdef cards_t which = at_least(a, b)
    return (a & which) | (b & ~which)


cdef inline numbers_t smaller(numbers_t a, numbers_t b) noexcept nogil:
    cdef cards_t which = at_least(a, b)
    return (b & which) | (a & ~which)


cdef inline numbers_t excess(numbers_t a, numbers_t b) noexcept nogil:
    """By how much a exceeds b, or 0."""
    return a - smaller(a, b)


cdef inline int total(numbers_t a) noexcept nogil:
    return <int>(a * FIRST_PLACES >> 48)


cdef struct Bucket:
    uint64_t shape[WAYS]    # how many cards of each suit each hand has, the leader, the state, where the jack is
    uint64_t owners[WAYS]   # two bits a live card: who holds it, suit by suit in order of strength
    uint32_t rel[WAYS]      # in the same order
    uint32_t alw[WAYS]      # in the order of `list_cards`; of AnyProof both together are `Key.gaps`
    uint32_t som[WAYS]
    uint16_t tag[WAYS]      # the generation, and where the protected called card is
    int16_t g[WAYS]
    uint8_t yes[WAYS]       # X is the declaring side; of AnyProof four more bits, `led`
    uint8_t move[WAYS]      # the move that was best: suit, and how many cards of it in the hand are higher


cdef struct Values:         # of one entry: the points of its cards in the order of `list_cards`, a byte each,
    uint64_t gain[4]        # 255 where X does not always capture the card
    uint64_t loss[4]        # 0 where X never captures it


cdef struct Loose:          # of the looser game of `_misere.pxi`
    uint64_t gaps           # how many cards each defender has between those of D
    uint64_t rest           # generation, whose the jack is, what is owed, which suits are unsafe, D's lengths; and lowest:
                            # four bits for the leaders with whom it is made, four for those with whom it is not


cdef class Table:
    """A transposition table for one thread at a time: ``2 ** bits`` entries of about 100 bytes."""

    cdef Bucket* buckets
    cdef Values* values
    cdef Loose* loose
    cdef void* loose_memory
    cdef int bits
    cdef uint16_t generation
    cdef object raised

    def __cinit__(self, int bits=14):
        if not 4 <= bits <= 26:
            raise ValueError(f"table size 2 ** {bits}: expected 2 ** 4 to 2 ** 26 entries")
        self.bits = bits
        self.generation = 0
        self.raised = None
        self.buckets = <Bucket*>calloc((<size_t>1 << bits) // WAYS, sizeof(Bucket))
        self.values = <Values*>calloc(<size_t>1 << bits, sizeof(Values))
        self.loose_memory = calloc((<size_t>1 << LOOSE_BITS) + 4, sizeof(Loose))
        self.loose = <Loose*>line_of(self.loose_memory)
        if self.buckets == NULL or self.values == NULL or self.loose_memory == NULL:
            raise MemoryError(f"no memory for a table of 2 ** {bits} entries")

    def __dealloc__(self):
        free(self.buckets)
        free(self.values)
        free(self.loose_memory)

    @property
    def nbytes(self):
        """Memory of the table, in bytes."""
        return ((sizeof(Bucket) // WAYS + sizeof(Values)) << self.bits) + (sizeof(Loose) << LOOSE_BITS)

    cdef void forget(self) noexcept nogil:
        """Make all entries invalid at the cost of a counter."""
        self.generation += 16
        if self.generation == 0:
            memset(self.buckets, 0, ((<size_t>1 << self.bits) // WAYS) * sizeof(Bucket))
            memset(self.loose, 0, (<size_t>1 << LOOSE_BITS) * sizeof(Loose))
            self.generation = 16


cdef struct Suits:          # at the start of a trick; four numbers at once are `numbers_t`
    numbers_t[4] length     # how many cards of each lane each hand has
    # And without trumps, where each lane is that of the holder of its highest card:
    cards_t[4] lanes        # of each seat
    cards_t tops            # the highest cards
    cards_t run             # his cards above all others' cards
    cards_t shared          # lanes in which others have cards, too
    numbers_t rounds        # the tricks that he can take from the top when on lead


cdef struct Search:
    const Rules* rules
    Bucket* buckets
    Values* values
    int bucket_bits
    uint16_t generation
    int fast_gather
    int end                 # number of tricks of the whole game
    cards_t hand[4]
    Suits suits
    int64_t plays           # cards played: the count of nodes
    int64_t next_look       # when to look whether anybody wants us to stop
    int64_t limit           # give up a deal after so many plays
    bint over               # it was given up
    uint64_t turn           # which way of a full bucket goes next
    const int32_t* stop
    bint aborted
    void* table             # the Table object, for signals
    Loose* loose            # the table of the looser game
    bint only_jack          # in it, D has to win his one trick with the trump jack
    cards_t laid[9][4]      # in it, by tricks left and seat
    int16_t history[4][64][64]  # by seat, best card so far and card: how often it cut off lately
    uint8_t cut[CUT_CACHE]  # the card (its index + 1) that last cut off in a situation like this


cdef struct Key:
    uint64_t shape
    uint64_t owners
    uint64_t gaps           # by how many cards of a lone player each card of the others is beaten, if that matters
    uint16_t tag
    Bucket* bucket
    Values* values
    cards_t live


cdef struct Cards:          # the live cards hand by hand, from the lowest bit up
    uint64_t points[4]      # their points, a byte each
    int first[4]            # where each hand begins
    bint listed             # whether it has been filled in for this position


cdef void list_cards(const Search* s, Cards* cards) noexcept nogil:
    """Fill in the list, unless it is there already."""
    cdef const Rules* r = s.rules
    cdef int seat, k = 0
    cdef cards_t hand
    if cards.listed:
        return
    memset(cards.points, 0, sizeof(cards.points))
    for seat in range(4):
        cards.first[seat] = k
        hand = s.hand[seat]
        while hand:
            cards.points[k >> 3] |= <uint64_t>r.value[lowest_index(hand)] << (8 * (k & 7))
            hand &= hand - 1
            k += 1
    cards.listed = True


cdef inline uint32_t listed_places(const Search* s, const Cards* cards, cards_t x) noexcept nogil:
    """The places of a set of cards in the list."""
    cdef uint32_t places = 0
    cdef int seat
    for seat in range(4):
        places |= <uint32_t>gather(s.fast_gather, x & s.hand[seat], s.hand[seat]) << cards.first[seat]
    return places


cdef inline cards_t cards_at(const Search* s, const Cards* cards, uint32_t places) noexcept nogil:
    """The cards at places of the list."""
    cdef cards_t x = 0
    cdef int seat
    for seat in range(4):
        x |= scatter(s.fast_gather, places >> cards.first[seat], s.hand[seat])
    return x


cdef inline void find_bucket(const Search* s, int leader, int state, cards_t live, bint by_gaps,
                             Key* key) noexcept nogil:
    """The shape of a position, the owners of its cards, and where its proofs are kept.

    `by_gaps`: it counts in which gap between the cards of the declaring side's only player each card of the others is.
    """
    cdef const Rules* r = s.rules
    cdef uint64_t shape, h
    cdef int lone, k
    key.live = live
    key.owners = gather(s.fast_gather, s.hand[1] | s.hand[3], live)
    key.owners |= gather(s.fast_gather, s.hand[2] | s.hand[3], live) << 32
    # All hands have as many cards, so three lengths each are enough and leave room.
    shape = s.suits.length[0] | s.suits.length[1] << 4 | s.suits.length[2] << 8 | s.suits.length[3] << 12
    shape &= (<uint64_t>1 << 48) - 1
    shape |= <uint64_t>count(s.hand[0]) << 48 | <uint64_t>leader << 52 | <uint64_t>state << 54
    # Of the jack and of the called card the place among the live cards of the suit counts.
    key.tag = s.generation
    if live & r.special:
        if live & r.jack:
            shape |= <uint64_t>(1 + count(live & LANE & ~((r.jack << 1) - 1))) << 58
        if live & r.called:
            key.tag |= <uint16_t>(1 + count(live & r.called_lane & ~((r.called << 1) - 1)))
    # Where owners must be the same anyway, they help to spread the positions.
    key.gaps = 0
    h = key.tag & 0xF      # where the called card is; not the generation, lest nodes depend on earlier deals
    if by_gaps:
        lone = lowest_index(r.side[state])
        for k in range(4):
            if k != lone:
                key.gaps = key.gaps << 16 | gather(s.fast_gather, s.hand[lone], s.hand[lone] | s.hand[k])
        h ^= key.gaps
    elif r.ranked_trumps:
        h = (<uint64_t>1 << count(live & LANE)) - 1
        h = (key.owners & (h | h << 32)) ^ (key.tag & 0xF)
    h = h * <uint64_t>0xA24BAED4963EE407 ^ shape
    h ^= h >> 29
    key.shape = shape
    h *= <uint64_t>0x9E3779B97F4A7C15
    h ^= h >> 32
    h *= <uint64_t>0xD6E8FEB86659FD93
    h >>= 64 - s.bucket_bits
    key.bucket = s.buckets + h
    key.values = s.values + h * WAYS


cdef extern from *:
    """
    /* What a proof gains and loses by the points of the cards here: sums of saturating differences of 32 bytes. */
    #if defined(__SSE2__) && !defined(PANDOER_SWITCHES)   /* a build with switches tests the portable twin */
      #include <emmintrin.h>
      static int shifted(const uint8_t* gain, const uint8_t* loss, const uint8_t* value) {
          __m128i zero = _mm_setzero_si128(), up = zero, down = zero;
          for (int i = 0; i < 32; i += 16) {
              __m128i v = _mm_loadu_si128((const __m128i*)(value + i));
              __m128i g = _mm_loadu_si128((const __m128i*)(gain + i));
              __m128i l = _mm_loadu_si128((const __m128i*)(loss + i));
              up = _mm_add_epi64(up, _mm_sad_epu8(_mm_subs_epu8(v, g), zero));
              down = _mm_add_epi64(down, _mm_sad_epu8(_mm_subs_epu8(l, v), zero));
          }
          up = _mm_sub_epi64(up, down);
          return _mm_cvtsi128_si32(_mm_add_epi64(up, _mm_unpackhi_epi64(up, up)));
      }
    #else
      static int shifted(const uint8_t* gain, const uint8_t* loss, const uint8_t* value) {
          int total = 0;
          for (int i = 0; i < 32; i++) {
              total += value[i] > gain[i] ? value[i] - gain[i] : 0;
              total -= loss[i] > value[i] ? loss[i] - value[i] : 0;
          }
          return total;
      }
    #endif
    /* Start to load a bucket of the table. */
    #if defined(__GNUC__)
      static void prefetch(const void* bucket) {
          for (int i = 0; i < 256; i += 64) __builtin_prefetch((const char*)bucket + i);
      }
    #else
      #define prefetch(bucket) ((void)(bucket))
    #endif
    /* For each of eight bits, from the lowest, a byte of ones. */
    static uint64_t bytes_of(uint64_t bits) {
        uint64_t spread = ((bits & 0xFF) * 0x0101010101010101ull) & 0x8040201008040201ull;
        spread = ((spread + 0x7F7F7F7F7F7F7F7Full) | spread) & 0x8080808080808080ull;
        return (spread >> 7) * 0xFF;
    }
    """
    void prefetch(const void* bucket) noexcept nogil
    int shifted(const uint8_t* gain, const uint8_t* loss, const uint8_t* value) noexcept nogil
    uint64_t bytes_of(uint64_t bits) noexcept nogil


cdef bint recall(const Search* s, const Key* key, Cards* cards, int rest, int need, int* value, Proof* proof,
                 int* move) noexcept nogil:
    """Whether a stored proof answers the question; otherwise perhaps a move that was good."""
    cdef const Bucket* b = key.bucket
    cdef int w, g
    move[0] = NO_MOVE
    for w in range(WAYS):
        if b.shape[w] != key.shape or b.tag[w] != key.tag:
            continue
        if (b.owners[w] ^ key.owners) & (b.rel[w] | <uint64_t>b.rel[w] << 32):
            continue
        if Proof is AnyProof and (b.alw[w] | <uint64_t>b.som[w] << 32) != key.gaps:
            continue
        move[0] = b.move[w]
        g = b.g[w]
        if with_points(proof):
            list_cards(s, cards)
            g += shifted(<uint8_t*>key.values[w].gain, <uint8_t*>key.values[w].loss, <uint8_t*>cards.points)
        if b.yes[w] & 1:
            if g < need:
                continue
            value[0] = g
        else:
            if rest - g >= need:
                continue
            value[0] = rest - g
        use_nothing(proof)
        proof.rel = scatter(s.fast_gather, b.rel[w], key.live)
        if Proof is AnyProof:
            proof.led = lanes_with(scatter(s.fast_gather, b.yes[w] >> 4, FIRST_PLACES))
        if Proof is PointProof:
            proof.som = cards_at(s, cards, b.som[w])
            proof.alw = cards_at(s, cards, b.alw[w])
        return True
    return False


cdef void remember(Search* s, const Key* key, Cards* cards, int rest, int need, int value, const Proof* proof,
                   int move) noexcept nogil:
    """Keep a proof, in place of a stale one or of the next in turn when its bucket is full."""
    cdef Bucket* b = key.bucket
    cdef uint32_t rel = <uint32_t>gather(s.fast_gather, proof.rel & key.live, key.live)
    cdef int w, i, way = -1
    cdef bint yes = value >= need
    cdef Values* v
    for w in range(WAYS):
        if b.tag[w] & 0xFFF0 != s.generation:
            if way < 0:
                way = w
        elif (b.shape[w] == key.shape and b.owners[w] == key.owners and b.tag[w] == key.tag
              and b.yes[w] & 1 == yes and b.rel[w] == rel):
            way = w
            break
    if way < 0:
        s.turn = s.turn * <uint64_t>6364136223846793005 + <uint64_t>1442695040888963407
        way = <int>((s.turn >> 40) % WAYS)
    b.shape[way] = key.shape
    b.owners[way] = key.owners
    b.tag[way] = key.tag
    b.rel[way] = rel
    b.yes[way] = yes
    b.g[way] = <int16_t>(value if yes else rest - value)
    b.move[way] = <uint8_t>move
    if Proof is AnyProof:
        b.yes[way] |= <uint8_t>(gather(s.fast_gather, proof.led, FIRST_PLACES) << 4)
        b.alw[way] = <uint32_t>key.gaps
        b.som[way] = <uint32_t>(key.gaps >> 32)
    if Proof is PointProof:
        list_cards(s, cards)
        b.alw[way] = listed_places(s, cards, proof.alw)
        b.som[way] = listed_places(s, cards, proof.som)
        v = key.values + way
        for i in range(4):
            v.loss[i] = cards.points[i] & bytes_of(b.som[way] >> (8 * i))
            v.gain[i] = cards.points[i] | ~bytes_of(b.alw[way] >> (8 * i))


# ---------------------------------------------------------------------------------------------------------
# 5. What is known at the start of a trick without searching

cdef cards_t trump_must_win(const Rules* r, const cards_t* hand, int seats, cards_t enemies, cards_t spared,
                            int tricks) noexcept nogil:
    """A trump that shows that one of `seats` surely wins so many `tricks` with trumps, however the cards fall; or 0.

    Each of a player's trumps falls in a trick of its own, and there only a higher trump beats it.  So he wins
    one unless for every i his i-th highest trump has i higher ones among the `enemies`' cards, and so on.  (Where a trump
    cannot win, in a *must* trick, nothing follows: the caller sees to that.)  A trump in `spared` may win.
    """
    cdef int seat, needed
    cdef cards_t mine, card
    if not on(MUST_WIN):
        return 0
    for seat in range(r.players):
        if (seats >> seat) & 1:
            mine = hand[seat] & LANE & ~spared
            needed = 0
            while mine:
                card = top_of(mine)
                mine ^= card
                needed += 1
                if count(enemies & LANE & ~(card | (card - 1))) <= needed - tricks:
                    return card
    return 0


cdef bint wins_with_a_trump(const Rules* r, const cards_t* hand, int lone, cards_t others) noexcept nogil:
    """Whether D, who owes one trick, surely wins one with a trump, so that his plain cards must not win."""
    return on(SURE_TRUMP) and r.trumps and trump_must_win(r, hand, 1 << lone, others, 0, 1) != 0


cdef int cash(const Search* s, int leader, int side, int trick, cards_t live, CardProof* proof) noexcept nogil:
    """The tricks that `leader` can take one after another from the top.

    A suit counts as far as his highest cards are the highest of all, and wholly when that many rounds exhaust
    everybody else.  With trumps it holds only where no enemy can ruff: he has no trump, or the leader draws
    them first with as many top trumps as any enemy holds.  A partner who takes such a trick because he has
    only trumps left takes the rest as well; where he may be forced to ruff earlier he counts as an enemy.
    A leader who is not free to choose his lead takes nothing for sure.
    """
    cdef const Rules* r = s.rules
    cdef cards_t mine = s.hand[leader], lane, own, others, run, winners = 0
    cdef int i, seat, longest, length, drawn, tricks = 0, sure
    cdef bint follow = not (r.ruff_when_able or r.must_ruff)
    use_nothing(proof)
    if not on(CASHING) or must_lead_trump(s, leader, side, trick):
        return 0
    for i in range(4):
        lane = <cards_t>LANE << (16 * i)
        own = mine & lane
        others = live & lane & ~mine
        run = own
        if others and own:
            run = own & ~((top_of(others) << 1) - 1)
        sure = count(run)
        if i == 0 and r.trumps and others:
            longest = drawn = 0
            for seat in range(r.players):
                if seat != leader:
                    length = count(s.hand[seat] & LANE)
                    longest = max(longest, length)
                    if r.must_ruff or ((side >> seat) & 1) != ((side >> leader) & 1):
                        drawn = max(drawn, length)
            if drawn > sure:
                # An enemy keeps a trump: the top trumps are sure, and plain winners while he has to follow.
                proof.rel = lowest_of(run)
                winners = run
                if follow:
                    sure += cash_under_trumps(s, leader, side, live, &winners, proof)
                capture(proof, winners)
                use_suits(proof, lanes_with(winners))
                return sure
        else:
            if not run:
                continue
            longest = 0
            for seat in range(r.players):
                if seat != leader:
                    longest = max(longest, count(s.hand[seat] & lane))
        if others:
            proof.rel |= lowest_of(run)
        if sure >= longest:
            run = own
            sure = count(own)
        tricks += sure
        winners |= run
        if CardProof is PointProof:
            # Whoever has no more cards of the suit than are led loses them all.
            for seat in range(r.players):
                if count(s.hand[seat] & lane) <= sure:
                    winners |= s.hand[seat] & lane
    capture(proof, winners)
    use_suits(proof, lanes_with(winners))
    return tricks


cdef int cash_under_trumps(const Search* s, int leader, int side, cards_t live, cards_t* winners,
                           Proof* proof) noexcept nogil:
    """Plain tricks that `leader` can take from the top although enemies have trumps, where who can follow must.

    As many rounds of a suit as each enemy with trumps can follow; and altogether no more than each partner with
    trumps has plain cards, lest he be left with trumps alone and take the lead away.
    """
    cdef const Rules* r = s.rules
    cdef cards_t lane, own, others, run
    cdef int i, k, rounds, tricks = 0, most = TRICKS
    if not on(UNDER_TRUMPS):
        return 0
    for k in range(seats(r, proof)):
        if k != leader and ((side >> k) & 1) == ((side >> leader) & 1) and s.hand[k] & LANE:
            most = min(most, count(s.hand[k] & ~<cards_t>LANE))
    for i in range(1, 4):
        lane = <cards_t>LANE << (16 * i)
        own = s.hand[leader] & lane
        others = live & lane & ~own
        if not own or tricks >= most:
            continue
        run = own
        if others:
            run &= ~((top_of(others) << 1) - 1)
        rounds = min(count(run), most - tricks)
        for k in range(seats(r, proof)):
            if ((side >> k) & 1) != ((side >> leader) & 1) and s.hand[k] & LANE:
                rounds = min(rounds, count(s.hand[k] & lane))
        while count(run) > rounds:
            run &= run - 1
        if run:
            tricks += rounds
            winners[0] |= run
            if others:
                proof.rel |= lowest_of(run)
    return tricks


cdef inline int owner(const cards_t* hand, cards_t card) noexcept nogil:
    """The seat of who holds a card."""
    return ((hand[1] | hand[3]) & card != 0) | ((hand[2] | hand[3]) & card != 0) << 1


cdef void survey(Suits* suits, const cards_t* hand, cards_t live) noexcept nogil:
    """Without trumps: who holds the top of each suit, and what he can take from the top when on lead."""
    cdef cards_t tops = up_to_top(live), winners = 0, whole
    cdef numbers_t own = 0, longest = 0
    cdef int k
    tops ^= (tops >> 1) & <cards_t>0x00FF00FF00FF00FF
    for k in range(4):
        suits.lanes[k] = lanes_with(tops & hand[k])
        winners |= hand[k] & suits.lanes[k]
        own |= suits.length[k] & suits.lanes[k]
        longest = larger(longest, suits.length[k] & ~suits.lanes[k])
    suits.tops = tops
    suits.run = winners & ~up_to_top(live & ~winners)
    suits.shared = lanes_with(longest)
    # He takes all his cards of the suit when his top cards exhaust everybody else.
    suits.rounds = counts(suits.run)
    whole = at_least(suits.rounds, longest)
    suits.rounds = (own & whole) | (suits.rounds & ~whole)


cdef int side_winners(const Search* s, int leader, int side, cards_t live, int enough, Proof* proof) noexcept nogil:
    """Without trumps: the tricks that the leader's side can take at once, as far as there are so many left.

    Looking for more stops at `enough`.
    The leader takes his; then he leads to a winner of his partner, who takes his own.  Those may lie below the
    leader's winners of the same suit, as far as the partner has cards left when he has followed to them.  The
    partner keeps his winners meanwhile as long as he has other cards for the leader's tricks.
    """
    cdef const Suits* suits = &s.suits
    cdef numbers_t rounds = suits.rounds & suits.lanes[leader], kept, more, longest, followed = 0
    cdef cards_t run = suits.run & suits.lanes[leader], his, others, whole, winners = run
    cdef int k, j, tricks = total(rounds), found, best = 0
    use_nothing(proof)
    if not on(SIDE_WINNERS):
        return 0
    proof.rel = run & suits.shared
    use_suits(proof, lanes_with(rounds))
    if tricks >= enough:
        return tricks
    for k in range(seats(s.rules, proof)):
        if k == leader or ((side >> k) & 1) != ((side >> leader) & 1):
            continue
        others = live & ~run & ~s.hand[k]
        his = s.hand[k] & ~up_to_top(others)
        if not his:
            continue
        kept = excess(suits.length[k], rounds)
        more = smaller(counts(his), kept)
        longest = 0
        for j in range(4):
            if j != k:
                longest = larger(longest, suits.length[j])
        whole = at_least(rounds + more, longest)
        more = (kept & whole) | (more & ~whole)
        found = total(more)
        if found > best and excess(suits.length[leader], rounds) & lanes_with(more):
            best = found
            proof.rel |= his & lanes_with(others) & lanes_with(more)
            use_suits(proof, lanes_with(rounds + more))
            if Proof is PointProof:
                followed = more
                winners = run | his
    if Proof is PointProof:
        # Whoever has no more cards of a suit than are led plays them all to these tricks.
        for j in range(4):
            winners |= s.hand[j] & at_least(rounds + followed, suits.length[j])
        capture(proof, winners)
    return tricks + best


cdef bint enemies_take(const Search* s, int leader, int side, cards_t live, int enough, Proof* proof) noexcept nogil:
    """Without trumps: whether the other side takes at least `enough` tricks, whatever the leader leads.

    When the enemies hold the highest card of every suit that he can lead, its holder wins the first trick with
    it, and then he and his partner take their other winners.
    """
    cdef cards_t tops = s.suits.tops & lanes_with(s.hand[leader])
    cdef int k
    cdef Proof p
    use_nothing(proof)
    if not on(ENEMIES_TAKE):
        return False
    proof.rel = tops
    for k in range(seats(s.rules, proof)):
        if tops & s.hand[k]:
            if ((side >> k) & 1) == ((side >> leader) & 1):
                return False
            if enough > 1:
                if side_winners(s, k, side, live, enough, &p) < enough:
                    return False
                proof.rel |= p.rel
    return True


cdef bint enemies_keep(const Search* s, int leader, int side, int left, int enough, bint joined,
                       Proof* proof) noexcept nogil:
    """Without trumps: whether the other side takes at least `enough` tricks with winners that it keeps.

    A suit is guarded when an enemy has its highest card and the leader's side has cards of it.  A trick led in a
    guarded suit is won by the guard, who then takes the winners that he kept.  Each trick led in an unguarded suit
    takes one of a limited number of rounds from the leader's side, or the enemies win it because that side has run
    out of the suit.  Meanwhile the guards throw all but their winners, and as long as there is room for one of each
    of their guarded suits they need not give up a guard.  A guard whose own winners do not suffice goes on with those
    of another guard (if `joined`), to whom he leads a card of a suit that the other guards.  When nobody can take the
    lead from the leader but enemies who guard a suit or lead to one who does, his partners' cards do not count.
    """
    cdef const Suits* suits = &s.suits
    cdef numbers_t longest = suits.length[leader]
    cdef cards_t guarded = lanes_with(longest), theirs = 0, higher, others = 0
    cdef int j, k, spare, missing, enemies = side if not (side >> leader) & 1 else ~side
    cdef bint stranded = on(STRANDED)
    use_nothing(proof)
    if not on(ENEMIES_KEEP):
        return False
    for k in range(4):
        if (enemies >> k) & 1:
            theirs |= suits.lanes[k]
    higher = closed(s.hand[leader]) & ~theirs
    for k in range(4):
        if k == leader or (enemies >> k) & 1 and (suits.lanes[k] | suits.length[k] & theirs) & guarded:
            continue
        stranded &= s.hand[k] & higher == 0
        others |= s.hand[k]
    if stranded:
        proof.rel = higher & ~(higher << 1) & lanes_with(others)
    else:
        for k in range(4):
            if not (enemies >> k) & 1:
                longest = larger(longest, suits.length[k])
        guarded = lanes_with(longest)
    spare = left - total(longest & ~theirs)
    if spare < enough:
        return False
    for k in range(4):
        if (enemies >> k) & 1 and suits.lanes[k] & guarded:
            if spare + 1 - count(suits.lanes[k] & guarded & FIRST_PLACES) < enough:
                return False
            missing = enough - total(suits.rounds & suits.lanes[k])
            if missing > 0:
                if not (joined and on(JOINING)):
                    return False
                for j in range(4):
                    if (j != k and (enemies >> j) & 1 and suits.length[k] & suits.lanes[j] & guarded
                            and total(suits.rounds & suits.lanes[j]) >= missing):
                        break
                else:
                    return False
            proof.rel |= suits.run & suits.lanes[k] & suits.shared
    return True


include "_misere.pxi"


cdef inline cards_t top_trumps(cards_t ours, cards_t theirs) noexcept nogil:
    """Our trumps above all of theirs: nobody can take them from us."""
    cdef cards_t run = ours & LANE
    if not on(TOP_TRUMPS):
        return 0
    if run and theirs & LANE:
        run &= ~((top_of(theirs & LANE) << 1) - 1)
    return run


cdef inline int sum_values(const Rules* r, cards_t x) noexcept nogil:
    """Card points of a set."""
    cdef int total = 0
    while x:
        total += r.value[lowest_index(x)]
        x &= x - 1
    return total


cdef inline int settled(bint ours, int points, int rest, int need) noexcept nogil:
    """The value if it settles the question that one side, ours or theirs, surely gets `points`; else `UNKNOWN`."""
    if ours:
        return points if points >= need else UNKNOWN
    return rest - points if rest - points < need else UNKNOWN


cdef int known_in_plain(const Search* s, int leader, int side, int left, int rest, int need, cards_t live,
                        Proof* proof) noexcept nogil:
    """`known_value` of a count of tricks when nobody has trumps."""
    cdef bint ours = (side >> leader) & 1
    cdef int enough = need if ours else rest + 1 - need     # for the leader's side to settle the question
    cdef int tricks = min(left, side_winners(s, leader, side, live, enough, proof))
    if tricks >= enough:
        return tricks if ours else rest - tricks
    enough = rest + 1 - enough                              # and for the others
    if enemies_take(s, leader, side, live, enough, proof) or enemies_keep(s, leader, side, left, enough, True, proof):
        return rest - enough if ours else enough
    return UNKNOWN


cdef inline cards_t unbeaten_trumps(cards_t hand, cards_t theirs, int* most) noexcept nogil:
    """The lowest of the highest trumps of one hand that show more than `most` tricks, which is raised to that; or 0.

    Of the n highest no more are beaten than there are higher ones of theirs than the n-th.
    """
    cdef cards_t mine = hand & LANE, card, found = 0
    cdef int n = 0, sure
    while mine:
        card = top_of(mine)
        mine ^= card
        n += 1
        sure = n - count(theirs & LANE & (0 - card))
        if sure > most[0]:
            most[0] = sure
            found = card
    return found


cdef int trump_tricks(const Search* s, int seats, cards_t ours, cards_t theirs, int longest,
                      RuffProof* proof) noexcept nogil:
    """The tricks that a side surely takes with trumps, whoever leads.

    Its top trumps win as many as there are, or as its longer hand has trumps: as long as one hand has a lower one,
    two tops do not fall together.  And the trumps of one hand fall in tricks of their own, where only a higher
    trump beats them; of its n highest no more are beaten than there are higher ones than the n-th.
    """
    cdef cards_t tops = top_trumps(ours, theirs), card
    cdef int k, most = min(count(tops), longest)
    proof.rel = lowest_of(tops)
    if not on(TRUMP_TRICKS):
        return 0
    for k in range(4):
        if (seats >> k) & 1:
            card = unbeaten_trumps(s.hand[k], theirs, &most)
            if card:
                proof.rel = card
    return most


cdef inline bint must_lead_trump(const Search* s, int leader, int side, int trick) noexcept nogil:
    """Whether the leader, or a partner on lead in the next tricks, is not free to choose what he leads."""
    cdef const Rules* r = s.rules
    cdef int k
    if trick >= r.trump_leads and (trick or not r.first_lead_trump):
        return False
    for k in range(r.players):
        if ((side >> k) & 1) == ((side >> leader) & 1) and s.hand[k] & LANE:
            return True
    return False


cdef bint draws_trumps(const Search* s, int leader, int side, int trick, cards_t live) noexcept nogil:
    """Whether the leader can draw the trumps and his side then go on as without: nobody has to ruff against his will.

    Where one has to ruff, the partner's trumps have to be drawn as well, and the leader must be spared from ruffing.
    """
    cdef const Rules* r = s.rules
    cdef int k, drawn = 0
    if not (r.trumps and live & LANE):
        return True
    if not on(DRAWING) or must_lead_trump(s, leader, side, trick) or (r.must_ruff and not r.partner_exempt):
        return False
    for k in range(r.players):
        if k != leader and (r.must_ruff or ((side >> k) & 1) != ((side >> leader) & 1)):
            drawn = max(drawn, count(s.hand[k] & LANE))
    return count(top_trumps(s.hand[leader], live & ~s.hand[leader])) >= drawn


cdef int known_points_in_plain(const Search* s, int leader, int side, int left, int rest, int need, cards_t live,
                               PointProof* proof) noexcept nogil:
    """`known_value` of card points without trumps or when the leader draws them, by `side_winners`.

    Without trumps also by what the others take behind any lead, as in `enemies_take`.
    """
    cdef bint maximise = (side >> leader) & 1
    cdef cards_t tops = s.suits.tops & lanes_with(s.hand[leader])
    cdef int k, points = rest, value
    cdef PointProof p
    if side_winners(s, leader, side, live, left, proof) >= left:
        capture(proof, live)
    else:
        points = sum_values(s.rules, proof.alw)
    value = settled(maximise, points, rest, need)
    if value != UNKNOWN or (s.rules.trumps and live & LANE):
        return value
    points = rest
    use_nothing(proof)
    proof.rel = tops
    proof.alw = live
    for k in range(s.rules.players):
        if tops & s.hand[k]:
            if ((side >> k) & 1) == maximise:
                return UNKNOWN
            if side_winners(s, k, side, live, left, &p) >= left:
                capture(&p, live)
            else:
                points = min(points, sum_values(s.rules, p.alw))
            proof.rel |= p.rel
            proof.alw &= p.alw
            proof.som |= p.som
    return settled(not maximise, points, rest, need)


cdef int known_in_trumps(Search* s, int leader, int side, int left, int rest, int need, cards_t live,
                         RuffProof* proof) noexcept nogil:
    """`known_value` of a count of tricks with trumps, where who can follow has to and others play what they like.

    When the leader has at least as many top trumps as any enemy has trumps, he draws them first, and then all is as
    without trumps; otherwise he takes plain tricks while his side keeps its trumps.  When his side has no trumps,
    the others can do what they can without.
    """
    cdef bint maximise = (side >> leader) & 1, draws
    cdef int enough = need if maximise else rest + 1 - need     # for the leader's side to settle the question
    cdef int k, tricks, most = 0, drawn = 0
    cdef cards_t ours = 0, winners = 0
    for k in range(4):
        if ((side >> k) & 1) == maximise:
            ours |= s.hand[k]
            most = max(most, count(s.hand[k] & LANE))
        else:
            drawn = max(drawn, count(s.hand[k] & LANE))
    draws = on(DRAWING) and count(top_trumps(s.hand[leader], live & ~s.hand[leader])) >= drawn
    if draws or not most:
        survey(&s.suits, s.hand, live)
    if draws:
        tricks = min(left, side_winners(s, leader, side, live, enough, proof))
    else:
        tricks = trump_tricks(s, side if maximise else ~side, ours, live & ~ours, most, proof)
        tricks += cash_under_trumps(s, leader, side, live, &winners, proof)
    if tricks >= enough:
        return tricks if maximise else rest - tricks
    enough = rest + 1 - enough                                  # and for the others
    if not most:
        if (enemies_take(s, leader, side, live, enough, proof)
                or enemies_keep(s, leader, side, left, enough, False, proof)):
            return rest - enough if maximise else enough
        return UNKNOWN
    tricks = trump_tricks(s, ~side if maximise else side, live & ~ours, ours, drawn, proof)
    if tricks >= enough:
        return rest - tricks if maximise else tricks
    return UNKNOWN


cdef int known_by_cash(const Search* s, int leader, int side, int trick, int left, int rest, int need, cards_t live,
                       CardProof* proof) noexcept nogil:
    """`known_value` by what the leader cashes."""
    cdef int sure = cash(s, leader, side, trick, live, proof), points = rest
    if sure >= left:
        capture(proof, live)
    else:
        points = sure * s.rules.trick_points
        if CardProof is PointProof:
            points += sum_values(s.rules, proof.alw)
    return settled((side >> leader) & 1, points, rest, need)


cdef bint shares_after(const Search* s, int leader, numbers_t led, numbers_t winners, cards_t loser) noexcept nogil:
    """Whether a leader who has won so many tricks with `led` of his `winners` surely makes it with his only other card.

    He leads that loser.  Somebody has to beat it: a player who has only higher cards of its suit and more of them than he
    can have thrown.  And whoever can beat it must have a card left that he can lead to one of the remaining winners:
    more of these than he can have thrown, the one apart with which he wins.
    """
    cdef const Suits* suits = &s.suits
    cdef cards_t suit = lane_of(loser), above = suit & ~(loser | (loser - 1)), links = lanes_with(winners - led)
    cdef numbers_t followed
    cdef int k, tricks = total(led)
    cdef bint beaten = False
    for k in range(4):
        if k != leader and s.hand[k] & above:
            # He has to play to each suit led as long as he has it, and throws what he likes to the other tricks.
            followed = smaller(led, suits.length[k])
            if links and total(suits.length[k] & links) - (links & suit != 0) <= tricks - total(followed & ~links):
                return False
            if not s.hand[k] & suit & ~above:
                beaten |= total(suits.length[k] & suit) > tricks - total(followed & ~suit)
    return beaten


cdef bint shares(const Search* s, int leader, int first, numbers_t winners, cards_t loser) noexcept nogil:
    """Whether a leader alone on his side surely makes it who wins the `first` tricks himself and then shares.

    All his cards but the loser are winners; any of them may go first.
    """
    cdef int a, b, c, d
    cdef numbers_t led
    for a in range(min(first, <int>(winners & 15)) + 1):
        for b in range(min(first - a, <int>(winners >> 16 & 15)) + 1):
            for c in range(min(first - a - b, <int>(winners >> 32 & 15)) + 1):
                d = first - a - b - c
                led = <numbers_t>a | <numbers_t>b << 16 | <numbers_t>c << 32 | <numbers_t>d << 48
                if d <= <int>(winners >> 48) and shares_after(s, leader, led, winners, loser):
                    return True
    return False


cdef int known_alone(const Search* s, int leader, int state, int trick, int left, cards_t live,
                     AnyProof* proof) noexcept nogil:
    """`known_value` for a leader alone on his side who has to win, or may win, tricks one after another himself.

    The i-th highest card of his in a suit wins when led as the i-th of it, if no other who has as many cards of it
    has a higher one: who has fewer has played them all by then.  So he can win as many as there are such cards,
    from the top of each suit.  And no more: whoever has a higher card and enough others keeps them.  For that he
    must keep one card more of each suit that he guards than can be won in it, less what has been led of it, and
    this leaves him a card to throw as long as the tricks that can be won and the suits are no more than the tricks
    left; and when all tricks have to be won, one guard of one suit is enough.

    With trumps among the others he has to draw them all: a trump that is left beats a plain card at last.

    When another may or must win a trick and is then his partner, see `shares`.
    """
    cdef const Rules* r = s.rules
    cdef cards_t lane, own, card, won = 0, stopped = 0, losers = 0
    cdef numbers_t winners = 0
    cdef int i, k, n, tricks = 0, longest = 0, guards = 0
    cdef int[4] length
    cdef bint trumps = r.trumps and live & LANE & ~s.hand[leader]
    if not on(ALONE) or trumps and (r.must[state][trick] < left or r.must_ruff):
        return UNKNOWN
    for i in range(4):
        lane = <cards_t>LANE << (16 * i)
        own = s.hand[leader] & lane
        for k in range(r.players):
            length[k] = count(s.hand[k] & lane) if k != leader else 0
            if i == 0 and trumps:
                longest = max(longest, length[k])
        n = 0
        while own:
            card = top_of(own)
            n += 1
            for k in range(r.players):
                if length[k] >= n and s.hand[k] & lane & (0 - card):
                    break
            else:
                own ^= card
                tricks += 1
                winners += <numbers_t>1 << (16 * i)
                if live & lane & ~s.hand[leader]:
                    won |= card
                continue
            stopped |= card
            losers |= own
            guards += 1
            break
    use_suits(proof, lanes_with(s.hand[leader]))
    if trumps and count(s.hand[leader] & LANE) < longest:
        proof.rel = live & LANE
        return LOSS
    if r.enough[state][trick] and tricks >= r.enough[state][trick]:
        proof.rel = won
        return WIN
    if tricks < r.must[state][trick] and (r.must[state][trick] == left or tricks + guards <= left):
        proof.rel = stopped
        return LOSS
    if r.share[state][trick] and tricks == left - 1 and not r.trumps and on(SHARING):
        n = 0
        while n < left and state < MADE_CODE:
            if r.share[state][trick + n] == 1 and shares(s, leader, n, winners, losers):
                proof.rel = won | losers
                return WIN
            state = r.next[state][trick + n][leader][0]
            n += 1
    return UNKNOWN


cdef inline int cheapest(const Rules* r, cards_t hand, int number) noexcept nogil:
    """The points of so many cards of a hand, the cheapest."""
    cdef int i = 0, found, points = 0
    while number > 0 and hand:
        found = min(number, count(hand & r.worth[i]))
        points += found * r.worths[i]
        number -= found
        hand &= ~r.worth[i]
        i += 1
    return points


cdef int all_trump_points(const Search* s, int seats, cards_t ours, cards_t theirs, int left, int rest,
                          PointProof* proof) noexcept nogil:
    """The points that a side surely takes when it has all trumps and plays as it likes.

    It keeps its trumps for the last tricks.  Where one may ruff while able to follow, it wins as many of these as it
    has trumps: one hand ruffs, a lead of its own side, too, and the others of the side play plain cards, of which each
    has as many as the others have trumps.  Where who can follow has to, it wins as many as its longest hand has trumps.
    To these tricks each hand plays no less than its cheapest cards.
    """
    cdef const Rules* r = s.rules
    cdef cards_t hand
    cdef int k, length, most = 0, points
    for k in range(r.players):
        if (seats >> k) & 1:
            length = count(s.hand[k] & LANE)
            most = most + length if r.ruff_when_able else max(most, length)
    use_nothing(proof)
    if most >= left:
        capture(proof, ours | theirs)
        return rest
    points = sum_values(r, ours & LANE) + r.last_points + most * r.trick_points
    capture(proof, ours & LANE)
    for k in range(r.players):
        hand = s.hand[k]
        length = most
        if (seats >> k) & 1:
            length -= count(hand & LANE)
            hand &= ~<cards_t>LANE
        length = cheapest(r, hand, length)
        if length:
            points += length
            proof.som |= hand
    return points


cdef int trump_points(const Search* s, int seats, cards_t ours, cards_t theirs, int left, int rest,
                      PointProof* proof) noexcept nogil:
    """The points that a side surely takes with trumps, whoever leads.

    Its top trumps are its own, whatever trick they fall in.  The trumps of one hand fall in tricks of their own, where
    only a higher trump beats them, so of its n highest no more are beaten than there are higher ones than the n-th.
    To the tricks that they win every other hand plays no less than its cheapest cards.
    """
    cdef const Rules* r = s.rules
    cdef cards_t tops = top_trumps(ours, theirs), card, chosen = 0, hand
    cdef int k, n, seat = 0, most = 0, points
    for k in range(r.players):
        if (seats >> k) & 1 and on(TRUMP_TRICKS):
            card = unbeaten_trumps(s.hand[k], theirs, &most)
            if card:
                chosen = s.hand[k] & LANE & (0 - card)
                seat = k
    proof.rel = chosen | tops
    if most >= left:
        capture(proof, ours | theirs)
        return rest
    capture(proof, tops)
    points = sum_values(r, tops) + most * r.trick_points
    if not most:
        return points
    for k in range(r.players):
        hand = chosen if k == seat else s.hand[k]
        n = cheapest(r, hand & ~tops, most - count(hand & tops))
        if n:
            points += n
            proof.som |= hand
    return points


cdef int known_in_trump_tricks(const Search* s, int side, int trick, int left, int rest, int need, cards_t live,
                               PointProof* proof) noexcept nogil:
    """`known_value` of card points by the tricks that a side takes with trumps.

    It takes longer than a look into the table, so that comes first.
    """
    cdef const Rules* r = s.rules
    cdef cards_t ours = 0, theirs
    cdef int i, k, seats = side, points, value = UNKNOWN
    for k in range(r.players):
        if (side >> k) & 1:
            ours |= s.hand[k]
    theirs = live & ~ours
    for i in range(2):
        if ours & LANE:
            if (theirs & LANE or r.must_ruff or must_lead_trump(s, lowest_index(seats), side, trick)
                    or not on(ALL_TRUMPS)):
                points = trump_points(s, seats, ours, theirs, left, rest, proof)
            else:
                points = all_trump_points(s, seats, ours, theirs, left, rest, proof)
            value = settled(i == 0, points, rest, need)
            if value != UNKNOWN:
                break
        seats = ~side & (1 << r.players) - 1
        ours, theirs = theirs, ours
    return value


cdef int known_value(Search* s, int leader, int state, int side, int trick, int avoid, bint dry, int rest, int need,
                     cards_t live, Proof* proof) noexcept nogil:
    """A value that needs no search, with its proof; `UNKNOWN` when there is none.

    Not for positions where a protected call is pending: a trump may then be unable to win.
    """
    cdef const Rules* r = s.rules
    cdef int i, seat, sure, value = UNKNOWN, left = s.end - trick
    cdef bint maximise = (side >> leader) & 1
    cdef cards_t ours = 0, enemies = 0, card
    if Proof is RuffProof:
        if live & LANE:
            return known_in_trumps(s, leader, side, left, rest, need, live, proof)
    if Proof is AnyProof:
        if side == 1 << leader and not r.counting and (
                r.must[state][trick] or r.enough[state][trick] or r.share[state][trick]):
            value = known_alone(s, leader, state, trick, left, live, proof)
            if value != UNKNOWN:
                return value
        if not r.counting and r.owe[state][trick] and not dry and r.trumps:
            i = lowest_index(side)
            card = trump_must_win(r, s.hand, side, live & ~s.hand[i], 0, 2)
            if card:
                proof.rel = card
                use_suits(proof, LANE)
                return LOSS
        if not (r.counting or avoid or dry):
            return UNKNOWN
    if Proof is not PointProof and not dry and not (with_trumps(r, proof) and live & LANE):
        survey(&s.suits, s.hand, live)
    if Proof is AnyProof:
        if avoid or dry:
            if r.trumps:
                i = avoid if avoid else side
                enemies = live
                for seat in range(r.players):
                    if (i >> seat) & 1:
                        enemies &= ~s.hand[seat]
                card = trump_must_win(r, s.hand, i, enemies, 0 if avoid else r.jack, 1)
                if card:
                    proof.rel = card
                    use_suits(proof, LANE)
                    return LOSS
            if not avoid:
                return UNKNOWN
            if dry and avoid == side:
                i = lowest_index(avoid)
                if i != leader and not (r.trumps and s.hand[i] & LANE) and not unsafe_suits(s, s.hand, i):
                    use_suits_only(proof)
                    return WIN
            elif avoid == ((1 << r.players) - 1) & ~side:
                if r.trumps and live & LANE:
                    sure = cash(s, leader, side, trick, live, proof)
                else:
                    sure = side_winners(s, leader, side, live, left, proof)
                if sure >= 1 and not maximise:
                    return LOSS
                if sure >= left and maximise:
                    return WIN
                if maximise and not (r.trumps and live & LANE) and (
                        enemies_take(s, leader, side, live, 1, proof)
                        or enemies_keep(s, leader, side, left, 1, True, proof)):
                    # Their first trick decides, so only this side leads.
                    for seat in range(r.players):
                        if (side >> seat) & 1:
                            ours |= s.hand[seat]
                    use_suits(proof, lanes_with(ours))
                    return LOSS
            return UNKNOWN
    if Proof is PointProof:
        if draws_trumps(s, leader, side, trick, live):
            survey(&s.suits, s.hand, live)
            value = known_points_in_plain(s, leader, side, left, rest, need, live, proof)
        else:
            value = known_by_cash(s, leader, side, trick, left, rest, need, live, proof)
    else:
        if not (with_trumps(r, proof) and live & LANE):
            return known_in_plain(s, leader, side, left, rest, need, live, proof)
        if Proof is AnyProof:
            value = known_by_cash(s, leader, side, trick, left, rest, need, live, proof)
            if value == UNKNOWN and r.trumps:
                # The top trumps of one hand win that many tricks, whoever leads.
                for i in range(r.players):
                    if (side >> i) & 1:
                        ours |= s.hand[i]
                for i in range(r.players):
                    card = s.hand[i] & (top_trumps(ours, live & ~ours) | top_trumps(live & ~ours, ours))
                    proof.rel = lowest_of(card)
                    value = settled((side >> i) & 1, count(card) * r.trick_points, rest, need) if card else UNKNOWN
                    if value != UNKNOWN:
                        break
    return value


# ---------------------------------------------------------------------------------------------------------
# 6. Moves and their order

cdef struct Move:
    cards_t card
    int score
    int call


cdef cards_t dry_moves(const Search* s, cards_t moves, int seat, const Trick* t, int laid, int side,
                       bint never) noexcept nogil:
    """A player who must not win a trick, with everybody else against him, needs to consider only these.

    Or must not win one without the trump jack, when `never` is false.

    A lower plain card in place of a higher one never hurts him.  So of the plain cards of a suit that surely do
    not win this trick he plays the highest; one that could win loses at once.  A card surely does not win when
    it is beaten already, or when some player to come has only cards that beat it.  Trumps are all kept, since
    a trump changes what the others may play.

    When he discards and has no trumps, only the suits that are not safe count: with one of them he discards from
    it.  (Compare the games after a discard from the unsafe suit and from a safe one: where the second throws its
    additional card of the unsafe suit, which is its highest there, the first throws the one of the safe suit; until
    then it follows the same plan, and follows suit in safe suits once more, which costs nothing.)

    An empty set says that he wins a trick whatever he does, and `ALL_CARDS` that nobody can make him.
    """
    cdef const Rules* r = s.rules
    cdef cards_t plain = moves & ~<cards_t>LANE if r.trumps else moves
    cdef cards_t kept = moves & ~plain, rest
    if not on(BEST_DUCK):
        return moves
    if never and laid and not s.hand[seat] & t.led and not (r.trumps and s.hand[seat] & LANE):
        rest = unsafe_suits(s, s.hand, seat)
        if not rest:
            return ALL_CARDS
        if rest == lane_of(rest):
            return top_of(plain & rest)
    return kept | best_beaten(s, s.hand, plain, seat, t, laid, side, False)


cdef bint surely_beaten(const Search* s, const cards_t* hand, cards_t card, int seat, const Trick* t, int laid, int side,
                        bint loose) noexcept nogil:
    """Whether `card` of `seat` cannot win this trick: beaten already, or a later player can only beat it.

    `loose`: the others may play as in the looser game.
    """
    cdef const Rules* r = s.rules
    cdef Trick now
    cdef int later = seat, k
    cdef cards_t replies
    if laid:
        now = t[0]
        lay(r, &now, card, seat)
        if now.best != card:
            return True
    else:
        lead(r, &now, card, seat, NO_CALL)
    for k in range(laid + 1, r.players):
        later = next_seat(r, later)
        replies = loose_legal(r, hand[later], &now) if loose else legal(r, hand[later], &now, later, side)
        replies &= ~(lane_of(card) & ~((card << 1) - 1))
        if r.trumps and not card & LANE:
            replies &= ~<cards_t>LANE
        if not replies:
            return True
    return False


cdef inline int situation(const Search* s, int seat, int laid, const Trick* t, cards_t moves) noexcept nogil:
    """The place in the cut-off cache of a player's choice."""
    cdef uint64_t h = moves * <uint64_t>0x9E3779B97F4A7C15
    if laid:
        h ^= t.best * <uint64_t>0xD6E8FEB86659FD93
    h ^= <uint64_t>(seat * 4 + laid) * <uint64_t>0xA24BAED4963EE407
    return <int>((h * <uint64_t>0x9E3779B97F4A7C15) >> 52)


# How promising a move looks is a sum of weights, found by descent on the number of cards played in sample
# deals: a row for each kind of question and of rules.  Only the order of moves depends on them, never a result.
cdef enum:
    PLAIN_ANYTHING, RUFF_ANYTHING,
    POINTS_FREE, POINTS_MUST_RUFF,  # who cannot follow plays what he likes, or has to ruff
    COUNT_PLAIN, COUNT_RUFFS,
    POINTS_MAY_RUFF,        # one may ruff while able to follow
    PLAIN_ALONE,            # a yes or no for a player alone on his side
    MODE_COUNT

cdef enum:
    # of leads
    TOP_TRUMP, OUR_TOP_TRUMP, TRUMP, TRUMP_RANK, IDLE_TRUMP, TOP, MAY_BE_RUFFED, PARTNERS_TOP, ENEMY_LENGTH,
    PARTNER_RUFFS, PARTNER_MAY_RUFF, LOW, TO_PARTNERS_TOP, LEAD_POINTS, NEXT_RUFFS, TOP_LENGTH, SINGLETON,
    TRUMP_POINTS, LOW_RANK, LOW_LENGTH, TRUMP_LENGTH, ENEMY_TRUMPS,
    # of all other cards
    DISCARD_LENGTH,
    # of all cards
    LAST_CUT, HISTORY,
    # of leads of a player alone on his side: of a top card for each who can follow; of another card when it may lose,
    # and for each who can beat it.  Of a card thrown by others that is higher than one of his
    FOLLOWERS, MAY_LOSE, BEATERS, ABOVE_HIS, WEIGHT_COUNT

cdef enum Deed:             # what a card does that is laid to a trick
    WINS, MAY_WIN, LOSES

cdef enum Standing:         # who is winning before it
    ENEMY, PARTNER
    BEATABLE_ENEMY          # of points: a partner to come can beat him
    BEATABLE_PARTNER        # of points: an enemy to come can beat him
    STANDING_COUNT

cdef enum:                  # its weights
    DEED, ITS_RANK, ITS_POINTS, TRICK_POINTS, TRUMPS, DEED_WEIGHT_COUNT


cdef int[MODE_COUNT][WEIGHT_COUNT] WEIGHTS
cdef int[MODE_COUNT][STANDING_COUNT * 3][DEED_WEIGHT_COUNT] DEED_WEIGHTS
cdef int[MODE_COUNT][STANDING_COUNT * 3][16] DEED_SCORES    # of deed and rank together
for _kind, (_row, _deeds) in enumerate((
    ((300, 160, 120, 1, 20, 53, 60, 54, -1, 60, 30, -34, 90, 2, 20, -6, 0, 0, 1, 0, 0, 0, -5, 141, 3),
     ((150, 1, 0, 0, -20), (90, 1, 0, 0, -20), (10, -6, 0, 0, -30),
      (40, 3, 0, 0, -20), (39, 2, 0, 0, -20), (30, -2, 0, 0, -30))),
    ((132, 40, 75, -5, 20, 204, 234, 168, -4, 119, -5, 45, 139, 2, 249, -4, 50, 0, 0, -1, 0, 0, -1, 456, 11),
     ((125, -6, 0, 0, -9), (60, -3, 0, 0, -30), (-102, -4, 0, 0, -280),
      (30, 1, 0, 0, -30), (30, 1, 0, 0, -30), (20, -1, 0, 0, -15))),
    ((100, 106, 80, 4, 21, 210, 120, 100, 7, 60, 23, 40, 53, 0, 52, 3, 3, 1, -2, 6, -4, 0, -5, 136, 9),
     ((184, -1, 5, 8, -20), (150, -10, -1, 0, -20), (6, -5, -11, 4, -15),
      (18, 0, 2, 0, -18), (-10, -1, -1, 0, -20), (12, 0, 8, -4, -45),
      (134, -1, 3, 5, -20), (100, -2, -1, 6, -20), (15, 7, -7, 0, -14),
      (30, 7, 3, 0, -23), (-10, -1, -1, 0, -17), (10, -5, -1, 0, -30))),
    ((30, -120, 53, -6, 21, 193, 112, 173, -5, 138, 29, 45, 61, -2, 91, 5, 21, 8, 1, 2, -9, -1, -17, 246, 6),
     ((300, 8, 3, 6, -14), (195, 0, -17, -2, -12), (-11, -10, -50, -7, -24),
      (30, 2, 2, -2, -36), (-5, -3, 9, 2, -16), (10, -1, 2, 7, -174),
      (286, -2, 4, 4, -36), (131, -5, 0, 5, -6), (9, 14, -1, 4, -12),
      (38, 9, 6, 1, -10), (-6, -9, 2, 2, -11), (15, -15, -6, 6, -58))),
    ((300, 160, 120, 1, 20, 40, 60, 69, -5, 60, 30, -7, 90, 0, 20, 0, 0, 0, 0, 3, 0, 0, 1, 145, 0),
     ((100, 6, 0, 0, 0), (90, -1, 0, 0, 0), (10, -3, 0, 0, 0),
      (50, 3, 0, 0, 0), (46, 5, 0, 0, 0), (30, -3, 0, 0, 0))),
    ((137, 27, 105, 1, 20, 281, 90, 224, 4, 130, 51, 60, 100, 0, 290, 0, 43, 0, 5, 0, 0, 0, 0, 250, 0),
     ((98, -6, 0, 0, -56), (56, -4, 0, 0, -20), (-124, -4, 0, 0, -280),
      (30, 1, 0, 0, -40), (40, -3, 0, 0, -21), (20, -2, 0, 0, -21))),
    ((270, 106, 213, 8, 17, 140, 90, 67, 5, 60, 20, 30, 43, 2, 40, -1, -1, 1, 2, 0, 0, -4, 0, 141, 4),
     ((269, -1, 3, 3, -21), (134, -4, 11, 0, -26), (8, -9, -7, 0, -10),
      (30, -1, 2, 0, -20), (-6, 3, 3, -2, -12), (10, -1, 3, 0, -45),
      (202, -1, 1, 3, -21), (200, -2, 3, 0, -26), (6, -1, 1, 4, -15),
      (30, -1, 6, 4, -20), (-2, 3, 3, -6, -12), (14, -5, -1, 0, -45))),
    ((0, 0, 0, 0, 0, 150, 0, 120, -20, 0, 0, -10, 0, 0, 0, 27, 0, 0, 4, -5, 0, 0, -3, 200, 0, 15, 435, 15, 24),
     ((203, 0, 0, 0, 0), (113, 21, 0, 0, 0), (1, -3, 0, 0, 0),
      (90, 5, 0, 0, 0), (156, -5, 0, 0, 0), (60, -17, 0, 0, 0))),
)):
    for _weight, _value in enumerate(_row):
        WEIGHTS[_kind][_weight] = _value
    for _deed, _row in enumerate(_deeds):
        for _weight, _value in enumerate(_row):
            DEED_WEIGHTS[_kind][_deed][_weight] = _value
        for _rank in range(9):
            DEED_SCORES[_kind][_deed][_rank] = _row[0] + _rank * _row[1]


cdef inline bint beats(const Trick* t, cards_t card, cards_t ruffing, const Proof* kind) noexcept nogil:
    """Whether a card that is laid now becomes the best of the trick; `ruffing` are the trumps if they can ruff it."""
    if Proof is PlainProof:
        return (card & t.led != 0) & (card > t.best)
    else:
        return card > t.best if card & lane_of(t.best) else card & ruffing != 0


cdef struct Frame:          # what all who play to a trick look at
    cards_t live
    cards_t move            # the table's move, and then the best one
    int state
    int side
    int trick
    int rest
    int need
    cards_t his             # if proofs go by gaps: the cards between which these are, at the start of the trick
    bint dry                # a lone player must not win this trick, save perhaps with the trump jack
    bint lone               # or he owes himself one trick


cdef struct Scene:          # what the scores of a player's moves have in common
    cards_t live
    cards_t partners        # cards of the others on his side
    cards_t enemies
    cards_t mine
    cards_t next_hand
    cards_t ruffing         # the trumps, if they can ruff
    cards_t trumps          # the trumps that cost something, if they win the trick and if not
    cards_t losing_trumps
    bint last
    Standing standing
    cards_t threats         # of points: cards with which enemies to come can beat others
    int mode                # which row of weights
    cards_t his             # the cards of a player alone on his side
    bint may_lose           # losing the trick does not lose the contract


cdef int dry_score(const Rules* r, cards_t his, int lone, cards_t card, int seat, int laid, const Trick* t) noexcept nogil:
    """How promising a move looks when D, the lone player with the cards `his`, must not win a trick."""
    cdef int rank = lowest_index(card) & 15
    cdef bint wins, trump = r.trumps and card & LANE != 0, before
    his &= lane_of(card)
    if laid:
        wins = card > t.best if card & lane_of(t.best) else trump
    if seat == lone:
        if not laid:
            return rank + (100 if trump else 0)
        return -1000 if wins else 20 + rank - (100 if trump else 0)
    if not laid:
        if trump:
            return 50 - 4 * rank
        if not his:
            return -69
        if not his & ((card << 1) - 1):
            return 120 - rank - 2 * count(his)
        return 64 - 4 * rank - 13 * count(his)
    if t.best_seat == lone:
        # He is winning: get under, throwing the highest that does not beat him.
        return (-200 - rank) if wins else 100 + rank
    if trump:
        return 4
    if card & t.led:
        before = (lone - seat + laid + r.players) % r.players < laid
        return 4 if wins and before and his else 0 if before or not his else -rank
    if not his:
        return rank - 10
    return 0 if lowest_of(his) < card else -10


cdef inline bint pays(const Rules* r, const Frame* f, int seat, cards_t card, const Trick* t) noexcept nogil:
    """Whether a lone player who owes a trick wins it now: what follows is soon known."""
    return (r.owe[f.state][f.trick] >> seat & 1 and r.next[f.state][f.trick][seat][card == r.jack] != LOST_CODE
            and beats(t, card, LANE if r.trumps else 0, <AnyProof*>NULL))


cdef inline int lead_score(const Search* s, cards_t card, const Scene* z, const Proof* kind) noexcept nogil:
    """How promising a lead looks; only the order depends on it, never the result."""
    cdef const Rules* r = s.rules
    cdef const int* w = &WEIGHTS[z.mode][0]
    cdef cards_t lane = lane_of(card), above = lane & ~((card << 1) - 1)
    cdef bint trumps = with_trumps(r, kind)
    cdef int seat, rank = lowest_index(card) & 15, score, points = r.value[lowest_index(card)] if Proof is PointProof else 0
    cdef cards_t enemy_trumps = z.enemies & LANE if trumps else 0
    if trumps and lane & LANE:
        if not z.live & above:
            return w[TOP_TRUMP]
        if not z.enemies & above:
            return w[OUR_TOP_TRUMP] - rank
        score = (w[TRUMP] if enemy_trumps else w[IDLE_TRUMP]) - w[TRUMP_RANK] * rank - w[TRUMP_POINTS] * points
        if Proof is PointProof:
            score += w[TRUMP_LENGTH] * count(z.mine & LANE) - w[ENEMY_TRUMPS] * count(enemy_trumps)
        return score
    if not z.enemies & above:
        # Our side has the highest card that is left.
        if not z.live & above:
            score = w[TOP] + rank
        else:
            score = w[PARTNERS_TOP] - w[ENEMY_LENGTH] * count(z.enemies & lane) - rank
        if enemy_trumps:
            score -= w[MAY_BE_RUFFED]
            if not z.next_hand & lane and z.next_hand & LANE:
                score -= w[NEXT_RUFFS]
        if Proof is AnyProof and z.mode == PLAIN_ALONE:
            for seat in range(seats(r, kind)):
                score += w[FOLLOWERS] * (s.hand[seat] & lane & z.enemies != 0)
        return score + w[TOP_LENGTH] * count(z.mine & lane)
    score = w[LOW] - w[LOW_RANK] * rank
    if Proof is AnyProof:
        if z.mode == PLAIN_ALONE:
            score += w[MAY_LOSE] * z.may_lose
            for seat in range(seats(r, kind)):
                score += w[BEATERS] * (s.hand[seat] & above & z.enemies != 0)
    if trumps and z.partners & LANE and not z.partners & lane:
        score += w[PARTNER_MAY_RUFF] if enemy_trumps else w[PARTNER_RUFFS]
    elif z.partners & above and top_of(z.live & above) & z.partners:
        score += w[TO_PARTNERS_TOP]
    if trumps and z.mine & LANE and not z.mine & lane & ~card:
        score += w[SINGLETON]
    return score - w[LEAD_POINTS] * points + w[LOW_LENGTH] * count(z.mine & lane)


cdef inline int follow_score(const Search* s, cards_t card, bint wins, const Trick* t, const Scene* z,
                             const Proof* kind) noexcept nogil:
    """How promising a card to a trick looks; only the order depends on it, never the result."""
    cdef const Rules* r = s.rules
    cdef int index = lowest_index(card), score
    cdef cards_t lane = <cards_t>LANE << (index & 0x30)
    cdef bint sure
    cdef int deed
    cdef const int* w
    if Proof is PointProof:
        sure = not beaten_by(r, card, z.threats)
    else:
        sure = z.last | (z.live & lane & (0 - (card << 1)) == 0)
    deed = 3 * <int>z.standing + LOSES - wins * (1 + sure)
    w = &DEED_WEIGHTS[z.mode][deed][0]
    score = DEED_SCORES[z.mode][deed][index & 15]
    if Proof is PointProof:
        score += w[ITS_POINTS] * r.value[index] + w[TRICK_POINTS] * t.points
    if Proof is not PlainProof:
        score += w[TRUMPS] * (card & (z.trumps if wins else z.losing_trumps) != 0)
    if Proof is AnyProof:
        if z.his & lane & (card - 1) and not card & t.led:
            score += WEIGHTS[z.mode][ABOVE_HIS]
    return score + WEIGHTS[z.mode][DISCARD_LENGTH] * count(z.mine & lane) * ((not wins) & (card & t.led == 0))


cdef inline bint beaten_by(const Rules* r, cards_t card, cards_t cards) noexcept nogil:
    """Whether one of `cards`, which follow suit or ruff, beats a card."""
    cdef cards_t higher = lane_of(card) & (0 - (card << 1))
    if r.trumps and not card & LANE:
        higher |= LANE
    return cards & higher != 0


cdef inline void look_ahead(const Search* s, Scene* z, const Trick* t, int laid, int seat, int side) noexcept nogil:
    """What the players to come can do to a trick."""
    cdef const Rules* r = s.rules
    cdef cards_t help = 0, cards
    cdef int i, k = seat
    for i in range(laid + 1, r.players):
        k = next_seat(r, k)
        cards = s.hand[k] & t.led
        if r.trumps and t.call != MUST and (r.ruff_when_able or not cards):
            cards |= s.hand[k] & LANE
        if ((side >> seat) & 1) == ((side >> k) & 1):
            help |= cards
        else:
            z.threats |= cards
    if z.standing == PARTNER:
        if beaten_by(r, t.best, z.threats):
            z.standing = BEATABLE_PARTNER
    elif beaten_by(r, t.best, help):
        z.standing = BEATABLE_ENEMY


cdef inline void set_scene(const Search* s, Scene* z, const Frame* f, const Trick* t, int laid, int seat,
                           const Proof* kind) noexcept nogil:
    """Look around before the moves of a player are scored."""
    cdef const Rules* r = s.rules
    cdef int i, side = f.side
    z.his = 0
    if Proof is PlainProof:
        z.mode = COUNT_PLAIN
    elif Proof is RuffProof:
        z.mode = COUNT_RUFFS
    elif Proof is PointProof:
        z.mode = POINTS_MUST_RUFF if r.must_ruff else POINTS_MAY_RUFF if r.ruff_when_able else POINTS_FREE
    else:
        z.mode = RUFF_ANYTHING if r.trumps else PLAIN_ANYTHING
        if z.mode == PLAIN_ANYTHING and side & (side - 1) == 0 and not f.lone:
            z.mode = PLAIN_ALONE
            z.his = s.hand[lowest_index(side)]
    z.live = f.live
    z.mine = s.hand[seat]
    z.partners = z.enemies = z.next_hand = 0
    z.last = laid == seats(r, kind) - 1
    z.standing = ENEMY
    z.threats = 0
    z.ruffing = z.losing_trumps = LANE if with_trumps(r, kind) else 0
    if laid:
        z.trumps = z.losing_trumps & ~t.led
        if Proof not in TrickProof and t.call == MUST:
            z.ruffing = 0
        if ((side >> seat) & 1) == ((side >> t.best_seat) & 1):
            z.standing = PARTNER
        if Proof is PointProof:
            look_ahead(s, z, t, laid, seat, side)
    elif not f.lone:
        for i in range(seats(r, kind)):
            if ((side >> i) & 1) != ((side >> seat) & 1):
                z.enemies |= s.hand[i]
            elif i != seat:
                z.partners |= s.hand[i]
        z.next_hand = s.hand[seat + 1 if seat + 1 < seats(r, kind) else 0]
        if Proof is AnyProof and z.mode == PLAIN_ALONE:
            z.may_lose = r.next[f.state][f.trick][0 if seat else 1][0] != LOST_CODE


cdef int list_moves(Search* s, Move* moves, cards_t cards, const Frame* f, const Trick* t, int laid, int seat,
                    int* place, const CardProof* kind) noexcept nogil:
    """Write the moves with their scores."""
    cdef int n = 0, cut, index, best = lowest_index(t.best) if laid else 0
    cdef cards_t card
    cdef Scene z
    set_scene(s, &z, f, t, laid, seat, kind)
    place[0] = situation(s, seat, laid, t, cards)
    cut = s.cut[place[0]] - 1 if on(CUTS) else -1
    while cards:
        card = cards & (0 - cards)
        cards ^= card
        index = lowest_index(card)
        moves[n].card = card
        moves[n].call = NO_CALL
        if CardProof is AnyProof and f.lone:
            moves[n].score = dry_score(s.rules, s.hand[lowest_index(f.side)], lowest_index(f.side), card, seat, laid, t)
            if laid and pays(s.rules, f, seat, card, t):
                moves[n].score = 300
        elif laid:
            moves[n].score = follow_score(s, card, beats(t, card, z.ruffing, kind), t, &z, kind)
        else:
            moves[n].score = lead_score(s, card, &z, kind)
            if card == f.move:
                moves[n].score += FIRST_OF_ALL
        moves[n].score += WEIGHTS[z.mode][LAST_CUT] * (index == cut)
        if CardProof is PointProof:
            moves[n].score += s.history[seat][best][index] * WEIGHTS[z.mode][HISTORY] >> 9
        n += 1
    return n


cdef struct Run:            # cards of one hand with no other live card between them, where only ranks count
    cards_t cards
    cards_t card            # the one that is tried for all
    int score


cdef inline int list_runs(const Search* s, Run* runs, cards_t cards, const Frame* f, const Trick* t, int laid, int seat,
                          int* place, const TrickProof* kind) noexcept nogil:
    """`list_moves` where cards differ by their ranks alone."""
    cdef int n = 0
    cdef bint wins
    cdef cards_t card, run, last_cut, bars = (f.live & ~s.hand[seat]) | LANE_ENDS, bar
    cdef Scene z
    card = lowest_of(cards)
    run = cards & (lowest_of(bars & (0 - (card << 1))) - 1)
    if run == cards and (on(RUNS) or run == card):
        runs[0].cards = run
        runs[0].card = card
        return 1
    set_scene(s, &z, f, t, laid, seat, kind)
    place[0] = situation(s, seat, laid, t, cards)
    last_cut = <cards_t>1 << (s.cut[place[0]] - 1 & 63) if on(CUTS) else 0     # no card has the last place
    while True:
        card = lowest_of(cards)
        bar = lowest_of(bars & (0 - (card << 1)))
        run = cards & (bar - 1) if on(RUNS) else card
        cards ^= run
        # Of cards that win the highest is tried, whose proof uses the fewest ranks.
        wins = beats(t, card, z.ruffing, kind) if laid else bar & LANE_ENDS != 0
        if wins:
            card = top_of(run)
        runs[n].cards = run
        runs[n].card = card
        if laid:
            runs[n].score = follow_score(s, card, wins, t, &z, kind)
        else:
            runs[n].score = lead_score(s, card, &z, kind)
            if run & f.move:
                runs[n].score += FIRST_OF_ALL
        runs[n].score += WEIGHTS[z.mode][LAST_CUT] * (run & last_cut != 0)
        n += 1
        if not cards:
            return n


cdef inline void bring_best(Move* moves, int i, int n) noexcept nogil:
    """Exchange move `i` with the best of those not tried yet."""
    cdef int j, best = i
    cdef Move m
    for j in range(i + 1, n):
        best = j if moves[j].score > moves[best].score else best
    if best != i:
        m = moves[i]
        moves[i] = moves[best]
        moves[best] = m


# ---------------------------------------------------------------------------------------------------------
# 7. The search.  Each function answers "does the declaring side get at least `need`?" and returns a bound on
#    the value: at least `need` when yes (then the value is no less), below it when no (then it is no more).
#    It leaves the proof of its answer in `proof`.

cdef void look(Search* s) noexcept nogil:
    """Several times a millisecond: see whether anybody wants us to stop; every few, let Python see its signals."""
    if s.plays >= s.limit:
        s.over = s.aborted = True
    elif s.stop[0]:
        s.aborted = True
    elif (s.next_look >> 10) & 0x7F == 0x7F:
        look_for_signals(s)
    s.next_look = min(s.plays + 1024, s.limit)


cdef void look_for_signals(Search* s) noexcept with gil:
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        (<Table>s.table).raised = error
        s.aborted = True


cdef inline void put(Trick* now, const Trick* t, int laid, cards_t card, int seat,
                     const TrickProof* kind) noexcept nogil:
    """`lay` to a copy of a trick, or `lead` to a new one, where cards differ by their ranks alone.

    A copy of the whole at once would have to wait for what has just been written in parts.
    """
    cdef bint wins = not laid or beats(t, card, LANE, kind)
    now.led = t.led if laid else lane_of(card)
    now.played = t.played | card if laid else card
    now.best = card if wins else t.best
    now.best_seat = seat if wins else t.best_seat


cdef int last_trick(Search* s, int leader, cards_t live, TrickProof* proof) noexcept nogil:
    """The last trick plays itself."""
    cdef cards_t rivals = live & LANE if TrickProof is RuffProof else 0
    if not rivals:
        rivals = live & lane_of(s.hand[leader])
    s.plays += 4
    proof.rel = top_of(rivals) if rivals & (rivals - 1) else 0
    return (s.rules.side[0] >> owner(s.hand, top_of(rivals))) & 1


cdef int trick_value(Search* s, int leader, int state, int trick, int rest, int need, Proof* proof) noexcept nogil:
    """The rest of the game from the start of a trick; `rest` is the points not yet won."""
    cdef const Rules* r = s.rules
    cdef int left = s.end - trick, side = r.side[state], avoid = 0, n, i, v, seat, move
    cdef int place, best, owe = 0
    cdef bint dry = False, by_gaps = False, call_live, must_only
    cdef cards_t live = s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3], cards, first = 0
    cdef Move[MAX_MOVES] moves
    cdef Key key
    cdef Cards listed
    cdef Frame f
    cdef Trick t

    call_live = Proof not in TrickProof and r.called != 0 and (live & r.called) != 0
    if with_counting(r, proof):
        use_nothing(proof)
        if left == 0:
            return 0
        if need > rest:
            return rest
        if need <= 0 and not call_live:
            return 0
    if Proof is AnyProof:
        if not r.counting:
            avoid = r.avoid[state][trick]
            dry = r.shun[state][trick] != 0
            owe = r.owe[state][trick]
            by_gaps = r.by_gaps[state][trick]
            if r.jack_seats[state][trick]:
                cards = 0
                for i in range(r.players):
                    if (r.jack_seats[state][trick] >> i) & 1:
                        cards |= s.hand[i]
                if not cards & r.jack:
                    # Nobody can win a trick with the jack who would have to.
                    proof.rel = closed(live & r.jack) & live
                    use_suits(proof, LANE)
                    return LOSS

    # The last trick plays itself.
    if Proof in TrickProof:
        if s.plays >= s.next_look:
            look(s)
            if s.aborted:
                return 0
        if left == 1:
            return last_trick(s, leader, live, proof)
    elif left == 1 and not call_live:
        lead(r, &t, s.hand[leader], leader, NO_CALL)
        seat = leader
        for i in range(1, r.players):
            seat += 1
            if seat == r.players:
                seat = 0
            lay(r, &t, s.hand[seat], seat)
        s.plays += r.players
        f.state = state
        f.side = side
        f.trick = trick
        f.rest = rest
        f.need = need
        f.his = s.hand[lowest_index(side)] if by_gaps and on(GAPS) else 0
        return trick_end(s, &f, &t, proof)

    for i in range(4):
        s.suits.length[i] = counts(s.hand[i])
    if Proof is PointProof:
        # The table is large and takes long to answer, so it is asked before the answer is needed.
        find_bucket(s, leader, state, live, False, &key)
        prefetch(key.bucket)
    if not call_live:
        v = known_value(s, leader, state, side, trick, avoid, dry, rest, need, live, proof)
        if v != UNKNOWN:
            if by_gaps:
                proof.rel = closed(proof.rel) & live
            if r.counting:
                use_suits(proof, ALL_CARDS)
            return v

    if Proof is AnyProof and owe and not (dry or call_live):
        i = lowest_index(side)
        dry = wins_with_a_trump(r, s.hand, i, live & ~s.hand[i])

    # Has this position been seen, or one that differs only where it does not matter?
    if Proof is not PointProof:
        find_bucket(s, leader, state, live, by_gaps, &key)
    listed.listed = False
    if recall(s, &key, &listed, rest, need, &v, proof, &move) and on(TABLE):
        return v
    if move != NO_MOVE:
        cards = s.hand[leader] & (<cards_t>LANE << (16 * (move >> 4)))
        for i in range(move & 15):
            cards ^= top_of(cards)
        first = top_of(cards)

    if Proof is PointProof:
        if r.trumps and live & LANE and not call_live:
            v = known_in_trump_tricks(s, side, trick, left, rest, need, live, proof)
            if v != UNKNOWN:
                return v

    f.live = live
    f.move = first
    f.state = state
    f.side = side
    f.trick = trick
    f.rest = rest
    f.need = need
    f.his = s.hand[lowest_index(side)] if by_gaps and on(GAPS) else 0
    f.dry = dry
    f.lone = dry or owe != 0
    if Proof in TrickProof:
        best = try_runs(s, &f, NULL, 0, leader, proof)
    else:
        cards = lead_moves(r, s.hand[leader], leader, side, trick, call_live, &must_only)
        if Proof is AnyProof:
            if f.lone and not (side >> leader) & 1 and not call_live:
                cards &= promising_leads(s, &f, leader, avoid, owe)
                if s.aborted:
                    return 0
                if not cards:
                    use_suits_only(proof)
                    return WIN
            elif dry and (side >> leader) & 1:
                cards = dry_moves(s, cards, leader, NULL, 0, side, avoid == side)
                if not cards:
                    use_suits_only(proof)
                    return LOSS
                if avoid == side and not (r.trumps and s.hand[leader] & LANE) and on(THREATS):
                    if some_lead_is_dry(s, s.hand, leader, left):
                        use_suits_only(proof)
                        return WIN
        n = list_moves(s, moves, cards, &f, NULL, 0, leader, &place, proof)
        if Proof is AnyProof and dry and avoid == side and (side >> leader) & 1 and left >= LONG:
            for i in range(n):
                moves[i].score -= danger_after(s, leader, leader, moves[i].card, left)
        if call_live and leader == r.declarer:
            n = add_calls(r, moves, n, must_only)
        best = try_moves(s, moves, n, &f, NULL, 0, leader, place, proof)
    if s.aborted:
        return 0

    # What legality depends on is relevant too.
    if not on(PATTERNS):
        proof.rel = live
    elif Proof in TrickProof:
        proof.rel = closed(proof.rel) & live
    else:
        if r.ranked_trumps:
            proof.rel |= live & LANE
        proof.rel |= live & r.special
        if Proof is AnyProof and f.lone:
            proof.led = ALL_CARDS
        proof.rel = (closed_in_gaps(proof.rel, f.his) if by_gaps else closed(proof.rel)) & live
    move = (lowest_index(f.move) & 0x30) | count(s.hand[leader] & lane_of(f.move) & ~((f.move << 1) - 1))
    remember(s, &key, &listed, rest, need, best, proof, move)
    return best


cdef int try_moves(Search* s, Move* moves, int n, Frame* f, const Trick* t, int laid, int seat, int place,
                   CardProof* proof) noexcept nogil:
    """Try the moves of one player in order of promise until one settles the question for him.

    A move that fails also speaks for others of its suit: read its proof with the two cards exchanged.  That is
    sound when neither rank is relevant, or when no foreign card lies between them, so that nothing but their
    points can tell them apart; then the lower rank becomes relevant.  Where the gaps between the cards of a lone player
    count, both must lie in the same one.

    A discard that fails speaks for all others when neither suit is led in its proof.  (Not where a lone player who must
    not win leaves out moves because of what he knows of all suits.)
    """
    cdef const Rules* r = s.rules
    cdef bint maximise = (f.side >> seat) & 1
    cdef int i, j, v, w, best = -NO_BOUND if maximise else NO_BOUND
    cdef cards_t card, other, foreign = f.live & ~s.hand[seat], walls = 0, relevant, between, low
    cdef cards_t rel = 0, led = 0, alw = ~<cards_t>0, som = 0   # of all proofs of failure together
    cdef cards_t idle = 0       # suits from which one card is as good as another
    cdef Trick now
    if CardProof is AnyProof and f.his:
        walls = foreign if maximise else f.his      # must not lie between two cards that are exchanged
    for i in range(n):
        bring_best(moves, i, n)
        card = moves[i].card
        if not card:
            break
        if laid:
            now = t[0]
            lay(r, &now, card, seat)
        else:
            lead(r, &now, card, seat, moves[i].call)
        s.hand[seat] ^= card
        s.plays += 1
        v = play_value(s, f, &now, laid + 1, next_seat(r, seat), proof)
        s.hand[seat] ^= card
        if s.aborted:
            return 0
        if (v >= f.need) == maximise:
            if not laid:
                f.move = card
            s.cut[place] = <uint8_t>(lowest_index(card) + 1)
            if with_points(proof) and s.end - f.trick > 3 and on(PRAISE):
                praise(s, moves, i, seat, lowest_index(t.best) if laid else 0, s.end - f.trick)
            return v
        if (v > best) == maximise and v != best:
            best = v
            if not laid:
                f.move = card
        rel |= proof.rel
        if CardProof is AnyProof:
            led |= proof.led
        if CardProof is PointProof:
            alw &= proof.alw
            som |= proof.som
        if card & r.special or not on(SIBLINGS):
            continue
        relevant = proof.rel | (f.live & LANE if r.ranked_trumps else 0)
        relevant = closed_in_gaps(relevant, f.his) if CardProof is AnyProof and f.his else closed(relevant)
        if CardProof is AnyProof:
            idle = 0
            if laid and not f.lone and on(UNLED):
                idle = ~(proof.led | r.special | (LANE if r.trumps else 0))
                idle = idle if card & idle else 0
        for j in range(i + 1, n):
            other = moves[j].card
            if CardProof is AnyProof:
                if other & idle:
                    moves[j].card = 0
                    moves[j].score = -NO_BOUND
                    continue
            if not other & lane_of(card) or other & r.special or moves[j].call != moves[i].call:
                continue
            low = min(card, other)
            between = (max(card, other) - 1) & ~(low | (low - 1))
            if walls & between:
                continue
            if not (card | other) & relevant:
                low = 0
            elif foreign & between:
                continue
            w = v
            if CardProof is PointProof:
                w = exchanged(r, v, maximise, card, other, proof)
                if (w >= f.need) == maximise:
                    continue
                if ((proof.alw & card) != 0) != ((proof.alw & other) != 0):
                    alw &= ~(card | other)
                if proof.som & (card | other):
                    som |= exchange(proof.som, card, other)
            rel |= low
            if (w > best) == maximise and w != best:
                best = w
                if not laid:
                    f.move = card
            moves[j].card = 0
            moves[j].score = -NO_BOUND
    proof.rel = rel
    if CardProof is AnyProof:
        proof.led = led
    if CardProof is PointProof:
        proof.alw = alw
        proof.som = som
    return best


cdef int try_runs(Search* s, Frame* f, const Trick* t, int laid, int seat, TrickProof* proof) noexcept nogil:
    """`try_moves` and `play_value` where cards differ by their ranks alone: one is tried of each run of equal cards.

    The proof for one card of a run that failed is good for all when their lowest rank is relevant with any other.
    """
    cdef const Rules* r = s.rules
    cdef int n, j, k = 0, v, place = 0
    cdef bint maximise = (f.side >> seat) & 1, skipped
    cdef int best = -NO_BOUND if maximise else NO_BOUND
    cdef cards_t card, low, hand = s.hand[seat], cards = hand, relevant, others
    cdef Run[TRICKS] runs
    cdef TrickProof p
    cdef Trick now
    if laid and hand & t.led:
        cards = hand & t.led
    n = list_runs(s, runs, cards, f, t, laid, seat, &place, proof)
    for j in range(1, n):
        k = j if runs[j].score > runs[k].score else k
    proof.rel = 0
    while True:
        card = runs[k].card
        put(&now, t, laid, card, seat, proof)
        s.hand[seat] = hand ^ card
        s.plays += 1
        if laid < 3:
            v = try_runs(s, f, &now, laid + 1, (seat + 1) & 3, &p)
        else:
            v = finish(s, f, &now, &p)
        s.hand[seat] = hand
        if s.aborted:
            return 0
        if (v >= f.need) == maximise:
            proof.rel = p.rel
            if n > 1:
                s.cut[place] = <uint8_t>(lowest_index(card) + 1)
            if not laid:
                f.move = card
            return v
        if (v > best) == maximise and v != best:
            best = v
            if not laid:
                f.move = card
        relevant = closed(p.rel)
        low = lowest_of(runs[k].cards)
        others = 0
        if relevant & runs[k].cards:
            proof.rel |= low
        else:
            # Its rank did not matter, so it speaks for the others of its suit whose ranks do not matter.
            others = lane_of(low) & ~relevant if on(SIBLINGS) else 0
        proof.rel |= p.rel
        if n == 1:
            return best
        runs[k].score = TRIED
        for j in range(n):
            low = lowest_of(runs[j].cards)
            skipped = low & others != 0
            proof.rel |= low if skipped & (runs[j].cards & relevant != 0) else 0
            runs[j].score = TRIED if skipped else runs[j].score
            k = j if runs[j].score > runs[k].score else k
        if runs[k].score == TRIED:
            return best


cdef inline int finish(Search* s, const Frame* f, const Trick* t, TrickProof* proof) noexcept nogil:
    """`trick_end` where cards differ by their ranks alone."""
    cdef bint ours = (f.side >> t.best_seat) & 1
    cdef cards_t rivals = t.played & lane_of(t.best)
    cdef int v = ours + trick_value(s, t.best_seat, 0, f.trick + 1, f.rest - 1, f.need - ours, proof)
    if rivals & (rivals - 1):
        proof.rel |= t.best
    return v


cdef inline void praise(Search* s, const Move* moves, int i, int seat, int best, int left) noexcept nogil:
    """Move `i` cut off and those before it did not: keep that in mind, the more the higher in the tree."""
    cdef int j, index, bonus = 16 * left * left
    for j in range(i + 1):
        if moves[j].card:
            index = lowest_index(moves[j].card)
            if j == i:
                s.history[seat][best][index] += <int16_t>(bonus - s.history[seat][best][index] * bonus // 16384)
            else:
                s.history[seat][best][index] -= <int16_t>(bonus + s.history[seat][best][index] * bonus // 16384)


cdef inline cards_t exchange(cards_t x, cards_t a, cards_t b) noexcept nogil:
    """A set with two cards exchanged."""
    if ((x & a) != 0) != ((x & b) != 0):
        return x ^ a ^ b
    return x


cdef inline int exchanged(const Rules* r, int v, bint maximise, cards_t card, cards_t other,
                          const PointProof* p) noexcept nogil:
    """The value that the proof of a failed move shows for the other card played in its place."""
    cdef int d = r.value[lowest_index(other)] - r.value[lowest_index(card)], change = 0
    if d > 0:
        change = d * ((p.alw & card) != 0) - d * ((p.som & other) != 0)
    elif d < 0:
        change = d * ((p.som & card) != 0) - d * ((p.alw & other) != 0)
    return v - change if maximise else v + change


cdef int add_calls(const Rules* r, Move* moves, int n, bint must_only) noexcept nogil:
    """Make two moves, *must* and *need not*, of each lead of the protected suit."""
    cdef int i, k = n
    for i in range(n):
        if moves[i].card & r.called_lane:
            moves[i].call = MUST
            if not must_only:
                moves[k] = moves[i]
                moves[k].call = NEED_NOT
                moves[k].score -= 5
                k += 1
    return k


cdef inline int next_seat(const Rules* r, int seat) noexcept nogil:
    return seat + 1 if seat + 1 < r.players else 0


cdef int play_value(Search* s, Frame* f, const Trick* t, int laid, int seat, CardProof* proof) noexcept nogil:
    """The value in the middle of a trick, `seat` to play."""
    cdef const Rules* r = s.rules
    cdef int n, place, v, i
    cdef cards_t cards
    cdef Move[MAX_MOVES] moves
    cdef Trick now

    if laid == r.players:
        return trick_end(s, f, t, proof)
    if s.plays >= s.next_look:
        look(s)
        if s.aborted:
            return 0
    cards = legal(r, s.hand[seat], t, seat, f.side)
    if not cards & (cards - 1):
        now = t[0]
        lay(r, &now, cards, seat)
        s.hand[seat] ^= cards
        s.plays += 1
        v = play_value(s, f, &now, laid + 1, next_seat(r, seat), proof)
        s.hand[seat] ^= cards
    else:
        if CardProof is AnyProof:
            if f.dry and (f.side >> seat) & 1:
                cards = dry_moves(s, cards, seat, t, laid, f.side, r.avoid[f.state][f.trick] == f.side)
                if not cards or cards == ALL_CARDS:
                    use_nothing(proof)
                    if not f.his:
                        proof.rel = f.live
                    return WIN if cards else LOSS
        n = list_moves(s, moves, cards, f, t, laid, seat, &place, proof)
        if CardProof is AnyProof:
            if f.dry and not (f.side >> seat) & 1 and s.end - f.trick >= LONG:
                for i in range(n):
                    moves[i].score += danger_after(s, lowest_index(f.side), seat, moves[i].card, s.end - f.trick - 1)
        v = try_moves(s, moves, n, f, t, laid, seat, place, proof)
    if r.partner_exempt and t.played & lane_of(t.best) != t.best:
        # Who is winning so far has decided what was legal, so the rank that wins is relevant.
        proof.rel |= t.best
    return v


cdef int trick_end(Search* s, const Frame* f, const Trick* t, CardProof* proof) noexcept nogil:
    """Give the trick to its winner and go on; when it decides the contract, say so."""
    cdef const Rules* r = s.rules
    cdef int next = r.next[f.state][f.trick][t.best_seat][1 if t.best == r.jack else 0]
    cdef int points, gain, v
    cdef bint ours = (f.side >> t.best_seat) & 1
    cdef cards_t rivals = t.played & lane_of(t.best), floor
    if t.lost or next >= MADE_CODE:
        use_nothing(proof)
        v = WIN if next == MADE_CODE and not t.lost else LOSS
    elif not with_counting(r, proof):
        v = trick_value(s, t.best_seat, next, f.trick + 1, 0, f.need, proof)
        if CardProof is AnyProof and r.by_gaps[next][f.trick + 1] != (f.his != 0):
            # What is closed in gaps only says nothing to a proof that does not know them.
            proof.rel = (closed(proof.rel) if f.his else ALL_CARDS) & f.live & ~t.played
    else:
        points = t.points + r.trick_points
        if f.trick + 1 == s.end:
            points += r.last_points
        gain = points if ours else 0
        v = gain + trick_value(s, t.best_seat, 0, f.trick + 1, f.rest - points, f.need - gain, proof)
        if CardProof is PointProof:
            if ours == (v >= f.need):
                proof.alw |= t.played
                proof.som |= t.played
    if CardProof is AnyProof and f.his:
        # Of cards in different gaps it is known which is higher.
        floor = f.his & lane_of(t.best) & (t.best - 1)
        if floor:
            rivals &= ~((top_of(floor) << 1) - 1)
        if t.best & f.his:
            rivals = 0
    if rivals & (rivals - 1):
        proof.rel |= t.best
    if CardProof is AnyProof:
        proof.led |= t.led
    return v


# ---------------------------------------------------------------------------------------------------------
# 8. The entry points

cdef int value_at_trick(Search* s, int leader, int state, int trick, int rest, int need) noexcept nogil:
    """`trick_value` for any kind of question."""
    cdef PlainProof plain
    cdef RuffProof ruff
    cdef PointProof points
    cdef AnyProof anything
    if s.rules.kind == PLAIN_TRICKS:
        return trick_value(s, leader, state, trick, rest, need, &plain)
    if s.rules.kind == RUFF_TRICKS:
        return trick_value(s, leader, state, trick, rest, need, &ruff)
    if s.rules.kind == CARD_POINTS:
        return trick_value(s, leader, state, trick, rest, need, &points)
    return trick_value(s, leader, state, trick, rest, need, &anything)


cdef int value_in_trick(Search* s, const Trick* t, int laid, int seat, int state, int trick, int rest,
                        int need) noexcept nogil:
    """`play_value` for any kind of question."""
    cdef PlainProof plain
    cdef RuffProof ruff
    cdef PointProof points
    cdef AnyProof anything
    cdef Frame f
    f.live = s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3] | t.played
    f.state = state
    f.side = s.rules.side[state]
    f.trick = trick
    f.rest = rest
    f.need = need
    f.his = 0
    f.dry = not s.rules.counting and s.rules.shun[state][trick] != 0
    f.lone = f.dry or not s.rules.counting and s.rules.owe[state][trick] != 0
    if s.rules.kind == PLAIN_TRICKS:
        return try_runs(s, &f, t, laid, seat, &plain) if laid < 4 else finish(s, &f, t, &plain)
    if s.rules.kind == RUFF_TRICKS:
        return try_runs(s, &f, t, laid, seat, &ruff) if laid < 4 else finish(s, &f, t, &ruff)
    if s.rules.kind == CARD_POINTS:
        return play_value(s, &f, t, laid, seat, &points)
    return play_value(s, &f, t, laid, seat, &anything)


cdef class Spec:
    """A contract with its seats, encoded for the search.

    Built by `pandoer.solver` from validated data; see `Rules` for the fields.
    """

    cdef Rules rules
    cdef uint8_t[64] decode_bit     # public index of each card of the search

    def __cinit__(self, *, int players, int declarer, int partner, int trump, play, orders, card_points,
                  int last_points, int trick_points, counts, called, bint needs_jack,
                  const uint8_t[:] next, const uint8_t[:] side, const uint8_t[:] avoid, const uint8_t[:] shun,
                  const uint8_t[:] jack, const uint8_t[:] owe, const uint8_t[:] must, const uint8_t[:] enough,
                  const uint8_t[:] share):
        """`orders`: nine rank numbers a suit, low to high; `card_points`: nine numbers a suit by rank."""
        cdef int suit, lane, rank, i, bits, place
        cdef int[9] order
        cdef Rules* r = &self.rules
        memset(r, 0, sizeof(Rules))
        r.players = players
        r.declarer = declarer
        r.partner = partner
        r.trumps = trump >= 0
        r.ruff_when_able = play.ruff_when_able
        r.undertrump = ("free", "no-higher", "forced", "void").index(play.undertrump)
        r.beat_led_trump = play.beat_led_trump
        r.jack_exempt = play.jack_exempt and trump >= 0
        r.trump_leads = play.trump_leads
        r.must_ruff = play.must_ruff
        r.partner_exempt = play.partner_exempt
        r.first_lead_trump = play.first_lead_trump
        r.ranked_trumps = trump >= 0 and (
            r.undertrump != FREE or r.beat_led_trump or r.must_ruff or play.jack_exempt or needs_jack
        )
        r.counting = counts is not None
        r.valued = counts == "points"
        r.last_points = last_points
        r.trick_points = trick_points
        lanes = [s for s in range(4) if s != trump]
        if trump >= 0:
            lanes.insert(0, trump)
        for lane, suit in enumerate(lanes):
            r.lane_shift[suit] = 16 * lane
            for place in range(9):
                rank = orders[suit][place]
                order[place] = rank
                self.decode_bit[16 * lane + place] = 16 * suit + rank
                if r.valued:
                    r.value[16 * lane + place] = card_points[suit][rank]
            for bits in range(512):
                for place in range(9):
                    if bits >> order[place] & 1:
                        r.encode_lane[suit][bits] |= <uint16_t>(1 << place)
        if trump >= 0 and (play.jack_exempt or needs_jack):
            r.jack = encode(r, <cards_t>1 << (16 * trump + 5))
        if called is not None:
            r.called = encode(r, <cards_t>1 << <int>called)
            r.called_lane = lane_of(r.called)
        r.special = r.jack | r.called
        strict = not (r.ruff_when_able or r.must_ruff or r.first_lead_trump or r.trump_leads or r.ranked_trumps)
        if r.valued:
            r.kind = CARD_POINTS
        elif not r.counting or players != 4 or r.special or trump >= 0 and not strict:
            r.kind = ANYTHING
        else:
            r.kind = RUFF_TRICKS if r.trumps else PLAIN_TRICKS
        if r.valued:
            for i, worth in enumerate(sorted({r.value[place] for place in range(64)})):
                r.worths[i] = worth
                for place in range(64):
                    if r.value[place] == worth:
                        r.worth[i] |= <cards_t>1 << place
        for i in range(STATES * TRICKS * 8):
            (&r.next[0][0][0][0])[i] = next[i]
        for i in range(STATES * TRICKS):
            (&r.avoid[0][0])[i] = avoid[i]
            (&r.shun[0][0])[i] = shun[i]
            (&r.jack_seats[0][0])[i] = jack[i]
            (&r.owe[0][0])[i] = owe[i]
            (&r.must[0][0])[i] = must[i]
            (&r.enough[0][0])[i] = enough[i]
            (&r.share[0][0])[i] = share[i]
        for i in range(STATES):
            for trick in range(TRICKS):
                # It does not pay for the last trick alone.
                near = [t for t in (trick - 1, trick, trick + 1) if 0 <= t < TRICKS and r.shun[i][t] | r.owe[i][t]]
                r.by_gaps[i][trick] = trick in near and len(near) > 1
        for i in range(STATES):
            r.side[i] = side[i]


cdef void prepare(Search* s, Spec spec, Table table, int end, const int32_t[::1] stop) noexcept:
    """Set up a search in a table; the hands are still to be filled in."""
    s.buckets = table.buckets
    s.values = table.values
    s.loose = table.loose
    # Counts of tricks gain nothing from more entries than stay in the processor's cache.
    s.bucket_bits = (min(table.bits, TRICK_BITS) if spec.rules.kind in (PLAIN_TRICKS, RUFF_TRICKS) else table.bits) - 3
    s.table = <void*>table
    s.fast_gather = FAST and on(FAST_BITS)
    s.end = end
    s.stop = &stop[0]
    s.limit = NO_LIMIT
    memset(s.hand, 0, sizeof(s.hand))
    begin(s, &spec.rules, table.generation)


cdef inline void begin(Search* s, const Rules* rules, uint16_t generation) noexcept nogil:
    """Begin a new deal: of the order of moves nothing is remembered."""
    s.rules = rules
    s.generation = generation
    s.plays = 0
    s.turn = 0
    s.next_look = min(<int64_t>1024, s.limit)
    s.aborted = s.over = False
    memset(s.cut, 0, sizeof(s.cut))
    if rules.valued:
        memset(s.history, 0, sizeof(s.history))


cdef int points_in(const Search* s, int trick, cards_t live) noexcept nogil:
    """All that can still be won from a position on."""
    cdef const Rules* r = s.rules
    if not r.counting:
        return 0
    return ((sum_values(r, live) if r.valued else 0) + r.trick_points * (s.end - trick)
            + (r.last_points if s.end > trick else 0))


cdef int value_from(Search* s, const Trick* t, int laid, int leader, int state, int trick, int rest,
                    int need) noexcept nogil:
    """The value at the start of a trick, or after a forced lead `t` when `laid` is 1."""
    if laid:
        return value_in_trick(s, t, 1, (leader + 1) % s.rules.players, state, trick, rest, need)
    return value_at_trick(s, leader, state, trick, rest, need)


# What a side of two out of four may expect, in thousandths of what is left: a start, and for each of the highest
# cards of a plain suit and of trumps that it has, from the top; for each of its trumps, and for each by which its
# longest holding is longer than the others'.  Found by regression on the values of random deals.
cdef enum:
    START, PLAIN_TOPS, TRUMP_TOPS = PLAIN_TOPS + 3, EACH_TRUMP = TRUMP_TOPS + 4, LONGER_TRUMPS, EXPECTATION_COUNT

cdef enum:
    PLAIN_EXPECTED, TRICKS_EXPECTED, POINTS_EXPECTED, EXPECTED_COUNT

cdef int[EXPECTED_COUNT][EXPECTATION_COUNT] EXPECTED
for _kind, _row in enumerate((
    (-113, 234, 87, 29, 0, 0, 0, 0, 0, 0),
    (-196, 155, 40, 0, 210, 105, 46, 24, 62, 46),
    (-181, 128, 34, 0, 325, 135, 53, 32, 51, 43),
)):
    for _weight, _value in enumerate(_row):
        EXPECTED[_kind][_weight] = _value


cdef int expectation(const Search* s, int side, int rest) noexcept nogil:
    """What the side may expect; only the order of the questions depends on it, never the result."""
    cdef const Rules* r = s.rules
    cdef const int* w = &EXPECTED[(POINTS_EXPECTED if r.valued else TRICKS_EXPECTED) if r.trumps else PLAIN_EXPECTED][0]
    cdef cards_t left, card, ours = 0, live = 0
    cdef int i, k, length, first, tops, sum = w[START]
    cdef int[2] longest = [0, 0]
    for k in range(4):
        live |= s.hand[k]
        length = count(s.hand[k] & LANE)
        longest[(side >> k) & 1] = max(longest[(side >> k) & 1], length)
        if (side >> k) & 1:
            ours |= s.hand[k]
            sum += length * w[EACH_TRUMP]
    sum += (longest[1] - longest[0]) * w[LONGER_TRUMPS]
    for i in range(4):
        left = live & <cards_t>LANE << (16 * i)
        first = TRUMP_TOPS if i == 0 and r.trumps else PLAIN_TOPS
        tops = EACH_TRUMP - TRUMP_TOPS if first == TRUMP_TOPS else TRUMP_TOPS - PLAIN_TOPS
        for k in range(tops):
            if left:
                card = top_of(left)
                left ^= card
                sum += w[first + k] * (card & ours != 0)
    return (sum * rest + 500) // 1000


cdef int settle(Search* s, const Trick* t, int laid, int leader, int state, int trick, int rest) noexcept nogil:
    """The exact value of `value_from`; `LOSS` when the contract is lost.

    The first question is about what may be expected.  Then the questions move away from it until the value lies
    between two, by single tricks or by more and more points, and bisection finds it.  Of points the question is
    put a little lower than the middle, because a *yes* takes less work than a *no*.
    """
    cdef int low = 0, high = rest, v, need, side = s.rules.side[state], step = 0
    cdef bint below = not on(EXPECTING) or s.rules.players != 4 or count(side) != 2, above = below
    if not s.rules.counting:
        return value_from(s, t, laid, leader, state, trick, rest, 1)
    if s.rules.called:
        v = value_from(s, t, laid, leader, state, trick, rest, 0)
        if v < 0 or s.aborted:
            return LOSS
        low = v
    need = expectation(s, side, rest)
    if s.rules.valued:
        step = rest // 20
    while low < high:
        if below and above:
            need = low + 1 + (high - low - 1) * 2 // 5 if s.rules.valued else (low + high + 1) >> 1
        need = min(max(need, low + 1), high)
        v = value_from(s, t, laid, leader, state, trick, rest, need)
        if s.aborted:
            return 0
        if v >= need:
            below = True
            low = v
            need = low + 1 + step
        else:
            above = True
            high = v
            need = high - step
        step += step // 2
    return low


cdef class Position:
    """A position to search: hands as they stand, cards laid to the trick, whose turn it is.

    Values are what the side still gets from the cards of this trick and the hands; `WIN` (10,000) and `LOSS`
    (-10,000) stand for a contract that is made or lost.
    """

    cdef readonly Spec spec
    cdef readonly int total         # all that can still be won
    cdef Table table
    cdef Search search
    cdef Trick trick
    cdef int leader, laid, seat, state, number
    cdef object stop

    def __cinit__(self, Spec spec, Table table, hands, *, int leader, trick=(), int call=0, int state=0,
                  int number=0, int end=8, stop):
        """`hands` and `trick` in public bits; `call`: 0 none, 1 must, 2 need not."""
        cdef int i
        cdef cards_t card, live = 0
        self.spec = spec
        self.table = table
        self.stop = stop
        table.forget()
        prepare(&self.search, spec, table, end, stop)
        self.leader = leader
        self.state = state
        self.number = number
        self.laid = len(trick)
        for i, hand in enumerate(hands):
            self.search.hand[i] = encode(&spec.rules, hand)
            live |= self.search.hand[i]
        self.seat = leader
        for i, bit in enumerate(trick):
            card = encode(&spec.rules, bit)
            live |= card
            put_next(&spec.rules, &self.trick, i, card, self.seat, call)
            self.seat = (self.seat + 1) % spec.rules.players
        self.total = points_in(&self.search, number, live)

    @property
    def nodes(self):
        """Cards played by the searches so far."""
        return self.search.plays

    @property
    def lost(self):
        """Whether a protected card in this trick has lost the contract."""
        return self.laid > 0 and self.trick.lost

    def moves(self):
        """All legal moves as pairs of public card index and call."""
        cdef Rules* r = &self.spec.rules
        cdef bint must_only = False, call_live
        cdef cards_t cards, card, hand = self.search.hand[self.seat]
        cdef int side = r.side[self.state]
        found = []
        if not hand:
            return found
        call_live = r.called and self.laid == 0 and self.seat == r.declarer and (
            self.search.hand[r.partner] & r.called) != 0
        if self.laid:
            cards = legal(r, hand, &self.trick, self.seat, side)
        else:
            cards = lead_moves(r, hand, self.seat, side, self.number, call_live, &must_only)
        while cards:
            card = cards & (0 - cards)
            cards ^= card
            index = self.spec.decode_bit[lowest_index(card)]
            if call_live and card & r.called_lane:
                found.append((index, <int>MUST))
                if not must_only:
                    found.append((index, <int>NEED_NOT))
            else:
                found.append((index, <int>NO_CALL))
        return found

    def reaches(self, int need, move=None):
        """A bound on the value: at least `need` when the side gets that much, below it when not.

        With `move`, a pair from `moves`, after that move.
        """
        cdef int v
        cdef Search* s = &self.search
        cdef Trick now
        cdef cards_t card
        cdef int call
        if move is None:
            with nogil:
                if self.laid:
                    v = value_in_trick(s, &self.trick, self.laid, self.seat, self.state, self.number, self.total, need)
                else:
                    v = value_at_trick(s, self.leader, self.state, self.number, self.total, need)
        else:
            card = encode(&self.spec.rules, <cards_t>1 << <int>move[0])
            call = move[1]
            with nogil:
                if self.laid:
                    now = self.trick
                    lay(s.rules, &now, card, self.seat)
                else:
                    lead(s.rules, &now, card, self.seat, call)
                s.hand[self.seat] ^= card
                s.plays += 1
                v = value_in_trick(s, &now, self.laid + 1, (self.seat + 1) % s.rules.players, self.state, self.number,
                                   self.total, need)
                s.hand[self.seat] ^= card
        if s.aborted:
            s.aborted = False
            raise_stopped(self.table)
        return v


cdef raise_stopped(Table table):
    """Raise what a signal raised, or say that the search was told to stop."""
    error, table.raised = table.raised, None
    raise error if error is not None else KeyboardInterrupt


def solve_block(specs, const uint8_t[::1] which, const uint64_t[:, ::1] hands, const int16_t[::1] needs,
                const int64_t[::1] order, *, int leader, int number, int end, int first, int call, bint exact,
                bint keep, int64_t limit, Table table, int16_t[::1] out, int64_t[::1] nodes, const int32_t[::1] stop):
    """Solve many deals at the start of a trick, or after a forced lead, without holding the GIL.

    Parameters
    ----------
    specs
        The specs in use; ``which[i]`` names the one of deal i.
    hands
        ``uint64 [deals, players]`` in public bits.
    needs
        ``int16 [deals]``: what to reach, when not `exact`; ``-32768`` skips a deal.
    order
        ``int64``: the deals to solve, one after the other.
    leader, number, end
        Who leads, the tricks already played, and those of the whole game.
    first, call
        Public index of the card that is led in every deal, -1 for a free lead, and what is said with it: 0 nothing,
        1 must, 2 need not.
    exact
        Find the value itself instead of one answer.
    keep
        Proofs hold for every deal of the same spec: keep them from one to the next.  Not with a `limit`, which is to
        stop the same deals whatever was solved before.
    limit
        Give up a deal after so many cards played, and write -32767; 0 for never.
    out, nodes
        Written: the value (or the bound that answers the question) and the cards played.
    stop
        One number; anything but 0 ends the work with an exception.
    """
    cdef Search s
    cdef Spec spec
    cdef Trick t
    cdef Py_ssize_t i, j
    cdef int k, rest, last = NO_MOVE, laid = first >= 0
    cdef cards_t live, card
    cdef const Rules* rules[MAX_SPECS]
    if len(specs) > MAX_SPECS:
        raise ValueError(f"{len(specs)} specs: expected at most {MAX_SPECS}")
    for k, spec in enumerate(specs):
        rules[k] = &spec.rules
        prepare(&s, spec, table, end, stop)
    if limit > 0:
        s.limit = limit
    with nogil:
        for j in range(order.shape[0]):
            i = order[j]
            if needs[i] == SKIP:
                continue
            if which[i] != last or limit > 0 or not keep or not on(KEEPING):
                table.forget()
                last = which[i]
            begin(&s, rules[which[i]], table.generation)
            live = 0
            for k in range(s.rules.players):
                s.hand[k] = encode(s.rules, hands[i, k])
                live |= s.hand[k]
            rest = points_in(&s, number, live)
            if laid:
                card = encode(s.rules, <cards_t>1 << first)
                lead(s.rules, &t, card, leader, call)
                s.hand[leader] ^= card
                s.plays += 1
            if exact:
                out[i] = <int16_t>settle(&s, &t, laid, leader, 0, number, rest)
            else:
                out[i] = <int16_t>value_from(&s, &t, laid, leader, 0, number, rest, needs[i])
            nodes[i] = s.plays
            if s.over:
                out[i] = GIVEN_UP
                s.aborted = False
            if s.aborted:
                break
    if s.aborted:
        raise_stopped(table)


cdef int value_of_move(Search* s, const Trick* t, int laid, int seat, int state, int trick, int rest, bint exact,
                       int need, int guess) noexcept nogil:
    """The value once the cards of `t` are laid: a bound that answers whether it is at least `need`, or, if `exact`, itself.

    The first question is about `guess`; an exact value is `LOSS` when the contract is lost.
    """
    cdef int low = 0, high = rest, v
    if not exact:
        return value_in_trick(s, t, laid, seat, state, trick, rest, need)
    if s.rules.called:
        low = value_in_trick(s, t, laid, seat, state, trick, rest, 0)
        if low < 0:
            return LOSS
    while low < high and not s.aborted:
        need = min(max(guess, low + 1), high)
        v = value_in_trick(s, t, laid, seat, state, trick, rest, need)
        if v >= need:
            low = v
            guess = low + 1
        else:
            high = v
            guess = high
        if s.rules.valued and guess != low + 1:
            guess = (low + high + 1) >> 1
    return low


def solve_moves(specs, const int8_t[::1] states, const uint8_t[::1] which, const uint64_t[:, ::1] hands,
                const int16_t[::1] needs, const int32_t[:, ::1] moves, *, int leader, const uint64_t[:, ::1] trick, int call,
                int number, int end, bint exact, int64_t limit, Table table, int16_t[:, ::1] out, int64_t[::1] nodes,
                const int32_t[::1] stop):
    """Solve every move of the player to move in many worlds, without holding the GIL.

    All moves of a world, and all worlds of a spec, share their proofs.

    Parameters
    ----------
    specs
        The specs in use.
    states, which
        ``int8 [worlds]`` and ``uint8 [worlds]``: the state of the contract in each world, -1 when it is lost, and its spec.
    hands
        ``uint64 [worlds, players]`` in public bits, the cards still held.
    needs
        ``int16 [worlds]``: what to reach, when not `exact`.
    moves
        ``int32 [moves, 2]``: public index of each card and what is said with it: 0 nothing, 1 must, 2 need not.  They are
        legal in every world.
    leader, trick, call, number, end
        Who led the trick, ``uint64 [worlds, cards]`` of the cards laid to it in public bits, what was said, the tricks
        already played, and those of the whole game.
    exact
        Find the values themselves.
    limit
        Give up a world after so many cards played, and write -32767 for what is not known by then; 0 for never.
    out, nodes
        ``[worlds, moves]`` and ``[worlds]``, written: the values (or the bounds that answer the question), and the cards
        played.
    stop
        One number; anything but 0 ends the work with an exception.
    """
    cdef Search s
    cdef Spec spec
    cdef Trick t, now
    cdef Py_ssize_t i, j, worlds = hands.shape[0]
    cdef int k, rest, seat, guess, v, last = NO_MOVE, laid = <int>trick.shape[1]
    cdef cards_t live, card
    cdef const Rules* rules[MAX_SPECS]
    if len(specs) > MAX_SPECS:
        raise ValueError(f"{len(specs)} specs: expected at most {MAX_SPECS}")
    for k, spec in enumerate(specs):
        rules[k] = &spec.rules
        prepare(&s, spec, table, end, stop)
    if limit > 0:
        s.limit = limit
    with nogil:
        for i in range(worlds):
            nodes[i] = 0
            if states[i] < 0:
                for j in range(moves.shape[0]):
                    out[i, j] = LOSS
                continue
            if which[i] != last or limit > 0:
                table.forget()
                last = which[i]
            begin(&s, rules[which[i]], table.generation)
            live = 0
            for k in range(s.rules.players):
                s.hand[k] = encode(s.rules, hands[i, k])
                live |= s.hand[k]
            seat = leader
            for k in range(laid):
                card = encode(s.rules, trick[i, k])
                live |= card
                put_next(s.rules, &t, k, card, seat, call)
                seat = (seat + 1) % s.rules.players
            rest = points_in(&s, number, live)
            guess = (rest + 1) >> 1
            for j in range(moves.shape[0]):
                card = encode(s.rules, <cards_t>1 << moves[j, 0])
                if laid:
                    now = t
                put_next(s.rules, &now, laid, card, seat, moves[j, 1])
                s.hand[seat] ^= card
                s.plays += 1
                v = value_of_move(&s, &now, laid + 1, (seat + 1) % s.rules.players, states[i], number, rest,
                                  exact, needs[i], guess)
                s.hand[seat] ^= card
                out[i, j] = GIVEN_UP if s.over else <int16_t>v
                guess = max(v, 0)
            nodes[i] = s.plays
            if s.over:
                s.aborted = False
            if s.aborted:
                break
    if s.aborted:
        raise_stopped(table)


def excluded(Spec spec, trick, *, int leader, int call, int number, bint call_live, int seat, int card, int said,
             uint64_t among):
    """The cards `among` others, in public bits, that `seat` cannot hold beside a card that he played.

    A play is legal with a hand if and only if it is with each pair of the card and another of the hand (`PlayRules` with
    `partner_exempt` apart), so these are all that can be told.

    Parameters
    ----------
    spec
        The contract, with `seat` as partner if, and only if, he is known to be it.
    trick, leader, call
        The cards laid before, in public bits; who led, and what he said.
    number
        The tricks already played.
    call_live
        The protected card has not been played.
    seat, card, said
        Who played which card, by its public index, and what he said with it.
    """
    cdef const Rules* r = &spec.rules
    cdef Trick t
    cdef cards_t pair, moves, other, played = encode(r, <cards_t>1 << card)
    cdef uint64_t found = 0, left = among
    cdef bint must_only = False
    cdef int i, at = leader, side = r.side[0]
    for i, bit in enumerate(trick):
        put_next(r, &t, i, encode(r, bit), at, call)
        at = (at + 1) % r.players
    while left:
        other = left & (0 - left)
        left ^= other
        pair = played | encode(r, other)
        if trick:
            moves = legal(r, pair, &t, seat, side)
        else:
            moves = lead_moves(r, pair, seat, side, number, call_live and r.called != 0, &must_only)
            if must_only and played & r.called_lane and said != MUST:
                moves &= ~played
        if not moves & played:
            found |= other
    return found


def legal_in_worlds(specs, const uint8_t[::1] which, const uint64_t[:, ::1] hands, *, int leader,
                    const uint64_t[:, ::1] trick, int call, int number, uint64_t[::1] out):
    """The cards that the player to move may play in each of many worlds, in public bits; see `solve_moves`."""
    cdef Spec spec
    cdef Trick t
    cdef Py_ssize_t i
    cdef int k, seat, side, laid = <int>trick.shape[1]
    cdef cards_t hand, cards
    cdef bint must_only = False
    cdef const Rules* r
    for i in range(hands.shape[0]):
        spec = specs[which[i]]
        r = &spec.rules
        side = r.side[0]
        seat = leader
        for k in range(laid):
            put_next(r, &t, k, encode(r, trick[i, k]), seat, call)
            seat = (seat + 1) % r.players
        hand = encode(r, hands[i, seat])
        if laid:
            cards = legal(r, hand, &t, seat, side) if hand else 0
        else:
            cards = lead_moves(r, hand, seat, side, number, False, &must_only)
        out[i] = 0
        while cards:
            out[i] |= <cards_t>1 << <int>spec.decode_bit[lowest_index(cards)]
            cards &= cards - 1


TECHNIQUE_NAMES = (
    "table", "patterns", "keeping", "siblings", "runs", "unled", "cuts", "praise", "expecting", "must-win", "cashing",
    "under-trumps", "side-winners", "enemies-take", "enemies-keep", "joining", "stranded", "top-trumps", "trump-tricks",
    "all-trumps", "drawing", "alone", "sharing", "best-duck", "safe-suits", "threats", "one-ahead", "dropping", "his-lead",
    "gaps", "looser", "shedding", "kept-jack", "sure-trump", "fast-bits",
)
"""The techniques of `_techniques.pxd`, in order."""


def switch_off(*names):
    """In a test build: search without these techniques, until the next call; with no names all are on again."""
    global switched_off
    cdef uint64_t off = 0
    if not switches:
        raise RuntimeError("the kernel was built without switches: build it with PANDOER_SWITCHES=1")
    for name in names:
        off |= <uint64_t>1 << <int>TECHNIQUE_NAMES.index(name)
    switched_off = off


def has_switches():
    """Whether `switch_off` works in this build."""
    return bool(switches)
