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

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from pandoer._play cimport (
    ALL_CARDS, FORCED, FREE, LANE, MUST, NEED_NOT, NO_CALL, NO_HIGHER, STATES, TRICKS, VOID, Rules, Trick, cards_t, count,
    encode, gather, has_bmi2, highest_index, lane_of, lay, lead, lead_moves, legal, lowest_index, lowest_of, scatter, top_of,
)

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef extern from *:
    """
    #define NO_LIMIT INT64_MAX
    """
    const int64_t NO_LIMIT

cdef enum:
    MADE_CODE = 254         # codes in Rules.next, see pandoer.objectives
    LOST_CODE = 255
    WIN = 10000             # values of a decided yes or no; no count comes near
    LOSS = -10000
    NO_BOUND = 20000
    CUT_CACHE = 4096
    MAX_MOVES = 16
    MAX_SPECS = 16
    LOOSE_BITS = 14         # entries of the table of the looser game, as a power of two
    WAYS = 8                # entries of a bucket of the table
    NO_MOVE = 255
    UNKNOWN = 30000
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

cdef struct Proof:
    cards_t rel
    cards_t alw
    cards_t som


cdef inline cards_t closed(cards_t x) noexcept nogil:
    """A set with all higher places of each lane where it has any."""
    return (x | (<cards_t>0x8000800080008000 - x)) & <cards_t>0x01FF01FF01FF01FF


cdef struct Bucket:
    uint64_t shape[WAYS]    # how many cards of each suit each hand has, the leader, the state, where the jack is
    uint64_t owners[WAYS]   # two bits a live card: who holds it, suit by suit in order of strength
    uint32_t rel[WAYS]      # in the same order
    uint32_t alw[WAYS]      # in the order of `list_cards`
    uint32_t som[WAYS]
    uint16_t tag[WAYS]      # the generation, and where the protected called card is
    int16_t g[WAYS]
    uint8_t yes[WAYS]       # X is the declaring side
    uint8_t move[WAYS]      # the move that was best: suit, and how many cards of it in the hand are higher


cdef struct Values:         # of one entry: the points of its cards in the order of `list_cards`,
    uint8_t gain[32]        # 255 where X does not always capture the card
    uint8_t loss[32]        # 0 where X never captures it


cdef struct Loose:          # of the looser game of `_misere.pxi`
    uint64_t owners
    uint64_t rest           # lengths of the suits, leader, whether the jack is live, generation; lowest bit: made


cdef class Table:
    """A transposition table for one thread at a time: ``2 ** bits`` entries of about 100 bytes."""

    cdef Bucket* buckets
    cdef Values* values
    cdef Loose* loose
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
        self.loose = <Loose*>calloc(<size_t>1 << LOOSE_BITS, sizeof(Loose))
        if self.buckets == NULL or self.values == NULL or self.loose == NULL:
            raise MemoryError(f"no memory for a table of 2 ** {bits} entries")

    def __dealloc__(self):
        free(self.buckets)
        free(self.values)
        free(self.loose)

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


cdef struct Search:
    const Rules* rules
    Bucket* buckets
    Values* values
    int bucket_bits
    uint16_t generation
    int fast_gather
    int end                 # number of tricks of the whole game
    cards_t hand[4]
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
    uint16_t tag
    Bucket* bucket
    Values* values
    cards_t live


cdef struct Cards:          # the live cards hand by hand, suit by suit, from the top, with their points
    cards_t card[32]
    uint8_t value[32]
    bint listed             # whether it has been filled in for this position


cdef void list_cards(const Search* s, Cards* cards) noexcept nogil:
    """Fill in the list, unless it is there already."""
    cdef const Rules* r = s.rules
    cdef int seat, i, k = 0, index
    cdef cards_t lane
    if cards.listed:
        return
    for seat in range(r.players):
        for i in range(4):
            lane = s.hand[seat] & (<cards_t>LANE << (16 * i))
            while lane:
                index = highest_index(lane)
                lane ^= <cards_t>1 << index
                cards.card[k] = <cards_t>1 << index
                cards.value[k] = r.value[index]
                k += 1
    memset(&cards.value[k], 0, 32 - k)
    cards.listed = True


cdef inline uint64_t lengths(cards_t hand) noexcept nogil:
    """The number of cards in the first three lanes, four bits each."""
    return (count(hand & LANE) | count(hand & (<cards_t>LANE << 16)) << 4
            | count(hand & (<cards_t>LANE << 32)) << 8)


