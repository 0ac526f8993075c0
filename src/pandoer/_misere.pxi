# A lone player who must not win a trick: what can be known of him, and a search of his own.
#
# D is the lone player, the others are the defenders.  D is not on lead, save where that is said: who wins no trick
# is on lead at most once.
#
# a. What one suit can do to him.
# b. What all suits can do, and which leads can do harm at all.
# c. A looser game, which is easier for the defenders and much smaller.

# ---------------------------------------------------------------------------------------------------------
# a. What one suit can do
#
# D has no trumps.  In the game of a single suit every trick is one of two kinds:
#
# * a defender leads a card of the suit.  The others who have the suit follow with any card of it, or may play
#   none when they can ruff.  D plays his highest card below what lies there or below what one of those to come cannot
#   but play, and any card under a ruff; when there is none, he wins the trick and is killed.
# * another suit is led: two defenders, not the leader, may each throw any card of the suit, as often as their
#   credit allows; a credit of 3 is without limit.
#
# When D throws his highest card of the suit whenever he is void, there is a third kind: a suit is led that he does
# not have.  Then he throws, two defenders may throw without credit, and who does not has one credit more.
#
# Real play is such a game in every suit at once, D's answers do not contradict each other, and in real play the
# defenders can do no more than here.  So if in no suit D can be killed within the tricks that are left, he makes
# it.  The value of a pattern is the fewest tricks that kill him; it depends on nothing but who owns the cards of
# the suit, from the lowest to the highest, and on who can ruff.
#
# Were each card of D as high or higher, and each of the defenders as high or lower, in order of rank, they would kill
# him as fast or faster: they play the same places.  So who throws a card of the suit, or plays one after D, parts with
# his highest, and of a gap between two of D's cards one card is enough.
#
# The values are kept in a cache that is filled as patterns are met and may forget.  An entry is one number of 64
# bits, key and value together, so threads share the cache without a lock.

cdef enum:
    LONGEST = 9             # cards of a suit
    NEVER = 255
    NONE = -1               # no suit
    MOST = 3                # a credit without limit
    MANY = 3                # tricks that D can follow, without limit
    NO_DROP = 4             # D never throws a card of this suit

    CACHE_BITS = 20
    CACHE_WAYS = 4

cdef enum Next:             # what is known of the next trick
    NOTHING, SUIT_LED, OTHER_LED, OTHER_LED_AND_DROP
    HE_LEADS_IT, HE_LEADS_OTHER     # D is on lead

cdef enum Role:             # what it says of a defender
    BYSTANDER, LEADER, THROWER

cdef enum:
    RUFFS = 4               # beside a role

cdef uint64_t* CACHE = <uint64_t*>calloc((<size_t>1 << CACHE_BITS) + 8, sizeof(uint64_t))
if CACHE == NULL:
    raise MemoryError("no memory for the pattern cache of misère")
CACHE = <uint64_t*>line_of(CACHE)

cdef uint8_t[1024] SAFE     # by D's places among the cards of a suit, from the lowest, with a 1 on top
for _cards in range(1, 1024):
    _length = _cards.bit_length() - 1
    _mine = [_i for _i in range(_length) if _cards >> _i & 1]
    _others = [_i for _i in range(_length) if not _cards >> _i & 1]
    SAFE[_cards] = all(_d < _x for _d, _x in zip(_mine, _others))

cdef struct Suit:           # one suit; defender k, from 1, is the k-th after D
    uint64_t cards[4]       # of each defender with cards: his and D's from the lowest, 1 for D's, and a 1 on top;
                            # moved 5 places up, with RUFFS if he can ruff while able to follow
    int credits[4]          # how many cards he may throw, 0 without cards
    int follows             # so many tricks of other suits D can follow; or NO_DROP


cdef inline uint64_t packed(const Suit* suit, int k, int role, bint free) noexcept nogil:
    if not suit.cards[k]:
        return <uint64_t>(role == LEADER)
    if role == THROWER and not suit.credits[k] and not free:
        role = BYSTANDER
    return suit.cards[k] | <uint64_t>(suit.credits[k] << 3 | role)


cdef int tricks_to_kill(const Suit* suit, int next, const int* roles) noexcept nogil:
    """The fewest tricks in which one suit can make D win a trick, 255 for never.

    `next` and the `roles` of the defenders say what is known of the next trick.
    """
    cdef bint free = next == OTHER_LED_AND_DROP or next == HE_LEADS_OTHER
    return look_up(packed(suit, 1, roles[1], free), packed(suit, 2, roles[2], free), packed(suit, 3, roles[3], free),
                   suit.follows, next)


cdef int look_up(uint64_t a, uint64_t b, uint64_t c, int follows, int next) noexcept nogil:
    """The same for a pattern as it is packed."""
    cdef uint64_t key = (((a << 15 | b) << 15 | c) << 3 | <uint64_t>follows) << 3 | <uint64_t>next
    cdef uint64_t* place
    cdef int value, way
    place = &CACHE[((key * <uint64_t>0x9E3779B97F4A7C15) >> (64 - CACHE_BITS)) & ~<uint64_t>(CACHE_WAYS - 1)]
    for way in range(CACHE_WAYS):
        if place[way] >> 8 == key:
            return place[way] & 0xFF
    value = work_out(a, b, c, follows, next)
    for way in range(CACHE_WAYS - 1, 0, -1):
        place[way] = place[way - 1]
    place[0] = key << 8 | <uint64_t>value
    return value


