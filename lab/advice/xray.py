"""The X-ray: whose view of the position is drawn into the squares of the board."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.game import Game
from engine.rating import HORIZON
from learners.core.player import Player
from saves.library.library import SAVE

OFF: Final = "off"
MIND: Final = "mind"
TRUTH: Final = "truth"


@dataclass(frozen=True)
class Lens:
    """One view of the position: none, that of a machine, or that of best play."""

    kind: str
    """`off`, `mind` or `truth`."""
    player: Player | None = None
    """The machine whose view it is, if its kind is `mind`."""
    answers: bool = False
    """Whether the other side is to move: the view is then what the machine would answer to each move."""

    def title(self, game: Game) -> str:
        """What it shows: `what riechel would play`, `best play`; nothing if it is off."""
        if self.kind == OFF:
            return ""
        if self.player is not None:
            return f"what {self.player.label.removeprefix(SAVE)} would {'answer' if self.answers else 'play'}"
        return "best play" if game.numbered else f"best play, {HORIZON} moves ahead"

    @property
    def legend(self) -> str:
        """What the signs in the squares mean where there is no room for words; nothing if it shows no signs."""
        return "+win =draw −loss" if self.kind == TRUTH else ""


def lenses(seats: Iterable[Player | None]) -> list[Lens]:
    """All views of a board, in the order of the key that changes them: off, each machine once, best play."""
    machines = {player.label: player for player in seats if player is not None}
    return [Lens(OFF), *(Lens(MIND, player) for player in machines.values()), Lens(TRUTH)]