cdef inline void find_bucket(const Search* s, int leader, int state, cards_t live, bint exact,
                             Key* key) noexcept nogil:
    """The shape of a position, the owners of its cards, and where its proofs are kept.

    `exact`: all ranks will be relevant.
    """
    cdef const Rules* r = s.rules
    cdef uint64_t shape, h
    cdef cards_t mark
    key.live = live
    key.owners = gather(s.fast_gather, s.hand[1] | s.hand[3], live)
    key.owners |= gather(s.fast_gather, s.hand[2] | s.hand[3], live) << 32
    shape = lengths(s.hand[0]) | lengths(s.hand[1]) << 12 | lengths(s.hand[2]) << 24 | lengths(s.hand[3]) << 36
    shape |= <uint64_t>count(s.hand[0]) << 48
    shape |= <uint64_t>leader << 52 | <uint64_t>state << 54
    # Of the jack and of the called card the place among the live cards of the suit counts.
    key.tag = s.generation
    if live & r.special:
        if live & r.jack:
            shape |= <uint64_t>(1 + count(live & LANE & ~((r.jack << 1) - 1))) << 58
        if live & r.called:
            key.tag |= <uint16_t>(1 + count(live & r.called_lane & ~((r.called << 1) - 1)))
    # Where owners must be the same anyway, they help to spread the positions.
    h = key.tag
    if exact:
        h ^= key.owners
    elif r.ranked_trumps:
        h = (<uint64_t>1 << count(live & LANE)) - 1
        h = (key.owners & (h | h << 32)) ^ key.tag
    h = h * <uint64_t>0xA24BAED4963EE407 ^ shape
    h ^= h >> 29
    key.shape = shape
    h *= <uint64_t>0x9E3779B97F4A7C15
    h ^= h >> 32
    h *= <uint64_t>0xD6E8FEB86659FD93
    h >>= 64 - s.bucket_bits
    key.bucket = s.buckets + h
    key.values = s.values + h * WAYS


cdef inline int shifted(const uint8_t* gain, const uint8_t* loss, const uint8_t* value) noexcept nogil:
    """What a proof gains and loses by the points of the cards here."""
    cdef int i, total = 0
    for i in range(32):
        total += value[i] - gain[i] if value[i] > gain[i] else 0
    for i in range(32):
        total -= loss[i] - value[i] if loss[i] > value[i] else 0
    return total


cdef bint recall(const Search* s, const Key* key, Cards* cards, int rest, int need, int* value, Proof* proof,
                 int* move) noexcept nogil:
    """Whether a stored proof answers the question; otherwise perhaps a move that was good."""
    cdef const Bucket* b = key.bucket
    cdef int w, g, i
    cdef uint32_t bits
    move[0] = NO_MOVE
    for w in range(WAYS):
        if b.shape[w] != key.shape or b.tag[w] != key.tag:
            continue
        if (b.owners[w] ^ key.owners) & (b.rel[w] | <uint64_t>b.rel[w] << 32):
            continue
        move[0] = b.move[w]
        g = b.g[w]
        if s.rules.valued:
            list_cards(s, cards)
            g += shifted(key.values[w].gain, key.values[w].loss, cards.value)
        if b.yes[w]:
            if g < need:
                continue
            value[0] = g
        else:
            if rest - g >= need:
                continue
            value[0] = rest - g
        proof.rel = scatter(s.fast_gather, b.rel[w], key.live)
        proof.alw = proof.som = 0
        if s.rules.valued:
            bits = b.som[w]
            while bits:
                i = lowest_index(bits)
                bits &= bits - 1
                proof.som |= cards.card[i]
                if b.alw[w] >> i & 1:
                    proof.alw |= cards.card[i]
        return True
    return False


cdef void remember(Search* s, const Key* key, Cards* cards, int rest, int need, int value, const Proof* proof,
                   int move) noexcept nogil:
    """Keep a proof, in place of a stale one or of the next in turn when its bucket is full."""
    cdef Bucket* b = key.bucket
    cdef uint32_t rel = <uint32_t>gather(s.fast_gather, proof.rel & key.live, key.live)
    cdef int w, i, n, way = -1
    cdef bint yes = value >= need
    cdef Values* v
    for w in range(WAYS):
        if b.tag[w] & 0xFFF0 != s.generation:
            if way < 0:
                way = w
        elif (b.shape[w] == key.shape and b.owners[w] == key.owners and b.tag[w] == key.tag
              and b.yes[w] == yes and b.rel[w] == rel):
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
    if s.rules.valued:
        b.alw[way] = b.som[way] = 0
        list_cards(s, cards)
        v = key.values + way
        n = count(key.live)
        for i in range(n):
            if proof.som & cards.card[i]:
                b.som[way] |= <uint32_t>1 << i
                v.loss[i] = cards.value[i]
            else:
                v.loss[i] = 0
            if proof.alw & cards.card[i]:
                b.alw[way] |= <uint32_t>1 << i
                v.gain[i] = cards.value[i]
            else:
                v.gain[i] = 255
        for i in range(n, 32):
            v.loss[i] = 0
            v.gain[i] = 255


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


cdef int cash(const Search* s, int leader, int side, cards_t live, Proof* proof) noexcept nogil:
    """The tricks that `leader` can take one after another from the top.

    A suit counts as far as his highest cards are the highest of all, and wholly when that many rounds exhaust
    everybody else.  With trumps it holds only where no enemy can ruff: he has no trump, or the leader draws
    them first with as many top trumps as any enemy holds.  A partner who takes such a trick because he has
    only trumps left takes the rest as well; where he may be forced to ruff earlier he counts as an enemy.
    """
    cdef const Rules* r = s.rules
    cdef cards_t mine = s.hand[leader], lane, own, others, run
    cdef int i, seat, longest, length, drawn, tricks = 0, sure
    proof.rel = proof.alw = proof.som = 0
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
                proof.alw = run
                if not r.ruff_when_able and not r.must_ruff:
                    sure += cash_under_trumps(s, leader, side, live, proof)
                proof.som = proof.alw
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
        proof.alw |= run
    proof.som = proof.alw
    return tricks