cdef struct Pattern:        # the same by places, from the lowest card of the suit
    uint64_t mine           # D's
    uint64_t[4] own         # of each defender
    int ruffers             # bit k: defender k may ruff while he can follow
    int credits[4]
    int follows


cdef int work_out(uint64_t a, uint64_t b, uint64_t c, int follows, int next) noexcept nogil:
    """The value of a pattern as it is packed in the key."""
    cdef uint64_t[4] rest
    cdef Pattern p
    cdef int k, run, place = 0, leader = 0, throwers = 0, best = NEVER, gaps = 1
    p.mine = 0
    p.ruffers = 0
    p.follows = follows
    rest[1] = a
    rest[2] = b
    rest[3] = c
    for k in range(1, 4):
        p.own[k] = 0
        p.credits[k] = rest[k] >> 3 & 3
        p.ruffers |= (rest[k] >> 2 & 1) << k
        if rest[k] & 3 == LEADER:
            leader = k
        elif rest[k] & 3 == THROWER:
            throwers |= 1 << k
        rest[k] >>= 5
        if rest[k]:
            gaps = count(rest[k])
    while True:
        for k in range(1, 4):
            if rest[k]:
                run = lowest_index(rest[k])
                p.own[k] |= ((<uint64_t>1 << run) - 1) << place
                place += run
                rest[k] >>= run + 1
        gaps -= 1
        if not gaps:
            break
        p.mine |= <uint64_t>1 << place
        place += 1
    if next == SUIT_LED:
        return after_lead(&p, leader)
    if next == HE_LEADS_IT:
        return after_his_lead(&p)
    if next != NOTHING:
        return after_throws(&p, throwers, next == OTHER_LED_AND_DROP, next != OTHER_LED, True)
    for leader in range(1, 4):
        best = min(best, after_lead(&p, leader))
    # Unless D is killed at once, nothing takes less than two tricks.
    if best > 2:
        best = min(best, after_throws(&p, 0xE, False, False, False))
    for leader in range(1, 4):
        if best > 2 and follows != NO_DROP:
            best = min(best, after_throws(&p, 0xE & ~(1 << leader), True, True, False))
    return best


cdef int without(const Pattern* p, uint64_t gone, int spent, int gained, int follows) noexcept nogil:
    """The value after these cards have left the suit, one trick later.

    The defenders in `spent` have one credit less, those in `gained` one more.
    """
    cdef uint64_t mine = p.mine & ~gone, own, part, live = (p.mine | p.own[1] | p.own[2] | p.own[3]) & ~gone
    cdef uint64_t[4] code
    cdef int k, credit, value
    cdef bint fast = FAST and on(FAST_BITS)
    if SAFE[gather(fast, mine, live) | <uint64_t>1 << count(live)]:
        return NEVER
    for k in range(1, 4):
        own = p.own[k] & ~gone
        code[k] = 0
        if own:
            part = own | mine
            credit = p.credits[k]
            if credit < MOST:
                credit += (gained >> k & 1) - (spent >> k & 1)
            if credit >= count(own):
                credit = MOST
            code[k] = (gather(fast, mine, part) | <uint64_t>1 << count(part)) << 5 | <uint64_t>(credit << 3)
            if p.ruffers >> k & 1:
                code[k] |= RUFFS
    value = look_up(code[1], code[2], code[3], follows, NOTHING)
    return NEVER if value == NEVER else value + 1


cdef int choices(const Pattern* p, int defender, bint before, uint64_t* cards, uint64_t* marks) noexcept nogil:
    """What a defender may play to the suit led, one card for each gap, or none; and below what D is then beaten by him.

    Before D it is the card that lies, and a ruff beats all.  Of those who play after D only the lowest card counts, so
    they play their highest.
    """
    cdef uint64_t own = p.own[defender], rest = own, card, above
    cdef int n = 0
    if own and not before:
        cards[0] = top_of(own)
        marks[0] = lowest_of(own)
        n = 1
        rest = 0
    while rest:
        card = lowest_of(rest)
        cards[n] = marks[n] = card
        n += 1
        above = p.mine & ~(card - 1)
        rest &= ~(lowest_of(above) - 1) if above else 0
    if not own or p.ruffers >> defender & 1:
        cards[n] = 0
        marks[n] = 0 if not own else <uint64_t>1 << LONGEST if before else lowest_of(own)
        n += 1
    return n


