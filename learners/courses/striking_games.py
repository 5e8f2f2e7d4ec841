"""Games that strike given moves of a machine, deepest first, each found and played on the machine itself.

A game leads to the box of a move, plays it, and replies so that the machine strikes it. All moves on the way are still
open: moves of later boxes are struck first. Where a reply leads to a dead box and the machine plays on there, the game
goes on to a further move that must be struck, if it can: then it strikes two. For that, the moves of boxes without
danger that lose at once are left until the end.
"""

from collections.abc import Callable, Iterator

from engine.game import Move, Outcome
from engine.space import RUNNING
from engine.stop import unless_stopped
from learners.courses.decisions import LOST, Box, Cell, Decisions
from learners.courses.striking import Strikes, needed_cells

Row = int
Edge = int
Struck = Callable[[Cell], bool]


class StrikingGames:
    """Finds the games. `struck` tells whether a cell is struck now; `plays_on` whether a dead box still plays."""

    def __init__(self, decisions: Decisions, strikes: Strikes, struck: Struck, *, plays_on: bool) -> None:
        space, self.decisions, self.strikes = decisions.space, decisions, strikes
        self.struck, self.plays_on = struck, plays_on
        self.mine = (space.side == decisions.side).tolist()
        self.box, self.cell = decisions.box.tolist(), decisions.cell.tolist()
        self.first, self.source, self.target = space.first_edge.tolist(), space.source.tolist(), space.target.tolist()
        self.outcome, self.move = space.outcome.tolist(), space.move.tolist()
        self.loss = int(Outcome.won_by(decisions.side.other))
        self.safe_way, self.any_way = self._ways(safe=True), self._ways(safe=False)
        """The edge by which each row is reached, −1 for the start and for a row that is not."""
        self.row_of = dict[Box, Row]()
        """A row of each box, one that is reached safely if there is one."""
        for ways in (self.any_way, self.safe_way):
            for row in range(len(ways) - 1, -1, -1):
                if self.mine[row] and self.box[row] >= 0 and (row == 0 or ways[row] >= 0):
                    self.row_of[self.box[row]] = row
        self.by_reply = {box: cell for cell, box in strikes.reply.items() if box >= 0}
        """A cell that is struck by a reply that leads to each box."""

    def _ways(self, *, safe: bool) -> list[Edge]:
        ways = [-1] * len(self.mine)
        for row in unless_stopped(range(len(ways)), self.decisions.stop):
            if row == 0 or ways[row] >= 0:
                for edge in range(self.first[row], self.first[row + 1]):
                    shut = safe and self.mine[row] and self.cell[edge] in self.decisions.losing
                    if not shut and ways[self.target[edge]] < 0:
                        ways[self.target[edge]] = edge
        return ways

    def games(self) -> Iterator[tuple[Move, ...]]:
        """Yield the games, one after another; each must have been learned from before the next is asked for."""
        ends, box_of = self.decisions.ends, self.decisions.box_of
        ply = self.decisions.space.ply
        order = sorted(
            self.strikes.reply,
            key=lambda cell: (-int(ply[self.row_of[box_of[cell]]]), box_of[cell], LOST not in ends[cell], cell),
        )
        needed = needed_cells(self.decisions)
        spare = dict.fromkeys(cell for cell in order if cell in needed and LOST in ends[cell] and self.plays_on)
        for cell in [*(each for each in order if each not in spare), *spare]:
            while not self.struck(cell):
                yield tuple(self.move[edge] for edge in self._game(cell, spare))

    def _game(self, cell: Cell, spare: dict[Cell, None]) -> list[Edge]:
        """Return the edges of a game that strikes a cell, and also one of `spare` if possible."""
        way, edge = self._way_to(cell)
        over = list[list[Edge]]()
        for reply in self._replies(edge, self.strikes.reply[cell]):
            if not self.plays_on or self.outcome[self.target[reply[-1]]] != RUNNING:
                return [*way, *reply]
            more = self._go_on(self.target[reply[-1]], spare)
            if more is not None:
                return [*way, *reply, *more]
            over.append([*way, *reply, *self._to_the_end(self.target[reply[-1]])])
        return over[0]

    def _way_to(self, cell: Cell) -> tuple[list[Edge], Edge]:
        """Return the edges of a way to a row of the cell's box, and an edge of the cell there."""
        box = self.decisions.box_of[cell]
        above = self.by_reply.get(box)
        way, row = list[Edge](), self.row_of[box]
        if above is not None and box in self.decisions.lost and not self.struck(above):
            start, edge = self._way_to(above)
            reply = next(self._replies(edge, box))
            way, row = [*start, *reply], self.target[reply[-1]]
        else:
            ways = self.safe_way if row == 0 or self.safe_way[row] >= 0 else self.any_way
            at = row
            while at:
                way.append(ways[at])
                at = self.source[ways[at]]
            way.reverse()
        edge = next(each for each in range(self.first[row], self.first[row + 1]) if self.cell[each] == cell)
        return way, edge

    def _replies(self, edge: Edge, wanted: int) -> Iterator[list[Edge]]:
        """Yield an edge of the machine with the edges after it that come to a loss, or to a box, ways with few first.

        Where the machine has no box, it plays any move.
        """
        waiting = [[edge]]
        for edges in waiting:
            row = self.target[edges[-1]]
            if self.outcome[row] != RUNNING:
                if wanted == LOST and self.outcome[row] == self.loss:
                    yield edges
            elif self.mine[row] and self.box[row] >= 0:
                if self.box[row] == wanted:
                    yield edges
            else:
                waiting += [[*edges, each] for each in range(self.first[row], self.first[row + 1])]

    def _open(self, row: Row) -> list[Edge]:
        """Return the edges that may be played from a row on, now."""
        edges = range(self.first[row], self.first[row + 1])
        if not self.mine[row] or self.box[row] < 0:
            return list(edges)
        return [each for each in edges if not self.struck(self.cell[each])] or list(edges)

    def _go_on(self, row: Row, spare: dict[Cell, None]) -> list[Edge] | None:
        """Return edges from a row on that strike one of `spare`; `None` if there are none."""
        came, waiting = dict[Row, Edge](), [row]
        for here in waiting:
            for edge in self._open(here):
                after = self.target[edge]
                cell = self.cell[edge]
                if self.mine[here] and cell in spare and not self.struck(cell):
                    reply = next(self._replies(edge, LOST))
                    way, at = [*reversed(reply)], here
                    while at != row:
                        way.append(came[at])
                        at = self.source[came[at]]
                    return way[::-1]
                if after not in came and self.outcome[after] == RUNNING:
                    came[after] = edge
                    waiting.append(after)
        return None

    def _to_the_end(self, row: Row) -> list[Edge]:
        edges = list[Edge]()
        while self.outcome[row] == RUNNING:
            edges.append(self._open(row)[0])
            row = self.target[edges[-1]]
        return edges