cdef int cash_under_trumps(const Search* s, int leader, int side, cards_t live, Proof* proof) noexcept nogil:
    """Plain tricks that `leader` can take from the top although enemies have trumps, where who can follow must.

    As many rounds of a suit as each enemy with trumps can follow; and altogether no more than each partner with
    trumps has plain cards, lest he be left with trumps alone and take the lead away.
    """
    cdef const Rules* r = s.rules
    cdef cards_t lane, own, others, run
    cdef int i, k, rounds, tricks = 0, most = TRICKS
    for k in range(r.players):
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
        for k in range(r.players):
            if ((side >> k) & 1) != ((side >> leader) & 1) and s.hand[k] & LANE:
                rounds = min(rounds, count(s.hand[k] & lane))
        while count(run) > rounds:
            run &= run - 1
        if run:
            tricks += rounds
            proof.alw |= run
            if others:
                proof.rel |= lowest_of(run)
    return tricks


cdef int winners(const Search* s, int seat, cards_t live, cards_t skip, Proof* proof, cards_t* lanes) noexcept nogil:
    """Without trumps: the tricks that `seat` can take from the top when on lead, in lanes outside `skip`.

    `lanes` gets the lanes where there are any.
    """
    cdef cards_t mine = s.hand[seat] & ~skip, lane, own, others, run
    cdef int i, k, sure, longest, tricks = 0
    lanes[0] = 0
    for i in range(4):
        lane = <cards_t>LANE << (16 * i)
        own = mine & lane
        if not own:
            continue
        others = live & lane & ~own
        run = own
        if others:
            run &= ~((top_of(others) << 1) - 1)
            if not run:
                continue
            proof.rel |= lowest_of(run)
        sure = count(run)
        longest = 0
        for k in range(s.rules.players):
            if k != seat:
                longest = max(longest, count(s.hand[k] & lane))
        if sure >= longest:
            sure = count(own)
        tricks += sure
        lanes[0] |= lane
    return tricks


cdef int side_winners(const Search* s, int leader, int side, cards_t live, int left, Proof* proof) noexcept nogil:
    """Without trumps: the tricks that the leader's side can take at once.

    The leader takes his; then he leads to his partner's winner in a suit where he has none himself, and the
    partner takes his own in the suits where the leader had none.  The partner keeps them meanwhile as long as
    he has other cards for the leader's tricks.
    """
    cdef const Rules* r = s.rules
    cdef int k, tricks, more, best = 0
    cdef cards_t lanes, his
    cdef Proof p
    proof.rel = proof.alw = proof.som = 0
    tricks = winners(s, leader, live, 0, proof, &lanes)
    if tricks >= left:
        return left
    for k in range(r.players):
        if k != leader and ((side >> k) & 1) == ((side >> leader) & 1):
            p.rel = 0
            more = winners(s, k, live, lanes, &p, &his)
            if s.hand[leader] & his and more > best:
                best = more
                proof.rel |= p.rel
    return min(left, tricks + best)


cdef int enemy_winners(const Search* s, int leader, int side, cards_t live, int left, Proof* proof) noexcept nogil:
    """Without trumps: the tricks that the other side takes at least, whatever the leader leads.

    When the enemies hold the highest card of every suit that he can lead, its holder wins the first trick with
    it, and then he and his partner take their other winners.
    """
    cdef const Rules* r = s.rules
    cdef cards_t lane, top
    cdef int i, k = 0, tricks, least = left
    cdef Proof p
    proof.rel = proof.alw = proof.som = 0
    for i in range(4):
        lane = <cards_t>LANE << (16 * i)
        if not s.hand[leader] & lane:
            continue
        top = top_of(live & lane)
        for k in range(r.players):
            if s.hand[k] & top:
                break
        if ((side >> k) & 1) == ((side >> leader) & 1):
            return 0
        tricks = side_winners(s, k, side, live, left, &p)
        proof.rel |= p.rel | top
        least = min(least, tricks)
    return least


include "_misere.pxi"


cdef inline cards_t top_trumps(cards_t ours, cards_t theirs) noexcept nogil:
    """Our trumps above all of theirs: nobody can take them from us."""
    cdef cards_t run = ours & LANE
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