cdef int after_lead(const Pattern* p, int leader) noexcept nogil:
    """A defender leads the suit."""
    cdef uint64_t[LONGEST + 1] leads, one, two, marks, marks_one, marks_two
    cdef uint64_t answer
    cdef int i, j, k, n, m, o, best = NEVER
    cdef int a = leader % 3 + 1, b = a % 3 + 1
    if not p.own[leader]:
        return NEVER
    n = choices(p, leader, True, leads, marks)
    if not leads[n - 1]:
        n -= 1                  # he leads it, so he does not ruff
    m = choices(p, a, a > leader, one, marks_one)
    o = choices(p, b, b > leader, two, marks_two)
    for i in range(n):
        for j in range(m):
            for k in range(o):
                # D plays his highest card below what lies there or what one of those to come cannot but play.
                answer = p.mine & (max(leads[i], max(marks_one[j], marks_two[k])) - 1)
                if not answer:
                    return 1
                if best > 2:
                    best = min(best, without(p, leads[i] | one[j] | two[k] | top_of(answer), 0, 0, p.follows))
    return best


cdef int after_his_lead(const Pattern* p) noexcept nogil:
    """D leads the suit: his highest card below what one of the others cannot but play."""
    cdef uint64_t[4][LONGEST + 1] cards, marks
    cdef uint64_t led = 0
    cdef int[4] n
    cdef int i, j, k, best = NEVER
    for k in range(1, 4):
        n[k] = choices(p, k, False, cards[k], marks[k])
        led = max(led, marks[k][0])
    led = p.mine & (led - 1) if led else 0
    if not led:
        return 1
    led = top_of(led)
    for i in range(n[1]):
        for j in range(n[2]):
            for k in range(n[3]):
                best = min(best, without(p, led | cards[1][i] | cards[2][j] | cards[3][k], 0, 0, p.follows))
    return best


cdef int after_throws(const Pattern* p, int throwers, bint drop, bint free, bint idle) noexcept nogil:
    """Another suit is led, and some defenders may throw cards of this one, but not all; `idle`: perhaps nobody does.

    With `drop` D is void and throws his highest card.  `free`: it takes no credit, who does not throw gains one, and
    if D leads all may throw.
    """
    cdef uint64_t dropped = top_of(p.mine) if drop and p.mine else 0, gone
    cdef int k, able = 0, who, follows = p.follows, best = NEVER
    if not drop and 0 < follows < MANY:
        follows -= 1
    for k in range(1, 4):
        if throwers >> k & 1 and p.own[k] and (p.credits[k] or free):
            able |= 1 << k
    who = able
    while best > 2:
        gone = dropped
        for k in range(1, 4):
            if who >> k & 1:
                gone |= top_of(p.own[k])
        if free:
            best = min(best, without(p, gone, 0, throwers & ~who, follows))
        elif who == 0xE:
            pass                # one of them is on lead
        elif who and p.follows:
            best = min(best, without(p, gone, who, 0, follows))
        elif not who and idle:
            best = min(best, without(p, gone, 0, 0, p.follows))
        if not who:
            break
        who = (who - 1) & able
    return best


# ---------------------------------------------------------------------------------------------------------
# b. What all suits can do

cdef cards_t unsafe_suits(const Search* s, const cards_t* hand, int seat) noexcept nogil:
    """The lanes in which `seat`, not on lead and without trumps, may be made to win a trick by all the others.

    A suit is safe when his cards and the others' cards, each sorted from the lowest, satisfy d_i < x_i as far as
    both go.  He discards his highest card of it and follows with the highest that is beaten; both keep the
    condition, and so does the loss of any x.
    """
    cdef cards_t live = hand[0] | hand[1] | hand[2] | hand[3], lane, unsafe = 0
    cdef int i
    if not on(SAFE_SUITS):
        return ALL_CARDS
    for i in range(4):
        lane = live & (<cards_t>LANE << (16 * i))
        if not SAFE[gather(s.fast_gather, hand[seat], lane) | <uint64_t>1 << count(lane)]:
            unsafe |= <cards_t>LANE << (16 * i)
    return unsafe


cdef struct Threats:        # what the suits can do to D in a position; defender k sits k places after him
    cards_t hand[4]         # by defender; 0 is D
    numbers_t length[4]     # of each suit by defender
    numbers_t throws[4]     # how many cards at most a defender throws on tricks of a suit
    Suit suit[4]
    int kills[4]            # tricks to kill in an unsafe suit
    int one                 # the only suit that can kill in time, or NONE
    Suit dropping           # the same when D throws from it


cdef inline int number(numbers_t a, int lane) noexcept nogil:
    return <int>(a >> (16 * lane) & 0xFF)


cdef inline int all_but(numbers_t a, int lane) noexcept nogil:
    """The sum over all other lanes."""
    return total(a) - number(a, lane)


