"""The ladder: who comes next for a person who has beaten an opponent."""

from dataclasses import dataclass
from typing import Final

from engine.game import Game
from engine.stop import Stop, never
from lab.board.opponents import by_strength, candidates, level_for
from lab.board.own_level import at_level, kept_text, own_level
from learners.core.save_ref import without_checkpoint
from learners.players.levels import RANKS, Level
from saves.library.library import Library

OWN_RUNGS: Final = 20
"""How many of the user's own saves are on the ladder: the newest ones."""


@dataclass(frozen=True)
class Rung:
    """An opponent on the ladder. The ladder has the players of a game in the order of their levels."""

    label: str
    level: str
    unbeatable: bool
    """Whether it never loses, as either side."""


def next_rung(library: Library, game: Game, label: str, stop: Stop = never) -> Rung | None:
    """Return the weakest player above `label` that no person has beaten yet; `None` if there is none.

    Where the person's own level is known, those that are weaker than the opponent at that level are passed over.
    If `label` is a checkpoint, its save as it is now comes next, unless a person has beaten that already.
    Of the user's own saves, only the newest are on the ladder. Raises `LibraryError`, `Stopped`.
    """
    given, label = label, without_checkpoint(label)
    everybody = [each for each in candidates(game, library.entries()) if not each.is_person]
    saves = [each for each in everybody if each.own]
    rungs = [each for each in everybody if not each.own or each in saves[:OWN_RUNGS] or each.label == label]
    levels = {each.key: level_for(library, each, stop) for each in rungs}
    known = {each: level for each in rungs if not isinstance(level := levels[each.key], str)}
    here = next((level for each, level in known.items() if each.label == label), None)
    if here is None:
        return None
    own = own_level(library.games, game, stop)
    equal = at_level(known, own)
    least = () if equal is None else known[equal].strength
    beaten = library.games.beaten(game)
    for each in by_strength(known, levels):
        level = known[each]
        is_next = (level.strength > here.strength and level.strength >= least) or each.label == label != given
        if is_next and each.label not in beaten:
            unbeatable = isinstance(level, Level) and level.name == RANKS[0].name and not level.lost
            at = f", {kept_text(own)}" if own is not None and each is equal else ""
            return Rung(each.label, level.name + at, unbeatable)
    return None