cdef int known_value(const Search* s, int leader, int side, int state, int trick, int avoid, bint dry, int rest, int need,
                     cards_t live, Proof* proof) noexcept nogil:
    """A value that needs no search, with its proof; `UNKNOWN` when there is none.

    Not for positions where a protected call is pending: a trump may then be unable to win.
    """
    cdef const Rules* r = s.rules
    cdef int i, seat, sure, points, value, left = s.end - trick
    cdef bint maximise = (side >> leader) & 1
    cdef cards_t ours = 0, enemies = 0, card
    if not r.counting and not avoid and r.trumps and r.owe[state][trick] and not dry:
        card = trump_must_win(r, s.hand, r.owe[state][trick], live & ~s.hand[lowest_index(r.owe[state][trick])], 0, 2)
        if card:
            proof.rel = card
            proof.alw = proof.som = 0
            return LOSS
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
                proof.alw = proof.som = 0
                return LOSS
        if not avoid:
            return UNKNOWN
        if dry and avoid == side:
            i = lowest_index(avoid)
            if i != leader and not (r.trumps and s.hand[i] & LANE) and not unsafe_suits(s.hand, i):
                proof.rel = live
                proof.alw = proof.som = 0
                return WIN
        elif avoid == ((1 << r.players) - 1) & ~side:
            if r.trumps and live & LANE:
                sure = cash(s, leader, side, live, proof)
            else:
                sure = side_winners(s, leader, side, live, left, proof)
            if sure >= 1 and not maximise:
                return LOSS
            if sure >= left and maximise:
                return WIN
            if maximise and not (r.trumps and live & LANE) and enemy_winners(s, leader, side, live, left, proof):
                return LOSS
        return UNKNOWN
    if not r.counting:
        return UNKNOWN
    if not r.valued and not (r.trumps and live & LANE):
        points = side_winners(s, leader, side, live, left, proof) * r.trick_points
        value = settled(maximise, points, rest, need)
        if value != UNKNOWN:
            return value
        points = enemy_winners(s, leader, side, live, left, proof) * r.trick_points
        return settled(not maximise, points, rest, need)
    sure = cash(s, leader, side, live, proof)
    if sure >= left:
        points = rest
        proof.alw = proof.som = live
    else:
        points = sure * r.trick_points
        if r.valued:
            points += sum_values(r, proof.alw)
    value = settled(maximise, points, rest, need)
    if value != UNKNOWN or not r.trumps:
        return value
    for i in range(r.players):
        if (side >> i) & 1:
            ours |= s.hand[i]
    if not r.valued:
        # The top trumps of one hand win that many tricks, whoever leads.
        for i in range(r.players):
            card = s.hand[i] & (top_trumps(ours, live & ~ours) | top_trumps(live & ~ours, ours))
            points = count(card) * r.trick_points
            proof.rel = lowest_of(card)
            value = settled((side >> i) & 1, points, rest, need) if card else UNKNOWN
            if value != UNKNOWN:
                return value
        return UNKNOWN
    for i in range(2):
        card = top_trumps(live & ~ours, ours) if i else top_trumps(ours, live & ~ours)
        value = settled(i == 0, sum_values(r, card), rest, need) if card else UNKNOWN
        if value != UNKNOWN:
            proof.rel = lowest_of(card)
            proof.alw = proof.som = card
            return value
    return UNKNOWN


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
    cdef cards_t kept = moves & ~plain, card, rest
    cdef int i
    if never and laid and not s.hand[seat] & t.led and not (r.trumps and s.hand[seat] & LANE):
        rest = unsafe_suits(s.hand, seat)
        if not rest:
            return ALL_CARDS
        if rest == lane_of(rest):
            return top_of(plain & rest)
    for i in range(4):
        rest = plain & (<cards_t>LANE << (16 * i))
        while rest:
            card = top_of(rest)
            if surely_beaten(s, card, seat, t, laid, side):
                kept |= card
                break
            rest ^= card
    return kept


cdef bint surely_beaten(const Search* s, cards_t card, int seat, const Trick* t, int laid,
                        int side) noexcept nogil:
    """Whether `card` of `seat` cannot win this trick: beaten already, or a later player can only beat it."""
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
        later += 1
        if later == r.players:
            later = 0
        replies = legal(r, s.hand[later], &now, later, side)
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
# deals: a row for play without trumps, one for trumps and tricks, one for card points.  Only the order of moves
# depends on them, never a result.
cdef enum:
    TOP_TRUMP, OUR_TOP_TRUMP, TRUMP, TRUMP_RANK, IDLE_TRUMP, TOP, MAY_BE_RUFFED, PARTNERS_TOP, ENEMY_LENGTH,
    PARTNER_RUFFS, PARTNER_MAY_RUFF, LOW, TO_PARTNERS_TOP, LEAD_POINTS, NEXT_RUFFS, TOP_LENGTH, SINGLETON,
    TRUMP_POINTS, LOW_RANK, LOW_LENGTH, SURE_WIN, TAKE_OVER, PERHAPS_WIN, PERHAPS_TAKE_OVER, RUFF,
    TO_PARTNER, TRUMP_TO_PARTNER, LOSE, TRUMP_TO_ENEMY, DISCARD_LENGTH, TAKE_OVER_RANK, TAKE_OVER_POINTS,
    WIN_RANK, WIN_POINTS, PERHAPS_TAKE_OVER_POINTS, PERHAPS_WIN_RANK, PERHAPS_WIN_POINTS, TO_PARTNER_POINTS,
    TO_PARTNER_RANK, LOSE_POINTS, LOSE_RANK, WIN_TRICK, PERHAPS_WIN_TRICK, LAST_CUT, HISTORY, WEIGHT_COUNT


cdef int[3][WEIGHT_COUNT] WEIGHTS
for _kind, _row in enumerate((
    (300, 160, 120, 1, 20, 70, 60, 75, 8, 60, 30, -10, 90, 2, 20, -2, 0, 0, 1, -2, 150, 45, 90, 60, 20, 30,
     30, 10, 30, -5, -3, 2, -1, 1, 1, -1, 1, 3, 3, 3, 4, 0, 0, 141, 3),
    (150, 40, 60, 3, 20, 210, 135, 168, 0, 135, -5, 45, 135, 2, 249, 0, 40, 0, 0, 0, 100, 30, 60, 40, 30,
     20, 15, -135, 280, -1, -1, 2, 6, 1, 1, 3, 1, 3, 1, 3, 4, 0, 0, 141, 11),
    (150, 80, 120, 0, 20, 210, 90, 100, 5, 60, 15, 30, 40, 2, 45, 1, 0, 1, 2, 0, 200, 30, 150, -10, 20, 10,
     45, 10, 15, 0, 1, 2, 1, 1, 1, 2, 1, 3, 1, 7, 1, 3, 0, 141, 11),
)):
    for _weight, _value in enumerate(_row):
        WEIGHTS[_kind][_weight] = _value


