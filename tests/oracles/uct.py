"""Monte-Carlo tree search as in the papers, over objects and scores: slow and obvious.

Upper confidence bounds after Kocsis and Szepesvári (2006), proven values after Winands, Björnsson and Saito (2008),
with proven draws as well. A score is that of the side that made the move to a node: 1, 1/2 or 0.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, log, sqrt

from engine.game import Game, Move, Outcome, Position
from learners.core.generator import draw_below

HALF = Fraction(1, 2)


@dataclass
class Node:
    position: Position
    move: Move | None = None
    proven: Fraction | None = None
    visits: int = 0
    total: Fraction = Fraction(0)
    children: list["Node"] = field(default_factory=list)

    def surest(self) -> Fraction:
        """The most that a move of this node is proven to be worth."""
        return max((child.proven for child in self.children if child.proven is not None), default=Fraction(0))

    def prove(self) -> None:
        """Prove the node if a move wins, or if every move is proven."""
        if self.surest() == 1 or all(child.proven is not None for child in self.children):
            self.proven = 1 - self.surest()

    def bound(self, child: "Node") -> float:
        if child.visits == 0:
            return inf
        return child.total / child.visits + sqrt(2 * log(self.visits) / child.visits)


class Search:
    def __init__(self, game: Game, position: Position, generator) -> None:
        self.game, self.generator = game, generator
        self.root = Node(position)
        self.nodes = 1
        self.expand(self.root)

    def score(self, outcome: Outcome, side: int) -> Fraction:
        return HALF if outcome is Outcome.DRAW else Fraction(outcome == side)

    def expand(self, node: Node) -> None:
        """Add all children in random order: each new one is exchanged with a random one so far, perhaps itself."""
        mover = self.game.side(node.position)
        for move, after, outcome in self.game.successors(node.position):
            child = Node(after, move, None if outcome is None else self.score(outcome, mover))
            place = draw_below(self.generator, len(node.children) + 1)
            node.children.append(child)
            node.children[place], node.children[-1] = node.children[-1], node.children[place]
            self.nodes += 1
        node.prove()

    def playout(self, position: Position) -> Fraction:
        mover, outcome = self.game.side(position), None
        while outcome is None:
            successors = self.game.successors(position)
            _, position, outcome = successors[draw_below(self.generator, len(successors))]
        return 1 - self.score(outcome, mover)

    def visit(self, node: Node) -> Fraction:
        """Visit a node that is not proven; return the score."""
        if not node.children and node.visits == 0:
            score = self.playout(node.position)
        else:
            if not node.children:
                self.expand(node)
            if node.proven is None:
                among = [child for child in node.children if child.proven is None]
                reached = self.visit(max(among, key=node.bound))
                node.prove()
                score = 1 - max(reached, node.surest())
            else:
                score = node.proven
        node.visits += 1
        node.total += score
        return score

    def run(self, times: int) -> None:
        for _ in range(times):
            if self.root.proven is None:
                self.visit(self.root)