cdef void describe_suits(const Search* s, const cards_t* hand, int seat, cards_t which, Threats* t) noexcept nogil:
    """Fill in everything but the tricks to kill, of some suits, for `seat` without trumps."""
    cdef const Rules* r = s.rules
    cdef cards_t live, lane, part
    cdef numbers_t others
    cdef numbers_t[4] longest
    cdef int i, a, b, k, credit, own
    cdef bint ruffs = r.trumps and r.ruff_when_able
    for k in range(4):
        t.hand[k] = hand[(seat + k) % r.players] if k < r.players else 0
        t.length[k] = counts(t.hand[k])
        longest[k] = t.length[k]
        if ruffs:
            longest[k] += number(t.length[k], 0) * <numbers_t>0x0001000100010001
    live = t.hand[0] | t.hand[1] | t.hand[2] | t.hand[3]
    for k in range(1, 4):
        a = k % 3 + 1
        b = a % 3 + 1
        others = t.length[a] + t.length[b]
        t.throws[k] = smaller(others, excess(larger(longest[a], longest[b]), t.length[k]))
        if r.trumps:
            t.throws[k] = (t.throws[k] & ~<numbers_t>0xFF) | (others & 0xFF)
    for i in range(4):
        lane = which & live & (<cards_t>LANE << (16 * i))
        if not lane:
            continue
        t.suit[i].follows = NO_DROP
        for k in range(1, 4):
            own = number(t.length[k], i)
            t.suit[i].cards[k] = 0
            t.suit[i].credits[k] = 0
            if own:
                part = lane & (t.hand[0] | t.hand[k])
                t.suit[i].cards[k] = (gather(s.fast_gather, t.hand[0], part) | <uint64_t>1 << count(part)) << 5
                if ruffs and t.hand[k] & LANE:
                    t.suit[i].cards[k] |= RUFFS
                credit = all_but(t.throws[k], i)
                t.suit[i].credits[k] = credit if credit < own and credit < MOST else MOST


cdef bint find_threats(const Search* s, const cards_t* hand, int seat, int left, cards_t unsafe,
                       Threats* t) noexcept nogil:
    """Whether any suit can make `seat`, who has no trumps and is not on lead, win one of the tricks left.

    `unsafe` is from `unsafe_suits`.  A suit that is the only unsafe one is looked at only with D throwing from it.
    """
    cdef int[4] roles
    cdef int i, k, failed = 0
    cdef bint only
    unsafe &= hand[seat]
    only = unsafe != 0 and unsafe & ~lane_of(unsafe) == 0 and on(DROPPING)
    describe_suits(s, hand, seat, lanes_with(unsafe), t)
    for k in range(4):
        roles[k] = BYSTANDER
    for i in range(4):
        t.kills[i] = NEVER
        if not unsafe & (<cards_t>LANE << (16 * i)):
            continue
        t.kills[i] = 0 if only else tricks_to_kill(&t.suit[i], NOTHING, roles)
        if t.kills[i] <= left:
            failed += 1
            t.one = i
    if failed == 1 and on(DROPPING):
        throw_from(t, t.one)
        k = tricks_to_kill(&t.dropping, NOTHING, roles)
        if only:
            t.kills[t.one] = k
        return k <= left
    t.one = NONE
    return failed > 0


cdef void throw_from(Threats* t, int lane) noexcept nogil:
    """Set up the suit from which D throws a card whenever he is void.

    In other suits he follows as often as he has cards of them.  Of these tricks a defender throws on no more than
    are left when he has played his own cards of the suit, unless he has thrown one of them before.
    """
    cdef int k
    t.dropping = t.suit[lane]
    t.dropping.follows = min(all_but(t.length[0], lane), MANY)
    for k in range(1, 4):
        if t.dropping.cards[k]:
            t.dropping.credits[k] = min(
                t.dropping.credits[k], all_but(smaller(t.throws[k], excess(t.length[0], t.length[k])), lane))


cdef cards_t leads_that_hurt(const Search* s, Threats* t, int leader, int left) noexcept nogil:
    """The lanes that defender `leader` may lead with any hope to kill.

    Here it counts who could throw cards in this very trick, and whether D is void.
    """
    cdef const Rules* r = s.rules
    cdef cards_t lane, hurting = 0
    cdef int[4] led, thrown
    cdef int i, k, u, one
    cdef bint harm, idle
    if not on(ONE_AHEAD):
        return ALL_CARDS
    for k in range(4):
        led[k] = LEADER if k == leader else BYSTANDER
    for u in range(4):
        lane = <cards_t>LANE << (16 * u)
        if not t.hand[leader] & lane:
            continue
        idle = True
        for k in range(1, 4):
            thrown[k] = BYSTANDER
            if k != leader and t.hand[k] and (not t.hand[k] & lane or (
                    u == 0 and r.trumps and r.jack_exempt and t.hand[k] & lane == r.jack)):
                thrown[k] = THROWER
                idle = False
        one = t.one
        if one == NONE:
            for i in range(4):
                if t.kills[i] > left:
                    continue
                if i == u:
                    harm = tricks_to_kill(&t.suit[i], SUIT_LED, led) <= left
                elif idle:
                    harm = t.kills[i] < left
                else:
                    harm = tricks_to_kill(&t.suit[i], OTHER_LED, thrown) <= left
                if harm:
                    if one != NONE or not on(DROPPING):
                        hurting |= lane
                        break
                    one = i
            else:
                if one == NONE:
                    continue
                throw_from(t, one)
        if hurting & lane:
            continue
        if one == u:
            harm = tricks_to_kill(&t.dropping, SUIT_LED, led) <= left
        else:
            harm = tricks_to_kill(&t.dropping, OTHER_LED if number(t.length[0], u) else OTHER_LED_AND_DROP, thrown) <= left
        if harm:
            hurting |= lane
    return hurting