cdef struct Scene:          # what the scores of a player's moves have in common
    cards_t live
    cards_t partners        # cards of the others on his side
    cards_t enemies
    cards_t mine
    cards_t next_hand
    bint last
    int mode


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


cdef int lead_score(const Search* s, cards_t card, const Scene* z) noexcept nogil:
    """How promising a lead looks; only the order depends on it, never the result."""
    cdef const Rules* r = s.rules
    cdef const int* w = &WEIGHTS[z.mode][0]
    cdef cards_t lane = lane_of(card), above = lane & ~((card << 1) - 1)
    cdef int rank = lowest_index(card) & 15, score, points = r.value[lowest_index(card)]
    cdef cards_t enemy_trumps = z.enemies & LANE if r.trumps else 0
    if r.trumps and lane & LANE:
        if not z.live & above:
            return w[TOP_TRUMP]
        if not z.enemies & above:
            return w[OUR_TOP_TRUMP] - rank
        return (w[TRUMP] if enemy_trumps else w[IDLE_TRUMP]) - w[TRUMP_RANK] * rank - w[TRUMP_POINTS] * points
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
        return score + w[TOP_LENGTH] * count(z.mine & lane)
    score = w[LOW] - w[LOW_RANK] * rank
    if r.trumps and z.partners & LANE and not z.partners & lane:
        score += w[PARTNER_MAY_RUFF] if enemy_trumps else w[PARTNER_RUFFS]
    elif z.partners & above and top_of(z.live & above) & z.partners:
        score += w[TO_PARTNERS_TOP]
    if r.trumps and z.mine & LANE and not z.mine & lane & ~card:
        score += w[SINGLETON]
    return score - w[LEAD_POINTS] * points + w[LOW_LENGTH] * count(z.mine & lane)


cdef int follow_score(const Search* s, cards_t card, int seat, int laid, const Trick* t, int side,
                      const Scene* z) noexcept nogil:
    """How promising a card to a trick looks; only the order depends on it, never the result."""
    cdef const Rules* r = s.rules
    cdef const int* w = &WEIGHTS[z.mode][0]
    cdef int rank = lowest_index(card) & 15, points = r.value[lowest_index(card)] if r.valued else 0, score
    cdef bint ours = ((side >> seat) & 1) == ((side >> t.best_seat) & 1)
    cdef bint wins, trump = r.trumps and card & LANE != 0
    if card & lane_of(t.best):
        wins = card > t.best
    else:
        wins = trump and t.call != MUST
    if wins:
        if z.last or not z.live & lane_of(card) & ~((card << 1) - 1):
            if ours:
                score = w[TAKE_OVER] - w[TAKE_OVER_RANK] * rank + w[TAKE_OVER_POINTS] * points
            else:
                score = w[SURE_WIN] - w[WIN_RANK] * rank + w[WIN_POINTS] * points + w[WIN_TRICK] * t.points
        elif ours:
            score = w[PERHAPS_TAKE_OVER] - rank - w[PERHAPS_TAKE_OVER_POINTS] * points
        else:
            score = w[PERHAPS_WIN] - w[PERHAPS_WIN_RANK] * rank - w[PERHAPS_WIN_POINTS] * points + w[PERHAPS_WIN_TRICK] * t.points
        if trump and not t.led & LANE:
            score -= w[RUFF]
        return score
    if ours:
        score = w[TO_PARTNER] + w[TO_PARTNER_POINTS] * points - w[TO_PARTNER_RANK] * rank - (w[TRUMP_TO_PARTNER] if trump else 0)
    else:
        score = w[LOSE] - w[LOSE_POINTS] * points - w[LOSE_RANK] * rank - (w[TRUMP_TO_ENEMY] if trump else 0)
    if not card & t.led:
        score += w[DISCARD_LENGTH] * count(z.mine & lane_of(card))
    return score


cdef int list_moves(Search* s, Move* moves, cards_t cards, int seat, int laid, const Trick* t, int side, bint dry,
                    cards_t live, cards_t first, int* place) noexcept nogil:
    """Write the moves with their scores; `first` is the table's move."""
    cdef const Rules* r = s.rules
    cdef int n = 0, i, cut, index, best = lowest_index(t.best) if laid else 0
    cdef cards_t card
    cdef Scene z
    z.mode = 2 if r.valued else 1 if r.trumps else 0
    z.live = live
    z.mine = s.hand[seat]
    z.partners = z.enemies = z.next_hand = 0
    z.last = laid == r.players - 1
    if not dry and not laid:
        for i in range(r.players):
            if ((side >> i) & 1) != ((side >> seat) & 1):
                z.enemies |= s.hand[i]
            elif i != seat:
                z.partners |= s.hand[i]
        z.next_hand = s.hand[seat + 1 if seat + 1 < r.players else 0]
    place[0] = situation(s, seat, laid, t, cards)
    cut = s.cut[place[0]] - 1
    while cards:
        card = cards & (0 - cards)
        cards ^= card
        index = lowest_index(card)
        moves[n].card = card
        moves[n].call = NO_CALL
        if dry:
            moves[n].score = dry_score(r, s.hand[lowest_index(side)], lowest_index(side), card, seat, laid, t)
        elif laid:
            moves[n].score = follow_score(s, card, seat, laid, t, side, &z)
        else:
            moves[n].score = lead_score(s, card, &z)
        if card == first:
            moves[n].score += 10000
        if index == cut:
            moves[n].score += WEIGHTS[z.mode][LAST_CUT]
        if r.valued:
            moves[n].score += s.history[seat][best][index] // 32 * WEIGHTS[z.mode][HISTORY] // 16
        n += 1
    return n


