"""X-ray: what a mind, or the exact truth, sees in the squares of the board that a person may point at next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from engine.game import Game, Position
from engine.prospects import Prospect, prospects
from engine.stop import Stop, never
from lab.board.advice import prospect_text
from lab.words.numbers import percent_text
from learners.core.player import Player, Thought
from learners.players.searchers import until
from saves.library.library import SAVE

TRUTH: Final = "truth"
MIND: Final = "mind"
OFF: Final = "off"
Rated = TypeVar("Rated", Thought, Prospect)


class Tone(StrEnum):
    """What a note says besides its words; each has a colour on the board."""

    PLAIN = "plain"
    GOOD = "good"
    EVEN = "even"
    BAD = "bad"


@dataclass(frozen=True)
class Note:
    """What is written into a square: the longest of the texts that fits."""

    texts: tuple[str, ...]
    tone: Tone = Tone.PLAIN
    share: float = 0.0
    """How deep its ground is shaded, from 0 to 1."""

    def text(self, width: int) -> str:
        """The longest text that fits; where none does, as much of the shortest as there is room for."""
        return next((text for text in self.texts if len(text) <= width), self.texts[-1][:width])


Notes = Mapping[int, Note]
"""What is written into which square."""


@dataclass(frozen=True)
class Lens:
    """What the board is looked at through."""

    kind: str
    """`off`, `mind` or `truth`."""
    player: Player | None = None
    """Whose mind it is."""

    @property
    def title(self) -> str:
        if self.kind == OFF:
            return ""
        return "best play" if self.player is None else f"what {self.player.label.removeprefix(SAVE)} sees"


def lenses(seats: Iterable[Player | None]) -> list[Lens]:
    """All that a board can be looked at through, in turn: nothing, the mind of each machine, the exact truth."""
    machines = {player.label: player for player in seats if player is not None}
    return [Lens(OFF), *(Lens(MIND, player) for player in machines.values()), Lens(TRUTH)]


def looked(lens: Lens, game: Game, position: Position, chosen: Sequence[int] = (), stop: Stop = never) -> Notes:
    """What is seen of a position, nothing where the game is over. Raises `KeyError`, `Stopped`."""
    if lens.kind == OFF or game.outcome(position) is not None:
        return {}
    if lens.player is None:
        return notes_of_truth(game, position, prospects(game, position, stop), chosen)
    return notes_of_mind(game, position, until(lens.player, stop).thoughts(position), chosen)


def notes_of_mind(game: Game, position: Position, thoughts: Iterable[Thought], chosen: Sequence[int] = ()) -> Notes:
    """What a mind holds of each square. `chosen` are the squares picked so far of a move that takes more than one."""
    notes = {}
    for square, gathered in _by_square(game, position, thoughts, chosen).items():
        chance = sum(thought.chance for thought in gathered)
        likely = percent_text(chance)
        words = [(thought.words, thought.symbol) for thought in gathered]
        told, symbol = words[0] if len(words) == 1 else (f"{len(words)} moves", likely)
        texts = (f"{told}  {likely}", f"{symbol} {likely}", likely, symbol)
        bad = all(thought.shut for thought in gathered)
        notes[square] = Note(texts, Tone.BAD if bad else Tone.PLAIN, chance)
    return notes


def notes_of_truth(game: Game, position: Position, rated: Iterable[Prospect], chosen: Sequence[int] = ()) -> Notes:
    """What best play makes of each square."""
    notes = {}
    for square, gathered in _by_square(game, position, rated, chosen).items():
        best = max(gathered, key=lambda prospect: prospect.merit)
        tone = {1: Tone.GOOD, 0: Tone.EVEN, -1: Tone.BAD, None: Tone.PLAIN}[best.worth]
        notes[square] = Note((prospect_text(best), *_signs(best)), tone)
    return notes


def _signs(prospect: Prospect) -> tuple[str, ...]:
    """A prospect in short: `+3` wins in 3 moves, `=` draws, `−2` loses in 2, `~5` looks like 5."""
    match prospect.worth:
        case None:
            return (f"~{prospect.estimate:+}", f"{prospect.estimate:+}", "~")
        case 0:
            return ("=",)
        case worth:
            sign = "+" if worth > 0 else "−"
            return (f"{sign}{prospect.plies}", sign)


def _by_square(game: Game, position: Position, rated: Iterable[Rated], chosen: Sequence[int]) -> dict[int, list[Rated]]:
    """What is told of the moves, by the square that comes next in each of them."""
    reach = len(chosen)
    found: dict[int, list[Rated]] = {}
    for each in rated:
        squares = game.board.squares(position, each.move)
        if squares[:reach] == tuple(chosen) and len(squares) > reach:
            found.setdefault(squares[reach], []).append(each)
    return found