cdef bint some_lead_is_dry(const Search* s, const cards_t* hand, int lone, int left) noexcept nogil:
    """Whether D, on lead without trumps, has a lead after which no suit can make him win one of the tricks left.

    He leads his highest card of a suit that surely is beaten.  A defender without the suit may throw a card there and
    then; that takes no credit, because credits are for tricks that others lead.
    """
    cdef const Rules* r = s.rules
    cdef cards_t unsafe = unsafe_suits(s, hand, lone), lane
    cdef int[4] thrown, nobody
    cdef int i, k, u, one
    cdef bint harm
    cdef Threats t
    if not on(HIS_LEAD):
        return False
    describe_suits(s, hand, lone, lanes_with(hand[lone]), &t)
    for k in range(4):
        nobody[k] = BYSTANDER
    for u in range(4):
        lane = <cards_t>LANE << (16 * u)
        if not t.hand[0] & lane or tricks_to_kill(&t.suit[u], HE_LEADS_IT, nobody) == 1:
            continue
        for k in range(1, 4):
            thrown[k] = THROWER if t.hand[k] and not t.hand[k] & lane else BYSTANDER
        one = NONE
        for i in range(4):
            if i == u:
                harm = tricks_to_kill(&t.suit[i], HE_LEADS_IT, nobody) <= left
            else:
                harm = unsafe & (<cards_t>LANE << (16 * i)) and t.hand[0] & (<cards_t>LANE << (16 * i)) and (
                    tricks_to_kill(&t.suit[i], HE_LEADS_OTHER, thrown) <= left)
            if harm:
                if one != NONE:
                    break
                one = i
        else:
            if one == NONE:
                return True
            if on(DROPPING):
                throw_from(&t, one)
                if one == u:
                    harm = tricks_to_kill(&t.dropping, HE_LEADS_IT, nobody) <= left
                else:
                    harm = tricks_to_kill(&t.dropping, HE_LEADS_OTHER, thrown) <= left
                if not harm:
                    return True
    return False


# ---------------------------------------------------------------------------------------------------------
# c. A looser game
#
# Between two neighbouring cards of D in a suit the ranks of the others' cards do not matter for whether D wins a
# trick; they matter for which defender wins it.  In the looser game the defenders choose that: the winner may be
# anybody who played, in the suit that wins, a card of the same gap as the winning card, or any who followed in a
# safe suit.  They may also undertrump as they like.  The true winner and the true moves are among those offered,
# so if D makes the looser game, he makes it.  All positions that differ only in the order of cards inside a gap
# or in the ranks of a safe suit are one.

cdef bint sheds_trumps(const Rules* r, const cards_t* hand, int lone, cards_t live) noexcept nogil:
    """Whether D, not on lead, surely loses no trick with his trumps, when his plain suits are safe.

    Where D may throw a trump under a higher one that lies in the trick, and never has to ruff: the player before him
    has as many, all of them higher than D's.  D throws one under each that this player plays.  So D has no more
    trumps than he; when D has only trumps left, the other has only trumps too, and plays before D.  When a lower
    trump than D's is led, the other has to follow; so if there is one, an exempt jack does not count.  That D
    meanwhile keeps plain cards does no harm in safe suits.
    """
    cdef cards_t mine = hand[lone] & LANE, others = hand[lone - 1 if lone else r.players - 1] & LANE
    cdef cards_t top = top_of(mine)
    if (not on(SHEDDING) or r.undertrump not in (FREE, NO_HIGHER) or not r.ruff_when_able or r.must_ruff
            or r.players < 3 or others & (top - 1)):
        return False
    if r.jack_exempt and live & LANE & ~mine & (top - 1):
        others &= ~r.jack
    return count(others) >= count(mine)


cdef inline cards_t loose_legal(const Rules* r, cards_t hand, const Trick* t) noexcept nogil:
    """At least the cards that a defender may play to a trick that another led."""
    cdef cards_t following = hand & t.led
    if not following:
        return hand
    if not r.trumps:
        return following
    if t.led & LANE:
        if r.jack_exempt and following == r.jack:
            return hand
        return following
    if r.ruff_when_able:
        return following | (hand & LANE)
    return following


cdef cards_t best_beaten(const Search* s, const cards_t* hand, cards_t cards, int seat, const Trick* t, int laid,
                         int side, bint loose) noexcept nogil:
    """Of each suit of `cards` the highest that surely does not win this trick, see `surely_beaten`."""
    cdef cards_t card, kept = 0
    while cards:
        card = top_of(cards)
        cards ^= card
        if surely_beaten(s, hand, card, seat, t, laid, side, loose):
            kept |= card
            cards &= ~lane_of(card)
    return kept


cdef cards_t one_a_gap(const Rules* r, cards_t moves, cards_t walls) noexcept nogil:
    """Of the moves one for each gap between `walls`, cards of D; and the jack."""
    cdef cards_t rest = moves & ~r.jack, kept = moves & r.jack, card, lane, above
    while rest:
        card = lowest_of(rest)
        kept |= card
        lane = lane_of(card)
        above = walls & lane & ~(card - 1)
        rest &= ~(lane & ((lowest_of(above) - 1) if above else ~<cards_t>0))
    return kept