cdef inline void bring_best(Move* moves, int i, int n) noexcept nogil:
    """Exchange move `i` with the best of those not tried yet."""
    cdef int j, best = i
    cdef Move m
    for j in range(i + 1, n):
        if moves[j].score > moves[best].score:
            best = j
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


cdef int trick_value(Search* s, int leader, int state, int trick, int rest, int need, Proof* proof) noexcept nogil:
    """The rest of the game from the start of a trick; `rest` is the points not yet won."""
    cdef const Rules* r = s.rules
    cdef int left = s.end - trick, side = r.side[state], avoid = 0, n, i, v, seat, move
    cdef int place, best, owe
    cdef bint dry = False, call_live, must_only
    cdef cards_t live = s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3], cards, first = 0
    cdef Move[MAX_MOVES] moves
    cdef Key key
    cdef Cards listed
    cdef Trick t
    cdef cards_t[4] sorted_hand
    cdef Threats threats
    cdef cards_t unsafe
    cdef int k

    call_live = r.called != 0 and (live & r.called) != 0
    if r.counting:
        proof.rel = proof.alw = proof.som = 0
        if left == 0:
            return 0
        if need > rest:
            return rest
        if need <= 0 and not call_live:
            return 0
    else:
        avoid = r.avoid[state][trick]
        dry = r.shun[state][trick] != 0
        if r.jack_seats[state][trick]:
            cards = 0
            for i in range(r.players):
                if (r.jack_seats[state][trick] >> i) & 1:
                    cards |= s.hand[i]
            if not cards & r.jack:
                # Nobody can win a trick with the jack who would have to.
                proof.rel = live & r.jack
                proof.alw = proof.som = 0
                return LOSS

    # The last trick plays itself.
    if left == 1 and not call_live:
        lead(r, &t, s.hand[leader], leader, NO_CALL)
        seat = leader
        for i in range(1, r.players):
            seat += 1
            if seat == r.players:
                seat = 0
            lay(r, &t, s.hand[seat], seat)
        s.plays += r.players
        return trick_end(s, &t, state, trick, rest, need, proof)

    if not call_live:
        v = known_value(s, leader, side, state, trick, avoid, dry, rest, need, live, proof)
        if v != UNKNOWN:
            return v

    # Has this position been seen, or one that differs only where it does not matter?
    find_bucket(s, leader, state, live, dry, &key)
    listed.listed = False
    if recall(s, &key, &listed, rest, need, &v, proof, &move):
        return v
    if move != NO_MOVE:
        cards = s.hand[leader] & (<cards_t>LANE << (16 * (move >> 4)))
        for i in range(move & 15):
            cards ^= top_of(cards)
        first = top_of(cards)

    cards = lead_moves(r, s.hand[leader], leader, side, trick, call_live, &must_only)
    owe = 0 if r.counting else r.owe[state][trick]
    if (dry and avoid == side or owe) and not (side >> leader) & 1:
        # D alone must not win a trick, or exactly one.
        i = lowest_index(side)
        if not owe and not (r.trumps and s.hand[i] & LANE):
            for k in range(4):
                sorted_hand[k] = s.hand[k]
            unsafe = unsafe_suits(s.hand, i)
            sort_gaps(s, sorted_hand, i, unsafe, live)
            if find_threats(s, sorted_hand, i, left, unsafe, &threats):
                cards &= leads_that_hurt(s, &threats, (leader - i + r.players) % r.players, left)
            else:
                cards = 0
        s.only_jack = owe and r.next[state][trick][i][0] == LOST_CODE
        if not cards or left >= 3 and stays_dry(s, s.hand, i, 1 << leader, left, owe != 0, ALL_CARDS, ALL_CARDS):
            proof.rel = live
            proof.alw = proof.som = 0
            return WIN
        if s.aborted:
            return 0
    if dry and (side >> leader) & 1:
        cards = dry_moves(s, cards, leader, NULL, 0, side, avoid == side)
        if not cards:
            proof.rel = live
            return LOSS
    n = list_moves(s, moves, cards, leader, 0, NULL, side, dry or owe, live, first, &place)
    if dry and avoid == side and (side >> leader) & 1:
        for i in range(n):
            moves[i].score -= danger_after(s, leader, leader, moves[i].card, left)
    if call_live and leader == r.declarer:
        n = add_calls(r, moves, n, must_only)
    best = try_moves(s, moves, n, NULL, 0, leader, state, trick, rest, need, live, place, proof, &cards)
    if s.aborted:
        return 0

    # What legality depends on is relevant too.
    if r.ranked_trumps:
        proof.rel |= live & LANE
    proof.rel = live if dry else closed(proof.rel | (live & r.special)) & live
    move = (lowest_index(cards) & 0x30) | count(s.hand[leader] & lane_of(cards) & ~((cards << 1) - 1))
    remember(s, &key, &listed, rest, need, best, proof, move)
    return best


