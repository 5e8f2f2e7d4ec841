"""The X-ray: what the squares of the board show, either the view of a machine, best play, or lasting threats."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from engine.analysis.rating import has_exact_values, horizon_of
from engine.connect_solver.games import shape_of
from engine.game import Game, Side
from learners.core.player import Player
from learners.core.save_ref import short_label
from learners.players.plain import RandomPlayer
from learners.players.registry import player_title

OFF: Final = "off"
MIND: Final = "mind"
TRUTH: Final = "truth"
THREATS: Final = "threats"
RATED_MOVE: Final = re.compile(r"\w? ?[+−]\d*")
"""The text for a move that wins or loses: the piece that it places, if the player can choose, and the sign."""


@dataclass(frozen=True)
class Lens:
    """One view of the position: none, that of a machine, that of best play, or its lasting threats."""

    kind: str
    """`off`, `mind`, `truth` or `threats`."""
    player: Player | None = None
    """The machine whose view the lens shows, if its kind is `mind`."""
    answers: Side | None = None
    """The side of a machine that is not to move: the lens then shows its most likely answer to each move."""

    def title(self, game: Game, *, bare: bool = False, answered: str = "") -> str:
        """Return what the lens shows: `what riechel would play`, `best play`; empty if the X-ray is off.

        `bare` tells that the lens has nothing to show in the present position, `answered` what the machine does after
        the move that a person points at.
        """
        if self.kind == OFF:
            return ""
        if self.kind == THREATS:
            return "no square wins later yet" if bare else "squares that win later"
        if self.player is not None:
            return self._title_of_machine(game, self.player, answered)
        return "best play" if has_exact_values(game) else f"best play, {horizon_of(game)} moves ahead"

    def _title_of_machine(self, game: Game, player: Player, answered: str) -> str:
        name = short_label(player_title(player.label))
        if self.answers is None:
            return f"what {name} would play"
        if self.is_blind:
            return f"{name} plays at random as {game.mark(self.answers)}"
        if answered:
            return f"{name} then {answered}"
        options = dict.fromkeys(game.board.option(game.start, move) for move in game.moves(game.start))
        to_options = f" to {' and '.join(options)}" if all(options) else ""
        return f"{name}'s likeliest answer{to_options}"

    @property
    def is_blind(self) -> bool:
        """Whether every answer is equally likely, since the machine plays at random on its side."""
        player, side = self.player, self.answers
        if player is None or side is None:
            return False
        return player.label == RandomPlayer.label or side not in player.sides

    def legend(self, texts: Collection[str]) -> str:
        """Return the meaning of the signs among the texts in the squares; empty if those are words."""
        rated = [text for text in texts if RATED_MOVE.fullmatch(text)]
        signs = "".join(texts)
        sign, verb = ("+", "wins") if "+" in "".join(rated) else ("−", "loses")
        meanings = {
            "· several": self.answers is not None and "·" in signs,
            "pick to see it": self.answers is not None and "moves" in signs,
            "alike: equally likely": self.answers is not None and "alike" in signs,
            f"{sign}2 {verb} in 2": self.kind == TRUTH and any(text[-1].isdigit() for text in rated),
            f"{sign} {verb}": self.kind == TRUTH and any(not text[-1].isdigit() for text in rated),
            "= draws": self.kind == TRUTH and "=" in signs,
            "! counts at the end": self.kind == THREATS and "!" in signs,
        }
        return ", ".join(meaning for meaning, occurs in meanings.items() if occurs)


def lenses(seats: Sequence[Player | None], game: Game, side: Side) -> list[Lens]:
    """Return the lenses in the order of the key: off, each machine, best play, and with gravity lasting threats.

    A machine that is not to move, since it is the turn of `side`, shows its answers.
    """
    machines = {player.label: player for player in seats if player is not None}
    mover = seats[side]
    views = [Lens(OFF)]
    for label, player in machines.items():
        is_to_move = mover is not None and mover.label == label
        views.append(Lens(MIND, player, None if is_to_move else side.other))
    views.append(Lens(TRUTH))
    if shape_of(game) is not None:
        views.append(Lens(THREATS))
    return views