cdef bint stays_dry(Search* s, cards_t* hand, int lone, int leaders, int left, bint owed, cards_t* hurting) noexcept nogil:
    """Whether D makes the looser game whoever of `leaders`, some defenders or D, is on lead.

    With `owed` D still has to win one trick.  `hurting`, if wanted: see `search_loosely`.
    """
    cdef const Rules* r = s.rules
    cdef cards_t mine = hand[lone], live = hand[0] | hand[1] | hand[2] | hand[3], unsafe = ALL_CARDS
    cdef int i, k = lone
    cdef bint on_lead = leaders == 1 << lone, trumps = r.trumps and mine & LANE, searched, by_suits
    cdef uint64_t gaps = 0, rest, h
    cdef Loose* place
    cdef Threats threats
    if trumps and trump_must_win(r, hand, 1 << lone, live & ~mine, r.jack if owed and s.only_jack else 0,
                                 2 if owed and not s.only_jack else 1):
        return False
    if not owed and not on_lead:
        unsafe = unsafe_suits(s, hand, lone)
        if trumps:
            if not unsafe & ~<cards_t>LANE and sheds_trumps(r, hand, lone, live):
                return True
            unsafe |= LANE
        elif not unsafe:
            return True

    # Is the answer known?  Of each defender it counts how many cards he has in each gap, or in a safe suit.
    for i in range(3):
        k = (k + 1) & 3
        gaps = gaps << 20 | gather(s.fast_gather, mine & unsafe | LANE_ENDS, mine | hand[k] | LANE_ENDS)
    h = counts(mine)
    rest = (h | h >> 12 | h >> 24 | h >> 36) & 0xFFFF
    rest |= gather(s.fast_gather, unsafe, FIRST_PLACES) << 16 | <uint64_t>owed << 20
    if live & r.jack:
        rest |= <uint64_t>(1 + owner(hand, r.jack)) << 21
    h = (gaps ^ rest * <uint64_t>0xA24BAED4963EE407) * <uint64_t>0x9E3779B97F4A7C15
    h ^= h >> 32
    h *= <uint64_t>0xD6E8FEB86659FD93
    place = s.loose + ((h >> (64 - LOOSE_BITS)) & ~<uint64_t>1)
    rest |= <uint64_t>s.generation << 32
    for i in range(2):
        if place[i].gaps == gaps and place[i].rest >> 8 == rest:
            if place[i].rest & leaders:
                return False
            leaders &= ~(<int>(place[i].rest >> 4) & 0xF)
            if not leaders:
                return True
            break
    by_suits = on(THREATS) and not (trumps or owed or on_lead)
    if by_suits and not find_threats(s, hand, lone, left, unsafe, &threats):
        return True
    for k in range(r.players):
        if leaders >> k & 1:
            if on_lead:
                searched = leads_well(s, hand, lone, left)
            else:
                searched = search_loosely(s, hand, lone, k, left, owed, unsafe, &threats if by_suits else NULL, hurting)
            if s.aborted:
                return False
            i = 1 if place[1].gaps == gaps and place[1].rest >> 8 == rest else 0
            if place[i].gaps != gaps or place[i].rest >> 8 != rest:
                # The older of the two goes.
                place[1] = place[0]
                place[0].gaps = gaps
                place[0].rest = rest << 8
            place[i].rest |= <uint64_t>1 << (k + 4 * searched)
            if not searched:
                return False
    return True


cdef cards_t leads_against_the_jack(Search* s, const cards_t* hand, int lone, int leader, int left) noexcept nogil:
    """What `leader` may lead with any hope against a D who owes a trick and keeps the trump jack for the last one.

    He never has to play it before, so until then it is as if he did not have it: what he may play without it he may
    play with it.
    """
    cdef const Rules* r = s.rules
    cdef cards_t[4] rest
    cdef cards_t unsafe
    cdef int k
    cdef Threats threats
    if not on(KEPT_JACK) or not r.jack_exempt or not hand[lone] & r.jack:
        return ALL_CARDS
    for k in range(4):
        rest[k] = hand[k]
    rest[lone] ^= r.jack
    unsafe = unsafe_suits(s, rest, lone)
    if rest[lone] & LANE:
        if not unsafe & ~<cards_t>LANE and sheds_trumps(r, rest, lone, rest[0] | rest[1] | rest[2] | rest[3]):
            return 0
        return ALL_CARDS
    if not unsafe:
        return 0
    if not on(THREATS):
        return ALL_CARDS
    if not find_threats(s, rest, lone, left - 1, unsafe, &threats):
        return 0
    return leads_that_hurt(s, &threats, (leader - lone + r.players) % r.players, left - 1)