cdef int try_moves(Search* s, Move* moves, int n, const Trick* t, int laid, int seat, int state, int trick, int rest,
                   int need, cards_t live, int place, Proof* proof, cards_t* best_card) noexcept nogil:
    """Try the moves of one player in order of promise until one settles the question for him.

    A move that fails also speaks for others of its suit: read its proof with the two cards exchanged.  That is
    sound when neither rank is relevant, or when no foreign card lies between them, so that nothing but their
    points can tell them apart; then the lower rank becomes relevant.
    """
    cdef const Rules* r = s.rules
    cdef bint maximise = (r.side[state] >> seat) & 1
    cdef int i, j, v, w, best = -NO_BOUND if maximise else NO_BOUND, other_seat = seat + 1
    cdef cards_t card, other, foreign = live & ~s.hand[seat], relevant, high, low
    cdef Proof p
    cdef Trick now
    if other_seat == r.players:
        other_seat = 0
    proof.rel = proof.som = 0
    proof.alw = ~<cards_t>0
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
        v = play_value(s, &now, laid + 1, other_seat, state, trick, rest, need, &p)
        s.hand[seat] ^= card
        if s.aborted:
            return 0
        if (v >= need) == maximise:
            proof[0] = p
            best_card[0] = card
            s.cut[place] = <uint8_t>(lowest_index(card) + 1)
            if r.valued and n > 1 and s.end - trick > 3:
                praise(s, moves, i, seat, lowest_index(t.best) if laid else 0, s.end - trick)
            return v
        if (v > best) == maximise and v != best:
            best = v
            best_card[0] = card
        proof.rel |= p.rel
        proof.alw &= p.alw
        proof.som |= p.som
        if card & r.special:
            continue
        relevant = closed(p.rel | (live & LANE if r.ranked_trumps else 0))
        for j in range(i + 1, n):
            other = moves[j].card
            if not other & lane_of(card) or other & r.special or moves[j].call != moves[i].call:
                continue
            low = 0
            if (card | other) & relevant:
                high = max(card, other)
                low = min(card, other)
                if foreign & (high - 1) & ~(low | (low - 1)):
                    continue
            w = v
            if r.valued:
                w = exchanged(r, v, maximise, card, other, &p)
                if (w >= need) == maximise:
                    continue
                if ((p.alw & card) != 0) != ((p.alw & other) != 0):
                    proof.alw &= ~(card | other)
                if p.som & (card | other):
                    proof.som |= exchange(p.som, card, other)
            proof.rel |= low
            if (w > best) == maximise and w != best:
                best = w
                best_card[0] = card
            moves[j].card = 0
            moves[j].score = -NO_BOUND
    return best


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
                          const Proof* p) noexcept nogil:
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


cdef int play_value(Search* s, const Trick* t, int laid, int seat, int state, int trick, int rest, int need,
                    Proof* proof) noexcept nogil:
    """The value in the middle of a trick, `seat` to play."""
    cdef const Rules* r = s.rules
    cdef int side = r.side[state], n, place, v, i
    cdef bint dry = False
    cdef cards_t cards, live
    cdef Move[MAX_MOVES] moves

    if laid == r.players:
        return trick_end(s, t, state, trick, rest, need, proof)
    if s.plays >= s.next_look:
        look(s)
        if s.aborted:
            return 0
    live = s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3] | t.played
    cards = legal(r, s.hand[seat], t, seat, side)
    if not cards & (cards - 1):
        moves[0].card = cards
        moves[0].call = NO_CALL
        n = 1
        place = 0
    else:
        if not r.counting:
            dry = r.shun[state][trick] != 0
            if dry and (side >> seat) & 1:
                cards = dry_moves(s, cards, seat, t, laid, side, r.avoid[state][trick] == side)
                if not cards or cards == ALL_CARDS:
                    proof.rel = live
                    proof.alw = proof.som = 0
                    return WIN if cards else LOSS
        n = list_moves(s, moves, cards, seat, laid, t, side, dry or (not r.counting and r.owe[state][trick]), live, 0, &place)
        if (dry or not r.counting and r.owe[state][trick]) and not (side >> seat) & 1 and s.end - trick >= 7:
            for i in range(n):
                moves[i].score += danger_after(s, lowest_index(side), seat, moves[i].card, s.end - trick - 1)
    v = try_moves(s, moves, n, t, laid, seat, state, trick, rest, need, live, place, proof, &cards)
    if r.partner_exempt and t.played & lane_of(t.best) != t.best:
        # Who is winning so far has decided what was legal, so the rank that wins is relevant.
        proof.rel |= t.best
    return v


cdef int trick_end(Search* s, const Trick* t, int state, int trick, int rest, int need, Proof* proof) noexcept nogil:
    """Give the trick to its winner and go on; when it decides the contract, say so."""
    cdef const Rules* r = s.rules
    cdef int next = r.next[state][trick][t.best_seat][1 if t.best == r.jack else 0]
    cdef int points, gain, v
    cdef bint ours = (r.side[state] >> t.best_seat) & 1
    cdef cards_t rivals = t.played & lane_of(t.best)
    if t.lost or next >= MADE_CODE:
        proof.rel = proof.alw = proof.som = 0
        v = WIN if next == MADE_CODE and not t.lost else LOSS
    elif not r.counting:
        v = trick_value(s, t.best_seat, next, trick + 1, 0, need, proof)
    else:
        points = t.points + r.trick_points
        if trick + 1 == s.end:
            points += r.last_points
        gain = points if ours else 0
        v = gain + trick_value(s, t.best_seat, 0, trick + 1, rest - points, need - gain, proof)
        if ours == (v >= need):
            proof.alw |= t.played
            proof.som |= t.played
    if rivals & (rivals - 1):
        proof.rel |= t.best
    return v


