"""The first plies of the tree of a game, which may be of any size: counted, or walked node by node.

`engine.trees.tree` counts whole trees of small games by their spaces. Here positions are expanded one by one, so that
a game needs no space, and a walk no more memory than the moves of one line of play.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine.game import Game, Move, Outcome, Position, Successor
from engine.solve import values
from engine.space import Space, TooLarge
from engine.spaces import space_of
from engine.trees.tree import Games, Reduction, TreeLevel, TreeRules, game_with

MAX_LAYER: Final = 5_000_000
"""The maximum number of positions after the same number of moves: they take about a gigabyte of memory."""
EXPANDED_BETWEEN_REPORTS: Final = 2_000

Report = Callable[[int, int, int], object]
"""Takes a ply, how many of the positions before it are expanded, and how many there are."""


@dataclass(frozen=True)
class Plies:
    """The tree of a game up to some number of moves, without a space."""

    game: Game
    rules: TreeRules = TreeRules.CORRECT
    reduction: Reduction = Reduction.NONE

    @cached_property
    def played(self) -> Game:
        """The game with the rules of this tree. Raises `BadText`: see `game_with`."""
        return game_with(self.rules, self.game)

    def children(self, position: Position, ply: int) -> list[Successor]:
        """Return the moves of a position that belong to the tree, with the positions after them and their outcomes."""
        successors = list(self.played.successors(position))
        if self.reduction is Reduction.NONE or (self.reduction is Reduction.FIRST_MOVE and ply):
            return successors
        # First moves count as one by the correct rules: the post merges some that its own rules tell apart.
        game = self.game if self.reduction is Reduction.FIRST_MOVE else self.played
        symmetries = [each for each in game.symmetries if game.transform(position, each) == position]

        def is_first(move: Move) -> bool:
            return move == min(game.transform_move(move, each) for each in symmetries)

        return [each for each in successors if is_first(each[0])]

    def count(self, depth: int, report: Report = lambda *_: None) -> Iterator[TreeLevel]:
        """Count the nodes after 0, 1, … `depth` moves, or fewer if every game has ended by then.

        Nodes with the same position are counted together. Raises `TooLarge` for too many different positions.
        """
        layer: dict[Position, int] = {self.played.start: 1}
        yield TreeLevel(1, Games(0, 0, 0))
        for ply in range(1, depth + 1):
            after, nodes, ended = dict[Position, int](), 0, [0] * len(Outcome)
            for number, (position, ways) in enumerate(layer.items()):
                if not number % EXPANDED_BETWEEN_REPORTS:
                    report(ply, number, len(layer))
                for _, reached, outcome in self.children(position, ply - 1):
                    nodes += ways
                    if outcome is not None:
                        ended[outcome] += ways
                    elif ply < depth:
                        after[reached] = after.get(reached, 0) + ways
                if len(after) > MAX_LAYER:
                    raise TooLarge(
                        f"{self.game.title} has more than {MAX_LAYER:,} positions after {ply} moves: "
                        f"count at most {ply} moves"
                    )
            if not nodes:
                return
            yield TreeLevel(nodes, Games(*ended))
            layer = after

    def prepare(self) -> Space | None:
        """Return the space from which a walk takes its values; `None` in a too large game. Raises `TooLarge`."""
        return space_of(self.played) if self.played.numbered else None

    def walk(self, depth: int) -> "Iterator[WalkedNode]":
        """Yield every node within `depth` moves, each before its children and their subtrees."""
        game, space = self.played, self.prepare()
        value = None if space is None else values(space)
        stack: list[tuple[int | None, int, Move | None, Position, Outcome | None]] = [(None, 0, None, game.start, None)]
        number = 0
        while stack:
            parent, ply, move, position, outcome = stack.pop()
            children = [] if outcome is not None else self.children(position, ply)
            worth = int(value[space.row(position)]) if space is not None and value is not None else None
            yield WalkedNode(number, parent, ply, move, position, outcome, worth, len(children))
            if ply < depth:
                stack += [(number, ply + 1, *each) for each in reversed(children)]
            number += 1


@dataclass(frozen=True, slots=True)
class WalkedNode:
    number: int
    parent: int | None
    ply: int
    move: Move | None
    position: Position
    outcome: Outcome | None
    value: int | None
    """The exact value for the first side, 1, 0 or −1; `None` in a game without a space."""
    children: int
    """The number of the node's children, also of those beyond the depth of the walk."""
