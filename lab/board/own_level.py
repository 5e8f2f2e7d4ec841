"""The level of a person in a large game: the fallible opponent that errs as often in the same positions.

Only positions count in which a move can give the value away, and whose values a solver finds soon: those with at most
24 empty squares.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.analysis.rating import RatedMove, is_open, rate_moves
from engine.connect_solver.games import require_shape
from engine.game import Game, Move
from engine.match import replay_record
from engine.plural import counted_noun
from engine.stop import Stop, never, unless_stopped
from lab.board.events import OpponentBeaten
from lab.board.opponents import Candidate, candidates, level_for, sort_by_strength
from lab.review.yourself import person_side
from learners import Offer
from learners.core.save_ref import without_checkpoint
from learners.players.fallible import FalliblePlayer, move_chances
from learners.players.levels import RANKS, Accuracy, Foresight, Level
from learners.race.sampling import KNOWN_FROM
from saves.library.game_record import GameFilter, PlayedGames, StoredGame
from saves.library.library import Library

MAX_GAMES: Final = 20
"""The number of games that count: the newest ones."""
MIN_POSITIONS: Final = 20
"""With fewer positions than this, chance decides more than skill."""


@dataclass(frozen=True)
class OwnLevel:
    """How often a person has kept the value of a position, in the newest games of one game against machines."""

    games: int
    kept: int
    """The number of positions in which the person's move kept the value."""
    of: int
    skill: int | None
    """The skill of the fallible player that keeps the value as often there; `None` with too few positions."""

    @property
    def opponent(self) -> str | None:
        return None if self.skill is None else f"{FalliblePlayer.label}:{self.skill}"


def own_level(games: PlayedGames, game: Game, stop: Stop = never) -> OwnLevel | None:
    """Return a person's level; `None` if the fallible player cannot play the game. Raises `LibraryError`, `Stopped`."""
    if not FalliblePlayer.fits(game):
        return None
    stored = games.read(games.numbers(GameFilter(game.name)))
    with_person = [each for each in stored if isinstance(each, StoredGame) and person_side(each.record) is not None]
    newest = with_person[:MAX_GAMES]
    decisions = [
        decision for each in unless_stopped(newest, stop, every=1) for decision in _critical_decisions(each, stop)
    ]
    kept = sum(rated[move].value == _best_value(rated) for rated, move in decisions)
    skill = _skill_that_keeps(kept, decisions) if len(decisions) >= MIN_POSITIONS else None
    return OwnLevel(len(newest), kept, len(decisions), skill)


Decision = tuple[dict[Move, RatedMove], Move]
"""The rated moves of a position, and the move played there."""


def _skill_that_keeps(kept: int, decisions: list[Decision]) -> int:
    """Return the lowest skill with which a fallible player is expected to keep the value in `kept` of these positions.

    Of a larger skill, more is expected, so a binary search finds it.
    """
    low, high = 1, 99
    while low < high:
        middle = (low + high) // 2
        if _expected_kept(decisions, middle) >= kept:
            high = middle
        else:
            low = middle + 1
    return low


def nearest_opponent(everybody: Iterable[Candidate], level: OwnLevel | None) -> Candidate | None:
    """Return the fallible opponent that comes nearest to a person's level; `None` if the level is not known."""
    if level is None or level.skill is None:
        return None
    own_skill = level.skill
    skills = {each: FalliblePlayer.skill_of(each.label) for each in everybody}
    distances = {each: abs(skill - own_skill) for each, skill in skills.items() if skill}
    return min(distances, key=distances.__getitem__, default=None)


def mark_nearest(everybody: Iterable[Candidate], level: OwnLevel | None) -> list[Candidate]:
    """Return these opponents; the summary of the one nearest to a person's level says so."""
    unmarked = list(everybody)
    nearest = nearest_opponent(unmarked, level)
    if level is None or nearest is None or not isinstance(nearest.source, Offer):
        return unmarked
    marked = replace(nearest, source=replace(nearest.source, summary=kept_text(level)))
    return [marked if each is nearest else each for each in unmarked]


