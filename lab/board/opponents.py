"""The players that a person can play against, from harmless to perfect, each with its level."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.game import BadText, Game, Side
from engine.games import parse_game
from engine.space import TooLarge
from engine.stop import Stop, never
from lab.board.seating import Seating, Sides, machine_for
from learners import LEARNERS, Offer, offers
from learners.core.learner import PERSON, Learner
from learners.core.player import Player
from learners.core.save_ref import SAVE, SaveRef
from learners.players.levels import Accuracy, Foresight, Level, level_of
from saves.entry import Entry
from saves.errors import LibraryError
from saves.library.library import Library


class LevelKey(NamedTuple):
    game: str
    """The name of the game, which this version may not know."""
    label: str
    stamp: str = ""
    """A text that changes when the player has learned."""


LevelOrReason = Level | Foresight | Accuracy | str
"""A level, or the reason why there is none."""
Levels = dict[LevelKey, LevelOrReason]


@dataclass(frozen=True)
class Candidate:
    key: LevelKey
    source: Offer | Entry | None = None
    """A player that comes with the program, or a save; `None` for a person."""

    @property
    def label(self) -> str:
        return self.key.label

    @property
    def is_person(self) -> bool:
        return self.source is None

    @property
    def own(self) -> bool:
        """Whether the candidate is a save of the user's own; there may be thousands."""
        return isinstance(self.source, Entry) and not self.source.gallery

    @property
    def learns(self) -> bool:
        entry = self.source
        if not isinstance(entry, Entry) or entry.gallery:
            return False
        return any(kind.spec.name == entry.learner and kind.spec.learns_records for kind in LEARNERS)


SHIPPED_LEVELS: Final[Levels] = {}
"""The levels computed so far of players that come with the program: they never change."""


def save_candidate(entry: Entry) -> Candidate:
    """Return a save as an opponent. Its key changes when the save has learned."""
    return Candidate(LevelKey(entry.game, SaveRef(entry.name).label, entry.updated.isoformat()), entry)


def candidates(game: Game, entries: Iterable[Entry]) -> list[Candidate]:
    """Return all players of a game: a person, the saves as in `entries`, then the players without training."""
    person = Candidate(LevelKey(game.name, PERSON))
    ready = [Candidate(LevelKey(game.name, offer.label), offer) for offer in offers(game)]
    saves = [save_candidate(entry) for entry in entries if entry.game == game.name]
    return [person, *saves, *ready]


def level_for(library: Library, candidate: Candidate, stop: Stop = never) -> LevelOrReason:
    """Compute the level of a player, or the reason why it has none, such as an unknown game. Raises `Stopped`."""
    if candidate.key in SHIPPED_LEVELS:
        return SHIPPED_LEVELS[candidate.key]
    try:
        level = level_of(library.player(candidate.label, parse_game(candidate.key.game)), stop)
    except (BadText, LibraryError, TooLarge) as error:
        return str(error)
    if not candidate.own:
        SHIPPED_LEVELS[candidate.key] = level
    return level


def sort_by_strength(everybody: Iterable[Candidate], levels: Mapping[LevelKey, LevelOrReason]) -> list[Candidate]:
    """Sort players: a person, those with a known level from harmless to perfect, then the others as they were."""

    def sort_key(candidate: Candidate) -> tuple[int, tuple[float, ...]]:
        if candidate.is_person:
            return 0, ()
        level = levels.get(candidate.key)
        if level is None or isinstance(level, str):
            return 2, ()
        return 1, level.strength

    return sorted(everybody, key=sort_key)


def only_side(level: LevelOrReason | None) -> Side | None:
    """Return the side of a player that can play one side only; otherwise `None`."""
    if level is None or isinstance(level, str) or len(level.plays) != 1:
        return None
    return level.plays[0]


def trained_side(level: LevelOrReason | None) -> Side | None:
    """Return the side that a player was trained for, if it can play both but learned only one; else `None`."""
    if not isinstance(level, Level) or not level.untrained:
        return None
    trained = [side for side in level.plays if side not in level.untrained]
    return trained[0] if len(trained) == 1 else None


SEATS: Final = {
    "first": (Sides.FIXED, Side.FIRST),
    "second": (Sides.FIXED, Side.SECOND),
    "alternate": (Sides.ALTERNATE, Side.FIRST),
    "random": (Sides.RANDOM, Side.FIRST),
}
"""The seats that a person may choose: for each, how sides change, and the person's side in the first game."""


def seat_of(seating: Seating) -> str | None:
    """Return the person's seat, a key of `SEATS`; `None` if two machines play."""
    labels = seating.first, seating.second
    if PERSON not in labels:
        return None
    side = Side(labels.index(PERSON)) if seating.sides is Sides.FIXED else Side.FIRST
    return next(name for name, seat in SEATS.items() if seat == (seating.sides, side))


def seating_against(game: Game, seat: str, opponent: str, only: Side | None = None) -> Seating:
    """Seat a person at `seat`, a key of `SEATS`. If the opponent plays one side `only`, the person gets the other."""
    sides, side = SEATS[seat] if only is None else (Sides.FIXED, only.other)
    labels = (PERSON, opponent) if side is Side.FIRST else (opponent, PERSON)
    return Seating(game, *labels, sides)


def side_against(opponent: Player, wish: Side) -> Side:
    """Return the side of a person: the one that they wish, unless the opponent was trained only for that side."""
    trained = opponent.trained_sides
    return wish if wish.other in trained else trained[0].other


def seating_of(learner: Learner, name: str) -> Seating:
    """Seat a person against the save with this name, which plays first unless it was trained only as second."""
    return seating_against(learner.game, "first", SaveRef(name).label, side_against(learner, Side.FIRST).other)


def best_seat(wish: str, level: LevelOrReason | None) -> str:
    """Return the seat to offer, a key of `SEATS`: the one wished, unless the opponent was trained for one side only."""
    trained = trained_side(level)
    if trained is None:
        return wish
    return next(name for name, seat in SEATS.items() if seat == (Sides.FIXED, trained.other))


def first_without_level(players: Iterable[Candidate], levels: Mapping[LevelKey, LevelOrReason]) -> Candidate | None:
    """Return the first machine among these players whose level is not computed yet."""
    return next((each for each in players if not each.is_person and each.key not in levels), None)


MAX_SORTED: Final = 200
"""How many of the user's own saves are sorted by strength, the newest first: thousands would take a minute."""


def candidates_to_sort(everybody: Sequence[Candidate]) -> list[Candidate]:
    """Return the players to sort by level, the user's own saves last."""
    others = [each for each in everybody if not each.own]
    own = [each for each in everybody if each.own]
    return others + own[:MAX_SORTED]


def first_opponent(game: Game, everybody: Iterable[Candidate]) -> str:
    """Return whom to meet first in a game: its usual save, else the newest save, else a search that sees one move."""
    usual = machine_for(game)
    if usual.startswith(SAVE):
        return usual
    labels = [each.label for each in everybody]
    saves = [label for label in labels if label.startswith(SAVE)]
    if saves:
        return saves[0]
    return "minimax:1" if "minimax:1" in labels else usual
