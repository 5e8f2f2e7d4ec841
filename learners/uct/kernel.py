"""Monte-Carlo tree search with upper confidence bounds, and with a solver.

After L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo Planning" (ECML 2006): from each node, a playout goes on to
the child with the largest upper bound. The bound is the mean worth of the child plus the square root of 2 ln N / n, for
N visits of the node and n of the child. Children without a visit come first.

The solver is that of M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo Tree Search Solver" (Computers and Games
2008): proven results are passed up the tree, and proven children are not visited again. Draws are proven as well, as in
T. Cazenave and A. Saffidine, "Score Bounded Monte-Carlo Tree Search" (Computers and Games 2010).

`learners.uct.kernel_tables` explains the words. For games that have no `PlayoutRules`, `learners.uct.interpreted` calls
`descend`, `add_child`, `prove_by_children`, `next_child` and `back_up` from Python, and makes the moves itself.
"""

import math

from engine.compiling.compiler import compiled
from learners.core.kernel_games import pick, step
from learners.core.kernel_tables import DRAWN, NOT_OVER, Counts
from learners.uct.kernel_tables import DRAW, LOSS, OPEN, WIN, Nodes, PlayoutRules


@compiled
def next_child(nodes: Nodes, node: int) -> int:
    """Return the child to visit: the first without a visit, else that with the largest upper bound."""
    visits, points, proven = nodes.visits, nodes.points, nodes.proven
    first = int(nodes.first[node])
    twice_log = 2 * math.log(max(1, int(visits[node])))
    best, most = first, -1.0
    for child in range(first, first + int(nodes.children[node])):
        if proven[child] != OPEN:
            continue
        visited = int(visits[child])
        if visited == 0:
            return child
        bound = int(points[child]) / (WIN * visited) + math.sqrt(twice_log / visited)
        if bound > most:
            best, most = child, bound
    return best


@compiled
def descend(nodes: Nodes) -> int:
    """Go down from the root to a node that is not expanded, and fill `nodes.path`; return the number of plies."""
    node, plies = 0, 0
    while nodes.children[node] > 0:
        node = next_child(nodes, node)
        plies += 1
        nodes.path[plies] = node
    return plies


@compiled
def add_child(  # noqa: PLR0913, PLR0917  one parameter a column
    nodes: Nodes, node: int, move: int, here: int, there: int, proven: int, generator: Counts
) -> None:
    """Add a child in a random place among its siblings, since unvisited children are visited in the order of places.

    This takes one draw. The children of a node must be added directly after each other. `proven` is what the child is
    proven to be worth, or `OPEN`.
    """
    last, count = int(nodes.used[0]), int(nodes.children[node])
    if count == 0:
        nodes.first[node] = last
    draw, low, high = step(int(generator[0]), int(generator[1]))
    generator[0], generator[1] = low, high
    place = int(nodes.first[node]) + pick(draw, count + 1)
    nodes.move[last], nodes.proven[last] = nodes.move[place], nodes.proven[place]
    nodes.here[last], nodes.there[last] = nodes.here[place], nodes.there[place]
    nodes.move[place], nodes.proven[place] = move, proven
    nodes.here[place], nodes.there[place] = here, there
    nodes.used[0] = last + 1
    nodes.children[node] = count + 1
    if proven == OPEN:
        nodes.unproven[node] += 1
    else:
        nodes.best_proven[node] = max(int(nodes.best_proven[node]), proven)


@compiled
def prove_by_children(nodes: Nodes, node: int) -> None:
    """Mark a node as proven if one of its children is a proven win for the side to move, or all are proven."""
    if nodes.best_proven[node] == WIN or nodes.unproven[node] == 0:
        nodes.proven[node] = WIN - int(nodes.best_proven[node])


@compiled
def back_up(nodes: Nodes, plies: int, points: int) -> None:
    """Count a playout in the nodes of `nodes.path`, and prove what follows from it.

    `points` are those of the side that made the last ply. If a node has a child that is proven to be worth more to the
    side to move than this playout, the points of that child count instead, since this side can choose the child.
    """
    for ply in range(plies, -1, -1):
        node = int(nodes.path[ply])
        nodes.visits[node] += 1
        nodes.points[node] += points
        if ply > 0:
            parent, proven = int(nodes.path[ply - 1]), int(nodes.proven[node])
            if proven != OPEN:  # this playout has proven it: a child that is already proven is never visited
                nodes.best_proven[parent] = max(int(nodes.best_proven[parent]), proven)
                nodes.unproven[parent] -= 1
                prove_by_children(nodes, parent)
            points = WIN - max(points, int(nodes.best_proven[parent]))


@compiled
def open_squares(taken: int, rules: PlayoutRules) -> int:
    return rules.full & ~taken & (taken >> rules.columns | rules.floor)


