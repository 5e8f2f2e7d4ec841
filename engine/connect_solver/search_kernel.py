"""The search of the exact score: null windows, with a table, and without recursion.

score     1 + the pieces that the winner has left when it has won, negative if the side to move loses; 0 is a draw
target    a search answers one question: is the score at least the target? It returns a bound on the score: at least the
          target if the answer is yes, else below it. For the other side the same question has the target 1 - target,
          and the opposite answer
entry     a word of the table: the rest of the key << 20 | (lower bound + 64) << 13 | (upper bound + 64) << 6 | effort.
          The place in the table and the rest give the whole key, so an entry is never mistaken for that of another
          position. It is one word, so that threads which share a table never see half of one
effort    the binary logarithm of the nodes that an entry cost
worth     how often a piece on a square has answered a question with yes, from -1024 to 1024
frame     what the search remembers of a position on the way to the one that it looks at
sign      1 if the side to move is the same as in the frame below, else -1: forced replies have no frame
state     numbers that outlast a slice of the search, numbered below

Each round of the loop in `search` has two halves. The first looks at a new position: it follows forced replies, asks
the static bounds and the table, looks one move ahead, and then either knows a value or adds a frame with the moves in
the order in which they will be tried. The second hands a known value down to the frames that it decides, and then goes
to the next move of the topmost frame that is left. With no frame left the question at the root is answered, and
`narrow` asks the next one.
"""

from engine.compiling.compiler import compiled
from engine.compiling.prefetch_kernel import prefetch
from engine.connect_solver.board_kernel import (
    Lengths,
    Words,
    all_squares,
    bottom_row,
    count,
    mirror_image,
    winning_squares,
)
from engine.connect_solver.bounds_kernel import bound_by_following

SLOTS = 4
"""The entries of a bucket."""
OFFSET = 64
"""The number that is added to a bound to store it."""
MIRRORED_PLIES = 14
"""Positions with fewer pieces share an entry with their mirror image. Later, few mirror images are reached."""

DEPTH, OWN, TAKEN, TARGET, SIGN, ROOT_OWN, ROOT_TAKEN, ROOT_TARGET, LOWER, UPPER, NODES = range(11)
"""The fields of the state: the point where the search goes on, its question, the bounds and the nodes so far."""
WORTH = 11
"""Where the worths of moves begin in the state, by the bit of the square: first of the side that has the move while an
even number of squares is empty, then of the other side."""
STATE_SIZE = WORTH + 2 * 64

F_OWN, F_TAKEN, F_TARGET, F_SIGN, F_BEST, F_KEY, F_COUNT, F_NEXT, F_NODES, F_MOVES = range(10)
"""The fields of a frame. The moves are followed by the squares that would complete a line after each."""

LINE_WORTH, CENTRE_WORTH, BEST_WORTH, WORTH_SHIFT = 2048, 512, 1024, 5
"""How moves are ordered: what a threat, a column nearer to the centre, and the worth of a move at most count; and how
slowly worths change. Chosen on three of the published test sets."""

FIRST_FACTOR, SECOND_FACTOR = 0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9
"""Odd numbers that spread keys over the table."""