# ---------------------------------------------------------------------------------------------------------
# 8. The entry points

cdef class Spec:
    """A contract with its seats, encoded for the search.

    Built by `pandoer.solver` from validated data; see `Rules` for the fields.
    """

    cdef Rules rules
    cdef uint8_t[64] decode_bit     # public index of each card of the search

    def __cinit__(self, *, int players, int declarer, int partner, int trump, play, orders, card_points,
                  int last_points, int trick_points, counts, called, bint needs_jack,
                  const uint8_t[:] next, const uint8_t[:] side, const uint8_t[:] avoid, const uint8_t[:] shun,
                  const uint8_t[:] jack, const uint8_t[:] owe):
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
        for i in range(STATES * TRICKS * 8):
            (&r.next[0][0][0][0])[i] = next[i]
        for i in range(STATES * TRICKS):
            (&r.avoid[0][0])[i] = avoid[i]
            (&r.shun[0][0])[i] = shun[i]
            (&r.jack_seats[0][0])[i] = jack[i]
            (&r.owe[0][0])[i] = owe[i]
        for i in range(STATES):
            r.side[i] = side[i]


cdef void prepare(Search* s, Spec spec, Table table, int end, const int32_t[::1] stop) noexcept:
    """Set up a search in a table; the hands are still to be filled in."""
    s.buckets = table.buckets
    s.values = table.values
    s.loose = table.loose
    s.bucket_bits = table.bits - 3
    s.table = <void*>table
    s.fast_gather = has_bmi2()
    s.end = end
    s.stop = &stop[0]
    s.limit = NO_LIMIT
    memset(s.hand, 0, sizeof(s.hand))
    begin(s, &spec.rules, table.generation)


cdef inline void begin(Search* s, const Rules* rules, uint16_t generation) noexcept nogil:
    """Begin a new deal: nothing is remembered, so that its nodes do not depend on the deals before."""
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


cdef int settle(Search* s, int leader, int state, int trick, int rest) noexcept nogil:
    """The exact value at the start of a trick, by bisection; `LOSS` when the contract is lost."""
    cdef int low = 0, high = rest, v, need
    cdef Proof proof
    if not s.rules.counting:
        return trick_value(s, leader, state, trick, rest, 1, &proof)
    if s.rules.called:
        v = trick_value(s, leader, state, trick, rest, 0, &proof)
        if v < 0 or s.aborted:
            return LOSS
        low = v
    while low < high:
        need = (low + high + 1) >> 1
        v = trick_value(s, leader, state, trick, rest, need, &proof)
        if s.aborted:
            return 0
        if v >= need:
            low = v
        else:
            high = v
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
            if i == 0:
                lead(&spec.rules, &self.trick, card, leader, call)
            else:
                lay(&spec.rules, &self.trick, card, self.seat)
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
        cdef Proof proof
        cdef cards_t card
        cdef int call
        if move is None:
            with nogil:
                if self.laid:
                    v = play_value(s, &self.trick, self.laid, self.seat, self.state, self.number, self.total, need, &proof)
                else:
                    v = trick_value(s, self.leader, self.state, self.number, self.total, need, &proof)
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
                v = play_value(s, &now, self.laid + 1, (self.seat + 1) % s.rules.players, self.state, self.number,
                               self.total, need, &proof)
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
                *, int leader, int number, int end, bint exact, int64_t limit, Table table,
                int16_t[::1] out, int64_t[::1] nodes, const int32_t[::1] stop):
    """Solve many deals at the start of a trick without holding the GIL.

    Parameters
    ----------
    specs
        The specs in use; ``which[i]`` names the one of deal i.
    hands
        ``uint64 [deals, players]`` in public bits.
    needs
        ``int16 [deals]``: what to reach, when not `exact`; ``-32768`` skips a deal.
    leader, number, end
        Who leads, the tricks already played, and those of the whole game.
    exact
        Find the value itself instead of one answer.
    limit
        Give up a deal after so many cards played, and write -32767; 0 for never.
    out, nodes
        Written: the value (or the bound that answers the question) and the cards played.
    stop
        One number; anything but 0 ends the work with an exception.
    """
    cdef Search s
    cdef Spec spec
    cdef Py_ssize_t i
    cdef int k, rest
    cdef cards_t live
    cdef Proof proof
    cdef const Rules* rules[MAX_SPECS]
    if len(specs) > MAX_SPECS:
        raise ValueError(f"{len(specs)} specs: expected at most {MAX_SPECS}")
    for k, spec in enumerate(specs):
        rules[k] = &spec.rules
        prepare(&s, spec, table, end, stop)
    if limit > 0:
        s.limit = limit
    with nogil:
        for i in range(hands.shape[0]):
            if needs[i] == SKIP:
                continue
            table.forget()
            begin(&s, rules[which[i]], table.generation)
            live = 0
            for k in range(s.rules.players):
                s.hand[k] = encode(s.rules, hands[i, k])
                live |= s.hand[k]
            rest = points_in(&s, number, live)
            if exact:
                out[i] = <int16_t>settle(&s, leader, 0, number, rest)
            else:
                out[i] = <int16_t>trick_value(&s, leader, 0, number, rest, needs[i], &proof)
            nodes[i] = s.plays
            if s.over:
                out[i] = GIVEN_UP
                s.aborted = False
            if s.aborted:
                break
    if s.aborted:
        raise_stopped(table)
