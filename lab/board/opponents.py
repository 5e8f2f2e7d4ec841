"""Whom one can play against: everybody by name, from harmless to perfect, each with its level in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.game import BadText, Game, Side
from engine.space import TooLarge
from engine.stop import Stop, never
from lab.board.session import HUMAN, Seating, Sides
from lab.words.numbers import percent_text, rounds_text
from lab.words.sanitise import plain
from learners import LEARNERS, Offer, offers
from learners.core.plural import counted_noun
from learners.players.levels import RANKS, Foresight, Level, level_of
from saves.entry import Entry
from saves.errors import LibraryError
from saves.library.library import SAVE, Library

Key = tuple[str, str, str]
"""What a level hangs on: the game, the player's label, and a stamp that changes when the player has learned."""
Known = Level | Foresight | str
"""A level; or why there is none, in words."""
Levels = dict[Key, Known]

METER: Final = ("■", "·")
"""A level as a bar: as many of the first as its rank, then the second."""
WAITING: Final = "…"
NO_LEVEL: Final = "?"


@dataclass(frozen=True)
class Candidate:
    """A player as the list of opponents shows it."""

    key: Key
    name: str
    about: str
    learns: bool = False
    """Whether it can learn while it plays."""
    own: bool = False
    """Whether it is a save of one's own: there may be thousands."""

    @property
    def label(self) -> str:
        return self.key[1]

    @property
    def is_person(self) -> bool:
        return self.label == HUMAN


def candidates(game: Game, entries: Iterable[Entry]) -> list[Candidate]:
    """Everybody who can play a game: a person, who needs no training, then the saves among `entries` in their order."""
    person = Candidate((game.name, HUMAN, ""), "a person", "beside you, at this board")
    ready = [Candidate((game.name, offer.label, ""), offer.title, _about(offer)) for offer in offers(game)]
    return [person, *ready, *(_of_save(entry) for entry in entries if entry.game == game.name)]


def _about(offer: Offer) -> str:
    _, _, depth = offer.label.partition(":")
    return f"looks {counted_noun(int(depth), 'move')} ahead" if depth else offer.summary


def _of_save(entry: Entry) -> Candidate:
    return Candidate(
        key=(entry.game, SAVE + entry.name, entry.updated.isoformat()),
        name=entry.name,
        about=f"{entry.learner}, {rounds_text(entry.rounds, entry.round_noun)}",
        learns=not entry.gallery and any(kind.name == entry.learner and kind.learns_records for kind in LEARNERS),
        own=not entry.gallery,
    )


def level_for(library: Library, candidate: Candidate, game: Game, stop: Stop = never) -> Known:
    """How strong it is, or why that cannot be told. Raises `Stopped`."""
    try:
        return level_of(library.player(candidate.label, game), stop)
    except (BadText, LibraryError, TooLarge) as error:
        return str(error)


def by_strength(everybody: Iterable[Candidate], levels: Mapping[Key, Known]) -> list[Candidate]:
    """A person first, then from harmless to perfect; last, in the order given, those whose level is not known."""

    def place(candidate: Candidate) -> tuple[int, tuple[float, ...]]:
        known = levels.get(candidate.key)
        if candidate.is_person:
            return 0, ()
        return (2, ()) if known is None or isinstance(known, str) else (1, known.strength)

    return sorted(everybody, key=place)


def level_name(candidate: Candidate, known: Known | None) -> str:
    """The level in a word or two."""
    if candidate.is_person:
        return ""
    if known is None:
        return WAITING
    return NO_LEVEL if isinstance(known, str) else known.name


def meter(known: Known | None, signs: tuple[str, str] = METER) -> str:
    """An exact level as a bar of one sign fewer than there are names: none for harmless, all for perfect."""
    most = len(RANKS) - 1
    return signs[0] * known.rank + signs[1] * (most - known.rank) if isinstance(known, Level) else " " * most


def sentence(game: Game, candidate: Candidate, known: Known | None, *, noting_lost: bool = True) -> str:
    """How strong a player is, exactly, in a sentence; one more for a side that nobody can hold."""
    if candidate.is_person:
        return "Two people at one board, turn by turn."
    if known is None:
        return "Its exact strength is being worked out …"
    if isinstance(known, str):
        return f"Nobody can tell how strong it is: {plain(known)}."
    if isinstance(known, Foresight):
        return _foresight_sentence(known)
    notes = [lost_note(game, side) for side in known.lost] if noting_lost else []
    return " ".join([_exact_sentence(game, known), *notes])


def lost_note(game: Game, side: Side) -> str:
    return f"{game.mark(side)} is lost against perfect play, whoever plays it."


def _foresight_sentence(known: Foresight) -> str:
    if not known.depth:
        return "Looks at nothing: any move is as likely as any other."
    return f"Looks {counted_noun(known.depth, 'move')} ahead, and guesses what comes after that."


def _exact_sentence(game: Game, level: Level) -> str:
    whole = level.judged == tuple(Side)
    only = "" if whole else f"As {' or '.join(game.mark(side) for side in level.judged)} it "
    if not level.losses["best_responder"]:
        return f"{only}{'N' if whole else 'n'}ever loses, whoever it plays."
    random, perfect, best = (percent_text(level.losses[key]) for key in ("random", "perfect", "best_responder"))
    loses = f"{'L' if whole else 'l'}oses {random} of games to random play, {perfect} to perfect play"
    return f"{only}{loses}, {best} to one that knows it by heart: {percent_text(level.loss)} on average."


def only_side(known: Known | None) -> Side | None:
    """The side that a player can play, if it is but one."""
    return None if known is None or isinstance(known, str) or len(known.plays) != 1 else known.plays[0]


SEATS: Final = {
    "first": (Sides.FIXED, Side.FIRST),
    "second": (Sides.FIXED, Side.SECOND),
    "alternate": (Sides.ALTERNATE, Side.FIRST),
    "random": (Sides.RANDOM, Side.FIRST),
}
"""Which side a person may ask for, and as whom they then sit down to the first game."""


def seat_of(seating: Seating) -> str | None:
    """Which of `SEATS` a person has; `None` where two machines play."""
    labels = seating.first, seating.second
    if HUMAN not in labels:
        return None
    wanted = seating.sides, Side.FIRST if seating.sides is not Sides.FIXED else Side(labels.index(HUMAN))
    return next(name for name, seat in SEATS.items() if seat == wanted)


def seated(game: Game, seat: str, opponent: str, only: Side | None = None) -> Seating:
    """A person in one of `SEATS`, with that opponent; where that one plays but one side, the person has the other."""
    sides, side = SEATS[seat] if only is None else (Sides.FIXED, only.other)
    labels = (HUMAN, opponent) if side is Side.FIRST else (opponent, HUMAN)
    return Seating(game, *labels, sides)


def unknown(wanted: Iterable[Candidate], levels: Mapping[Key, Known]) -> Candidate | None:
    """The first of them whose level is not worked out yet."""
    return next((each for each in wanted if not each.is_person and each.key not in levels), None)


SORTED: Final = 200
"""How many of one's own saves, the newest, take their place by strength: working out thousands takes a minute."""


def to_sort(everybody: Sequence[Candidate]) -> list[list[Candidate]]:
    """Whose levels are worked out before the list is put in order: first who is always there, then the newest saves."""
    own = [each for each in everybody if each.own]
    return [[each for each in everybody if not each.own], own[:SORTED]]