cdef bint leads_well(Search* s, cards_t* hand, int lone, int left) noexcept nogil:
    """The same when D has won the trick that he owed and is on lead: of each suit his highest card that is beaten."""
    cdef const Rules* r = s.rules
    cdef cards_t mine = hand[lone], leads = mine, rest, card
    cdef bint made = False
    cdef Trick t
    # With three tricks left a search is as quick.
    if left > 3 and not (r.trumps and mine & LANE) and on(THREATS) and some_lead_is_dry(s, hand, lone, left):
        return True
    if s.end - left < r.trump_leads and r.trumps and mine & LANE:
        leads = mine & LANE
    rest = leads = best_beaten(s, hand, leads, lone, NULL, 0, 1 << lone, True)
    # First one after which all is safe.
    while rest and not made:
        card = lowest_of(rest)
        rest ^= card
        hand[lone] = mine ^ card
        made = not (r.trumps and hand[lone] & LANE) and not unsafe_suits(s, hand, lone)
    while leads and not made:
        card = lowest_of(leads)
        leads ^= card
        hand[lone] = mine ^ card
        lead(r, &t, card, lone, NO_CALL)
        s.laid[left][lone] = card
        s.plays += 1
        made = loose_play(s, hand, mine, lone, &t, 1, next_seat(r, lone), left, False)
    hand[lone] = mine
    return made


cdef bint search_loosely(Search* s, cards_t* hand, int lone, int leader, int left, bint owed, cards_t unsafe,
                         Threats* threats, cards_t* hurting) noexcept nogil:
    """The same for one defender on lead, by trying his leads; `hurting` are the lanes of those with any hope."""
    cdef const Rules* r = s.rules
    cdef cards_t moves = hand[leader], walls = hand[lone] & unsafe, hopeful = ALL_CARDS, card
    cdef int[MAX_MOVES] score
    cdef cards_t[MAX_MOVES] cards
    cdef int i, k, n = 0, best
    cdef bint made
    cdef Trick t
    if threats != NULL:
        hopeful = leads_that_hurt(s, threats, (leader - lone + r.players) % r.players, left)
    elif owed:
        hopeful = leads_against_the_jack(s, hand, lone, leader, left)
    if hurting != NULL:
        hurting[0] = hopeful
    moves = one_a_gap(r, moves & hopeful, walls)
    while moves:
        card = lowest_of(moves)
        moves ^= card
        score[n] = dry_score(r, walls, lone, card, leader, 0, NULL)
        cards[n] = card
        n += 1
    for i in range(n):
        best = i
        for k in range(i + 1, n):
            if score[k] > score[best]:
                best = k
        card = cards[best]
        cards[best] = cards[i]
        score[best] = score[i]
        lead(r, &t, card, leader, NO_CALL)
        hand[leader] ^= card
        s.laid[left][leader] = card
        s.plays += 1
        made = loose_play(s, hand, walls, lone, &t, 1, next_seat(r, leader), left, owed)
        hand[leader] ^= card
        if not made:
            return False
    return True


cdef int danger_after(const Search* s, int lone, int seat, cards_t card, int left) noexcept nogil:
    """How much single suits threaten D once `seat` has played `card`; it decides only the order of moves."""
    cdef cards_t[4] hand
    cdef cards_t unsafe
    cdef int i, total = 0
    cdef Threats t
    for i in range(4):
        hand[i] = s.hand[i]
    hand[seat] ^= card
    unsafe = unsafe_suits(s, hand, lone)
    if unsafe:
        find_threats(s, hand, lone, left, unsafe, &t)
        for i in range(1 if s.rules.trumps else 0, 4):
            if unsafe & (<cards_t>LANE << (16 * i)):
                total += 20 + max(0, 10 - t.kills[i]) * 4
    return total


cdef bint loose_play(Search* s, cards_t* hand, cards_t walls, int lone, const Trick* t, int laid, int seat, int left,
                     bint owed) noexcept nogil:
    """The same in the middle of a trick; gaps are between `walls`, D's cards of unsafe suits at its start."""
    cdef const Rules* r = s.rules
    cdef cards_t moves, card, lane, floor, rest
    cdef Trick now
    cdef int next = next_seat(r, seat), k, leaders = 0
    cdef bint made = False
    if laid == r.players:
        if t.best_seat == lone:
            if not owed or s.only_jack and t.best != r.jack:
                return False
            return left == 1 or stays_dry(s, hand, lone, 1 << lone, left - 1, False, NULL)
        if left == 1:
            return not owed
        lane = lane_of(t.best)
        floor = walls & lane & (t.best - 1)
        rest = t.played & lane & (~((top_of(floor) << 1) - 1) if floor else ~<cards_t>0)
        for k in range(r.players):
            if k != lone and rest & s.laid[left][k]:
                leaders |= 1 << k
        return stays_dry(s, hand, lone, leaders, left - 1, owed, NULL)
    if s.plays >= s.next_look:
        look(s)
        if s.aborted:
            return False
    if seat == lone:
        moves = moves_of_interest(s, hand, lone, t, laid, owed)
        if moves == ALL_CARDS:
            return True
    else:
        moves = one_a_gap(r, loose_legal(r, hand[seat], t), walls)
    while moves:
        card = best_loosely(s, walls, lone, moves, t, laid, seat, owed)
        moves ^= card
        now = t[0]
        lay(r, &now, card, seat)
        s.plays += 1
        hand[seat] ^= card
        s.laid[left][seat] = card
        # If D's card is beaten and all his suits are safe now, the rest of the trick does not matter.
        made = (seat == lone and is_through(s, hand, lone, card, owed)
                or loose_play(s, hand, walls, lone, &now, laid + 1, next, left, owed))
        hand[seat] ^= card
        if made == (seat == lone):
            return made
    return made