def kept_text(level: OwnLevel) -> str:
    """Return the summary of the opponent at a person's level: `at your level: you kept 31 of 40`."""
    return f"at your level: you kept {level.kept} of {level.of}"


def own_level_text(level: OwnLevel) -> str:
    """Return a sentence or two: how often a person kept the value, and which opponent errs as often."""
    games = counted_noun(level.games, "newest game")
    what = (
        f"In your {games} you kept the value in {level.kept} of {counted_noun(level.of, 'position')} in which a move "
        f"could give it away (at most {KNOWN_FROM} empty squares)"
    )
    if level.opponent is None:
        return f"{what}: with {MIN_POSITIONS} such positions, an opponent at your level is found."
    return f"{what}. At your level: {level.opponent}."


def _critical_decisions(stored: StoredGame, stop: Stop) -> Iterator[Decision]:
    """Yield the person's decisions in the positions in which a move gives the value away."""
    match, side = replay_record(stored.record), person_side(stored.record)
    game = match.game
    shape = require_shape(game)
    for position, move in zip(match.positions, match.moves, strict=False):
        if game.side(position) is side and shape.pieces_left(position) <= KNOWN_FROM:
            rated = {each.move: each for each in rate_moves(game, position, stop)}
            if not is_open(game, rated.values()) and len({each.value for each in rated.values()}) > 1:
                yield rated, move


def _best_value(rated: dict[Move, RatedMove]) -> int | None:
    return max(rated.values(), key=lambda each: each.merit).value


def _expected_kept(decisions: list[Decision], skill: int) -> float:
    """Return the mean number of these positions in which a fallible player of this skill keeps the value."""
    return sum(
        chance
        for rated, _ in decisions
        for each, chance in move_chances([*rated.values()], skill).items()
        if each.value == _best_value(rated)
    )


OWN_RUNGS: Final = 20
"""How many of the user's own saves are on the ladder: the newest ones."""


def find_next_opponent(library: Library, game: Game, beaten: str, stop: Stop = never) -> OpponentBeaten:
    """Return the event for a beaten opponent, with the next one: the weakest stronger one that nobody has beaten yet.

    The ladder has the players of a game in the order of their levels. Where the person's own level is known, players
    weaker than the opponent at that level are passed over. After a checkpoint, its save as it is now comes next, unless
    a person has beaten that save already. Of the user's own saves, only the newest are on the ladder. Raises
    `LibraryError`, `Stopped`.
    """
    label = without_checkpoint(beaten)
    everybody = [each for each in candidates(game, library.entries()) if not each.is_person]
    saves = [each for each in everybody if each.own]
    rungs = [each for each in everybody if not each.own or each in saves[:OWN_RUNGS] or each.label == label]
    levels = {each.key: level_for(library, each, stop) for each in rungs}
    known: dict[Candidate, Level | Foresight | Accuracy] = {}
    for each in rungs:
        level = levels[each.key]
        if not isinstance(level, str):
            known[each] = level
    beaten_level = next((level for each, level in known.items() if each.label == label), None)
    if beaten_level is None:
        return OpponentBeaten(beaten, "", "")
    own = own_level(library.games, game, stop)
    nearest = nearest_opponent(known, own)
    min_strength = () if nearest is None else known[nearest].strength
    beaten_labels = library.games.beaten_opponents(game)
    for each in sort_by_strength(known, levels):
        strength = known[each].strength
        is_stronger = strength > beaten_level.strength and strength >= min_strength
        is_save_of_checkpoint = each.label == label != beaten
        if each.label in beaten_labels or not (is_stronger or is_save_of_checkpoint):
            continue
        proposed = known[each]
        unbeatable = isinstance(proposed, Level) and proposed.name == RANKS[0].name and not proposed.lost
        at_own_level = f", {kept_text(own)}" if own is not None and each is nearest else ""
        return OpponentBeaten(beaten, each.label, f"{proposed.name}{at_own_level}", unbeatable)
    return OpponentBeaten(beaten, "", "")