@compiled
def has_row(mask: int, rules: PlayoutRules) -> bool:
    for direction in range(len(rules.steps)):
        row_step = int(rules.steps[direction])
        rows = mask & int(rules.starts[direction])
        for place in range(1, rules.in_a_row):
            rows &= mask >> place * row_step
        if rows != 0:
            return True
    return False


@compiled
def count_bits(mask: int) -> int:
    """Return the number of bits of a mask, which is below 2^62."""
    mask -= mask >> 1 & 0x1555_5555_5555_5555
    mask = (mask & 0x3333_3333_3333_3333) + (mask >> 2 & 0x3333_3333_3333_3333)
    mask = mask + (mask >> 4) & 0x0F0F_0F0F_0F0F_0F0F
    mask += mask >> 8
    mask += mask >> 16
    return mask + (mask >> 32) & 0x7F


@compiled
def square_of(bit: int) -> int:
    """Return the square whose bit is the only one of a mask."""
    return count_bits(bit - 1)


@compiled
def expand(nodes: Nodes, node: int, rules: PlayoutRules, generator: Counts) -> None:
    """Add the children of a node at which the game is not over. Children at which the game is over are proven."""
    if rules.on_board:
        own, enemy = int(nodes.here[node]), int(nodes.there[node])
        open_mask = open_squares(own | enemy, rules)
        while open_mask != 0:
            bit = open_mask & -open_mask
            open_mask ^= bit
            after = own | bit
            proven = rules.completed if has_row(after, rules) else DRAW if after | enemy == rules.full else OPEN
            add_child(nodes, node, square_of(bit), enemy, after, proven, generator)
    else:
        space, position = rules.space, int(nodes.here[node])
        for edge in range(int(space.first_edge[position]), int(space.first_edge[position + 1])):
            target = int(space.target[edge])
            outcome, proven = int(space.outcome[target]), OPEN
            if outcome != NOT_OVER:
                proven = DRAW if outcome == DRAWN else WIN if outcome == int(space.side[position]) else LOSS
            add_child(nodes, node, edge, target, 0, proven, generator)
    prove_by_children(nodes, node)


@compiled
def play_space(position: int, rules: PlayoutRules, generator: Counts) -> int:
    """Play random moves to the end of the game; return the points of the side that is not to move in `position`.

    Each move takes one draw u, 0 ≤ u < 2^32, and is move number floor(u × n / 2^32) of n.
    """
    first_edge, target, outcome = rules.space.first_edge, rules.space.target, rules.space.outcome
    low, high = int(generator[0]), int(generator[1])
    mover = int(rules.space.side[position])
    outcome_reached = int(outcome[position])
    while outcome_reached == NOT_OVER:
        first = int(first_edge[position])
        draw, low, high = step(low, high)
        position = int(target[first + pick(draw, int(first_edge[position + 1]) - first)])
        outcome_reached = int(outcome[position])
    generator[0], generator[1] = low, high
    return DRAW if outcome_reached == DRAWN else LOSS if outcome_reached == mover else WIN


@compiled
def play_board(own: int, enemy: int, rules: PlayoutRules, generator: Counts) -> int:
    """Do the same as `play_space` on a board that is not full, and on which neither side has a row."""
    low, high = int(generator[0]), int(generator[1])
    # the points to return if the side to move completes a row, and if the other side does
    points, other_points = WIN - rules.completed, rules.completed
    while True:
        open_mask = open_squares(own | enemy, rules)
        if open_mask == 0:
            points = DRAW
            break
        draw, low, high = step(low, high)
        for _ in range(pick(draw, count_bits(open_mask))):
            open_mask &= open_mask - 1
        own |= open_mask & -open_mask
        if has_row(own, rules):
            break
        own, enemy, points, other_points = enemy, own, other_points, points
    generator[0], generator[1] = low, high
    return points


@compiled
def run_playouts(times: int, nodes: Nodes, rules: PlayoutRules, generator: Counts) -> int:
    """Run playouts; return how many were run: fewer than `times` if the root is proven first.

    A playout goes down to a node that is not expanded. If the node was visited before and there is room, the playout
    expands it and, unless that proves the node, goes on to a child. If the last node is not proven, random moves follow
    to the end of the game. Last, the result is counted in all nodes of the path.
    """
    if nodes.children[0] == 0:
        expand(nodes, 0, rules, generator)
    for done in range(times):
        if nodes.proven[0] != OPEN:
            return done
        plies = descend(nodes)
        node = int(nodes.path[plies])
        if nodes.visits[node] > 0 and int(nodes.used[0]) + rules.widest <= len(nodes.visits):
            expand(nodes, node, rules, generator)
            if nodes.proven[node] == OPEN:
                node = next_child(nodes, node)
                plies += 1
                nodes.path[plies] = node
        points = int(nodes.proven[node])
        if points == OPEN:
            if rules.on_board:
                points = play_board(int(nodes.here[node]), int(nodes.there[node]), rules, generator)
            else:
                points = play_space(int(nodes.here[node]), rules, generator)
        back_up(nodes, plies, points)
    return times