@compiled
def mix_key(shape: Lengths, key: int) -> int:
    """Return a key with its bits mixed, so that different keys stay different."""
    bits = len(shape[0]) * (len(shape[1]) + 1)
    word = (1 << bits) - 1
    key = (key * FIRST_FACTOR) & word
    key ^= key >> (bits // 2)
    key = (key * SECOND_FACTOR) & word
    return key ^ (key >> (bits // 2))


@compiled
def key_of(shape: Lengths, own: int, taken: int, pieces: int) -> int:
    """Return a number that tells positions apart, except mirror images in the opening."""
    key = own + taken
    if pieces < MIRRORED_PLIES:
        key = min(key, mirror_image(shape, own) + mirror_image(shape, taken))
    return mix_key(shape, key)


@compiled
def find_entry(table: Words, bits: int, key: int) -> int:
    """Return the entry of a key, 0 if there is none."""
    place, rest = (key & ((1 << bits) - 1)) * SLOTS, key >> bits
    match = 0
    for slot in range(SLOTS):
        entry: int = table[place + slot]
        match = entry if entry >> 20 == rest else match
    return match


@compiled
def store(  # noqa: PLR0913, PLR0917  numbers only, so that they stay in registers
    table: Words, bits: int, key: int, lower: int, upper: int, nodes: int
) -> None:
    """Store the bounds of a key in its entry; if it has none, replace the entry of its bucket that cost least."""
    place, rest = (key & ((1 << bits) - 1)) * SLOTS, key >> bits
    effort = 0
    while nodes > 1:
        nodes >>= 1
        effort += 1
    slot_index, least_effort = place, 64
    for slot in range(SLOTS):
        entry = table[place + slot]
        if entry >> 20 == rest and entry != 0:
            lower = max(lower, (entry >> 13 & 127) - OFFSET)
            upper = min(upper, (entry >> 6 & 127) - OFFSET)
            effort = max(effort, entry & 63)
            slot_index = place + slot
            break
        if entry & 63 < least_effort:
            slot_index, least_effort = place + slot, entry & 63
    table[slot_index] = rest << 20 | (lower + OFFSET) << 13 | (upper + OFFSET) << 6 | effort


@compiled
def copy_entries(source: Words, source_bits: int, table: Words, bits: int) -> None:
    for place in range(len(source)):
        entry: int = source[place]
        if entry:
            key = entry >> 20 << source_bits | place // SLOTS
            store(table, bits, key, (entry >> 13 & 127) - OFFSET, (entry >> 6 & 127) - OFFSET, 1 << (entry & 63))


@compiled
def worth_index(taken: int, first_bit: int, column_mask: int, squares_left: int) -> int:
    """Return the index in the state at which the worth of a drop into a column stands, with `left` squares left."""
    return WORTH + 64 * (squares_left & 1) + first_bit + count(taken & (column_mask << first_bit))


@compiled
def next_target(lower: int, upper: int, squares_left: int) -> int:
    """Return the score to test next, between these bounds, with `left` squares left.

    The first scores are those of a quick win and of a quick loss, which are cheap to refute; then those of a win and of
    a draw, and a third of the way from there to the other bound.
    """
    if lower == -(squares_left // 2) and upper > 0:
        return upper // 2 + 1 if upper == (squares_left - 1) // 2 else -(-lower * 2 // 3)
    if lower < 1 <= upper:
        return 1
    if lower < 0 <= upper:
        return 0
    if lower > 0:
        return lower + (upper - lower + 2) // 3
    return upper - (upper - lower + 2) // 3 + 1


@compiled
def begin(shape: Lengths, state: Words, own: int, taken: int, weak: int) -> None:
    """Prepare a search for the score of a position that nobody has won, or if `weak`, for its sign.

    Both bounds are the score if the side to move wins at once.
    """
    squares_left = len(shape[0]) * len(shape[1]) - count(taken)
    state[:] = 0
    if squares_left and winning_squares(shape, own) & (taken + bottom_row(shape)) & all_squares(shape):
        state[LOWER] = state[UPPER] = (squares_left + 1) // 2
        return
    lower, upper = -(squares_left // 2), max(0, (squares_left - 1) // 2)
    if weak:
        lower, upper = max(lower, -1), min(upper, 1)
    state[OWN], state[TAKEN], state[ROOT_OWN], state[ROOT_TAKEN] = own, taken, own, taken
    state[LOWER], state[UPPER], state[SIGN] = lower, upper, 1
    state[TARGET] = state[ROOT_TARGET] = next_target(lower, upper, squares_left)


@compiled
def narrow(shape: Lengths, state: Words, value: int) -> None:
    """Narrow the bounds of the root by the value that the search has found, and set the next target."""
    if value >= state[ROOT_TARGET]:
        state[LOWER] = max(state[LOWER], value)
    else:
        state[UPPER] = min(state[UPPER], value)
    state[OWN], state[TAKEN], state[SIGN] = state[ROOT_OWN], state[ROOT_TAKEN], 1
    squares_left = len(shape[0]) * len(shape[1]) - count(state[ROOT_TAKEN])
    state[TARGET] = state[ROOT_TARGET] = next_target(state[LOWER], state[UPPER], squares_left)


@compiled
def safe_moves(possible: int, threats: int) -> int:
    """Return which of the possible moves do not lose at once to these threats of the other side, 0 if none."""
    safe = possible & ~(threats >> 1)
    forced = possible & threats
    if forced:
        safe = 0 if forced & (forced - 1) else safe & forced
    return safe


@compiled
def add_in_order(frames: Words, depth: int, number: int, packed: int) -> None:
    """Add a move to the `number` moves of a frame, packed as its score << 5 | its column, the largest first."""
    place = number
    while place > 0 and frames[depth, F_MOVES + place - 1] < packed:
        frames[depth, F_MOVES + place] = frames[depth, F_MOVES + place - 1]
        place -= 1
    frames[depth, F_MOVES + place] = packed


@compiled
def learn_worths(shape: Lengths, state: Words, frames: Words, depth: int) -> None:
    """Raise the worth of the last move tried in a frame, which reached the target; lower that of those before it."""
    width, tried = len(shape[1]) + 1, frames[depth, F_NEXT]
    taken = frames[depth, F_TAKEN]
    squares_left = len(shape[0]) * len(shape[1]) - count(taken)
    for number in range(tried):
        first_bit = (frames[depth, F_MOVES + number] & 31) * width
        place = worth_index(taken, first_bit, (1 << len(shape[1])) - 1, squares_left)
        goal = BEST_WORTH if number == tried - 1 else -BEST_WORTH
        state[place] += (goal - state[place]) >> WORTH_SHIFT


@compiled
def wins_in_two(shape: Lengths, own: int, taken: int, moves: int) -> bool:
    """Return whether one of these moves of a side that cannot win at once forces a win with its next piece."""
    columns, width = len(shape[0]), len(shape[1]) + 1
    board, bottom = all_squares(shape), bottom_row(shape)
    column_mask = (1 << (width - 1)) - 1
    for column in range(columns):
        move = moves & (column_mask << column * width)
        if move:
            after = taken | move
            lines = winning_squares(shape, own | move) & ~after
            if safe_moves((after + bottom) & board, lines) == 0:
                return True
    return False


@compiled
def search(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917  one loop: calls would move the words out of registers
    shape: Lengths, table: Words, bits: int, state: Words, frames: Words, budget: int
) -> None:
    """Continue a search until the bounds of the root meet, for at most `budget` nodes.

    The side to move at the root cannot win at once, and the game is not over.
    """
    columns, rows = len(shape[0]), len(shape[1])
    size, width = columns * rows, rows + 1
    board, bottom = all_squares(shape), bottom_row(shape)
    column_mask = (1 << rows) - 1
    depth, own, taken, target, sign = state[DEPTH], state[OWN], state[TAKEN], state[TARGET], state[SIGN]
    nodes = state[NODES]
    end = nodes + budget
    was_bounded = False  # whether the static bound was asked, in vain, when the position was one of the replies
    while nodes < end:
        # a new position: make the moves without a choice, and try all that spares a search
        nodes += 1
        pieces = count(taken)
        known = True
        key, low, high = 0, 0, 0
        while True:
            other = taken ^ own
            possible = (taken + bottom) & board
            threats = winning_squares(shape, other)
            moves = safe_moves(possible, threats)
            if moves == 0:
                value = -((size - pieces) // 2)
                break
            if pieces >= size - 2:
                value = 0
                break
            low = -((size - 2 - pieces) // 2)
            if low >= target:
                value = low
                break
            high = (size - 1 - pieces) // 2
            if high < target:
                value = high
                break
            if moves & (moves - 1):
                known = False
                break
            own, taken, target, sign, pieces = other, taken | moves, 1 - target, -sign, pieces + 1
            was_bounded = False
        # The question is whether one side wins soon enough: the side to move if the target is above 0, else the other.
        # `soon` is the number of moves that it has for that, the winning one included. With two, every answer is seen
        # without a search: it must win by its next move's double threat. (It cannot win at once, so one is too few.)
        soon = (size + 1 - pieces) // 2 - target + 1 if target > 0 else (size - pieces) // 2 + target
        if not known and soon == 2 and target > 0:
            value, known = (size - 3 - pieces) // 2 + wins_in_two(shape, own, taken, moves), True
        if not known:
            key = key_of(shape, own, taken, pieces)
            entry = find_entry(table, bits, key)
            if entry:
                low, high = max(low, (entry >> 13 & 127) - OFFSET), min(high, (entry >> 6 & 127) - OFFSET)
                if low >= target:
                    value, known = low, True
                elif high < target:
                    value, known = high, True
        if not known and not was_bounded:
            bound = bound_by_following(shape, own, taken, possible, threats, target)
            if bound < target:
                value, known = bound, True
        if not known:
            # look one move ahead: does a move leave no safe reply? fetch what the table has of the others
            best, number = low, 0
            for column in range(columns):
                move = moves & (column_mask << column * width)
                if move:
                    after = taken | move
                    lines = winning_squares(shape, own | move) & ~after
                    frames[depth, F_MOVES + columns + column] = lines
                    if safe_moves((after + bottom) & board, lines) == 0:
                        value, known = (size - 1 - pieces) // 2, True
                        break
                    if soon != 2:
                        reply_key = key_of(shape, other, after, pieces + 1)
                        frames[depth, F_MOVES + 2 * columns + column] = reply_key
                        prefetch(table, (reply_key & ((1 << bits) - 1)) * SLOTS)
        if not known:
            # Does a bound or the table decide a move? The rest are put in order. If the other side must win in its next
            # two moves to win in time, every move is decided here: it is good enough unless that side then wins in two.
            for column in range(columns):
                move = moves & (column_mask << column * width)
                if move == 0:
                    continue
                after, lines = taken | move, frames[depth, F_MOVES + columns + column]
                if soon == 2:
                    if wins_in_two(shape, other, after, safe_moves((after + bottom) & board, lines)):
                        continue
                    value, known = target, True
                    break
                if lines & (after + bottom) == 0:
                    bound = bound_by_following(shape, other, after, (after + bottom) & board, lines, 1 - target)
                    if bound < 1 - target:
                        value, known = -bound, True
                        break
                    entry = find_entry(table, bits, frames[depth, F_MOVES + 2 * columns + column])
                    if entry:
                        least_effort = OFFSET - (entry >> 6 & 127)
                        if least_effort >= target:
                            value, known = least_effort, True
                            break
                        most = OFFSET - (entry >> 13 & 127)
                        if most < target:
                            best = max(best, most)
                            continue
                worth = state[worth_index(taken, column * width, column_mask, size - pieces)]
                score = LINE_WORTH * count(lines) + CENTRE_WORTH * min(column, columns - 1 - column) + worth
                add_in_order(frames, depth, number, score << 5 | column)
                number += 1
            if not known and number == 0:
                value, known = best, True
            if soon == 2:
                lower, upper = (value, OFFSET - 1) if value >= target else (1 - OFFSET, value)
                store(table, bits, key, lower, upper, 1)
            if not known:
                frames[depth, F_OWN], frames[depth, F_TAKEN] = own, taken
                frames[depth, F_TARGET], frames[depth, F_SIGN] = target, sign
                frames[depth, F_BEST], frames[depth, F_KEY] = best, key
                frames[depth, F_COUNT], frames[depth, F_NEXT] = number, 0
                frames[depth, F_NODES] = nodes
                depth += 1
        # hand a value back to the frames that it decides
        finished = False
        while known:
            value *= sign
            if depth == 0:
                finished = True
                break
            sign, target = frames[depth - 1, F_SIGN], frames[depth - 1, F_TARGET]
            if value >= target:
                learn_worths(shape, state, frames, depth - 1)
                store(table, bits, frames[depth - 1, F_KEY], value, OFFSET - 1, nodes - frames[depth - 1, F_NODES])
                depth -= 1
                continue
            frames[depth - 1, F_BEST] = max(frames[depth - 1, F_BEST], value)
            if frames[depth - 1, F_NEXT] < frames[depth - 1, F_COUNT]:
                break
            value = frames[depth - 1, F_BEST]
            store(table, bits, frames[depth - 1, F_KEY], 1 - OFFSET, value, nodes - frames[depth - 1, F_NODES])
            depth -= 1
        if finished:
            narrow(shape, state, value)
            if state[LOWER] >= state[UPPER]:
                break
            own, taken, target, sign = state[OWN], state[TAKEN], state[TARGET], state[SIGN]
            was_bounded = False
            continue
        column = frames[depth - 1, F_MOVES + frames[depth - 1, F_NEXT]] & 31
        prefetch(table, (frames[depth - 1, F_MOVES + 2 * columns + column] & ((1 << bits) - 1)) * SLOTS)
        frames[depth - 1, F_NEXT] += 1
        own, taken = frames[depth - 1, F_TAKEN] ^ frames[depth - 1, F_OWN], frames[depth - 1, F_TAKEN]
        taken |= (taken + bottom) & (column_mask << column * width)
        target, sign, was_bounded = 1 - frames[depth - 1, F_TARGET], -1, True
    state[DEPTH], state[OWN], state[TAKEN], state[TARGET], state[SIGN] = depth, own, taken, target, sign
    state[NODES] = nodes