cdef bint is_through(const Search* s, cards_t* hand, int lone, cards_t card, bint owed) noexcept nogil:
    """Whether D, who has just played `card`, makes it whatever the others play, because all his suits are safe.

    He has no trumps, or owes a trick and keeps the trump jack for it.
    """
    cdef const Rules* r = s.rules
    cdef cards_t mine = hand[lone]
    cdef bint safe
    if owed:
        # Since the jack wins in any case, only plain cards that are beaten are tried.
        if not (on(KEPT_JACK) and on(SURE_TRUMP) and on(MUST_WIN)):
            return False
        if not r.jack_exempt or not mine & r.jack or card & LANE:
            return False
        hand[lone] ^= r.jack
    safe = not (r.trumps and hand[lone] & LANE) and not unsafe_suits(s, hand, lone)
    hand[lone] = mine
    return safe


cdef cards_t moves_of_interest(const Search* s, const cards_t* hand, int lone, const Trick* t, int laid,
                               bint owed) noexcept nogil:
    """The cards that D tries in the looser game; `ALL_CARDS` when nobody can hurt him.

    His highest beaten card of each suit; when he still owes a trick, one of each run of equal cards, save of plain
    suits when he surely wins with a trump.
    """
    cdef const Rules* r = s.rules
    cdef cards_t moves = legal(r, hand[lone], t, lone, 1 << lone), rest = moves, lane = ALL_CARDS
    cdef cards_t kept = 0, card, others, above
    if owed:
        others = (hand[0] | hand[1] | hand[2] | hand[3] | t.played) & ~hand[lone]
        if wins_with_a_trump(r, hand, lone, others):
            rest &= LANE
            kept = best_beaten(s, hand, moves ^ rest, lone, t, laid, 1 << lone, True)
        while rest:
            card = top_of(rest)
            rest ^= card
            above = kept & lane_of(card)
            if not above or card & r.jack or others & (lowest_of(above) - 1) & ~(card - 1) or lowest_of(above) & r.jack:
                kept |= card
        return kept
    if not hand[lone] & t.led:
        # From a safe suit he throws nothing while there is another.
        lane = unsafe_suits(s, hand, lone) & moves
        if r.trumps:
            lane &= ~<cards_t>LANE
        if not lane:
            if not (r.trumps and hand[lone] & LANE):
                return ALL_CARDS
            lane = ALL_CARDS
        if r.trumps:
            lane |= LANE
    return best_beaten(s, hand, moves & lane, lone, t, laid, 1 << lone, True)


cdef cards_t best_loosely(const Search* s, cards_t walls, int lone, cards_t moves, const Trick* t, int laid, int seat,
                          bint owed) noexcept nogil:
    """Which move is tried first.

    A D who owes a trick wins it if he can, because what follows is soon known; else he plays a trump, or a high
    plain card.
    """
    cdef const Rules* r = s.rules
    cdef cards_t card, best = 0
    cdef int score, most = -10000
    cdef bint trump, wins
    if seat == lone and not owed:
        return lowest_of(moves)
    while moves:
        card = top_of(moves)
        moves ^= card
        if seat != lone:
            score = dry_score(r, walls, lone, card, seat, laid, t)
        else:
            trump = r.trumps and card & LANE != 0
            wins = card > t.best if card & lane_of(t.best) else trump
            score = (lowest_index(card) & 15) + 100 * trump
            if wins and (not s.only_jack or card & r.jack):
                score += 200
        if score > most:
            most = score
            best = card
    return best


cdef cards_t promising_leads(Search* s, const Frame* f, int leader, int avoid, int owe) noexcept nogil:
    """What a defender may lead with any hope against a lone player; nothing if he makes it in any case.

    D must win no trick any more, or owes himself one.
    """
    cdef const Rules* r = s.rules
    cdef int lone = lowest_index(f.side), left = s.end - f.trick
    cdef cards_t hurting = 0
    cdef Threats threats
    if not owe and avoid != f.side:
        return ALL_CARDS
    s.only_jack = owe and r.next[f.state][f.trick][lone][0] == LOST_CODE
    # Without trumps D hardly ever makes the looser game while he owes a trick.
    if left >= 3 and on(LOOSER) and (r.trumps or not owe):
        if stays_dry(s, s.hand, lone, 1 << leader, left, owe != 0, &hurting):
            return 0
        if hurting:
            return hurting      # single suits hurt him alike in both games
    if owe:
        return leads_against_the_jack(s, s.hand, lone, leader, left)
    if r.trumps and s.hand[lone] & LANE or not on(THREATS):
        return ALL_CARDS
    if not find_threats(s, s.hand, lone, left, unsafe_suits(s, s.hand, lone), &threats):
        return 0
    return leads_that_hurt(s, &threats, (leader - lone + r.players) % r.players, left)
