"""Opponents in words: what each one is, and how strong."""

from collections.abc import Iterable
from typing import Final

from engine.game import Game, Side
from engine.games import GAMES, find_game
from engine.plural import counted_noun
from lab.board.opponents import Candidate, LevelOrReason
from lab.results.score_lines import IN_SENTENCES
from lab.text.names import learner_name
from lab.text.numbers import percent_text, rounds_text, share_text, small_fraction
from lab.text.sanitise import plain
from learners import Offer, find_kind, offers
from learners.core.learner import Learner
from learners.core.player import Player
from learners.players.levels import LEVEL_OPPONENTS, RANKS, Accuracy, Foresight, Level
from saves.entry import Entry

METER: Final = ("■", "·")
"""The signs of a bar that shows a level: the first as often as the level's rank, then the second."""
WAITING: Final = "…"
NO_LEVEL: Final = "?"


def candidate_name(candidate: Candidate) -> str:
    source = candidate.source
    if source is None:
        return "a person"
    return source.title if isinstance(source, Offer) else source.name


def about_text(candidate: Candidate, room: int = 100) -> str:
    """Return what a player is, in a few words: `looks 3 moves ahead`, `MENACE, 2k games`."""
    source = candidate.source
    if source is None:
        return "beside you"
    if not isinstance(source, Entry):
        return source.summary
    return learner_name(learner_title(source), _trained_text(source), room=room)


def learner_title(entry: Entry) -> str:
    """Return the title of the learner of a save; the bare name of one that is not installed."""
    kind = find_kind(entry.learner)
    return entry.learner if kind is None else kind.spec.title


def player_sentence(candidate: Candidate) -> str:
    """Return a sentence that says what a player is: of a save, how it learns, and its preset; empty for a person."""
    entry = candidate.source
    if isinstance(entry, Offer):
        return f"{entry.title}: {entry.summary}."
    kind = find_kind(entry.learner) if isinstance(entry, Entry) else None
    if kind is None or not isinstance(entry, Entry):
        return ""
    preset = kind.shown.preset_words.get(entry.preset, "")
    return f"{kind.spec.title}, {entry.preset} ({preset})." if preset else f"{kind.spec.title}: it {kind.spec.summary}."


def introduction(player: Player) -> str:
    """Return a sentence that says what a player at the board is."""
    if isinstance(player, Learner):
        return f"{player.spec.title}: it {player.spec.summary}."
    about = (f"{each.title}: {each.summary}." for each in offers(player.game) if each.label == player.label)
    return next(about, player.label)


def training_facts(entry: Entry) -> list[str]:
    """Return facts about a save: the game if it is not the usual one, and the preset if it is not the name."""
    known = find_game(entry.game)
    game = [] if known is GAMES[0] else [entry.game if known is None else known.title.lower()]
    return [*game, _trained_text(entry), *([entry.preset] if entry.preset != entry.name else [])]


def _trained_text(entry: Entry) -> str:
    kind = find_kind(entry.learner)
    if kind is not None and not kind.spec.learns:
        return "does not learn"
    return rounds_text(entry.rounds, entry.round_noun)


def level_name(candidate: Candidate, known: LevelOrReason | None) -> str:
    """Return the level in a word or two; `…` while it is computed."""
    if candidate.is_person:
        return ""
    if known is None:
        return WAITING
    return NO_LEVEL if isinstance(known, str) else known.name


def meter(known: LevelOrReason | None) -> str:
    """Return a level as a bar, full for the best: the rank, or the share of kept values; blanks for any other level."""
    most = len(RANKS) - 1
    filled = (
        known.rank if isinstance(known, Level) else int(most * known.share) if isinstance(known, Accuracy) else None
    )
    return " " * most if filled is None else METER[0] * filled + METER[1] * (most - filled)


def strength_text(game: Game, candidate: Candidate, known: LevelOrReason | None, *, noting_lost: bool = True) -> str:
    """Return sentences about a player's strength; with `noting_lost`, also on sides lost against perfect play."""
    if candidate.is_person:
        return "Two people at one board, turn by turn."
    if known is None:
        return "Its exact strength is being computed …"
    if isinstance(known, str):
        return f"Its strength is not known: {plain(known)}."
    if isinstance(known, Foresight):
        return _foresight_text(known)
    if isinstance(known, Accuracy):
        return f"Its move keeps the value in {known.kept:,} of {known.of:,} known positions that are won or drawn."
    notes = lost_notes(game, [known]) if noting_lost else []
    notes += [f"{game.mark(side)} is untrained." for side in known.untrained]
    return " ".join([_exact_text(game, candidate, known), *notes])


def level_ways(game: Game, candidate: Candidate, known: LevelOrReason | None) -> list[tuple[str, str]]:
    """Return ways to say the level of a save, the longest first: a line with its reason, and one with the details.

    The level follows from the share of lost games in the first line.
    """
    if known is None:
        return [("computing its strength …", "")]
    if isinstance(known, str):
        return [(plain(known), "")]
    if not isinstance(known, Level):
        return [(f"{known.name}: {_lower(strength_text(game, candidate, known))}", ""), (known.name, "")]
    sides = [game.mark(side) for side in known.judged]
    name = known.name if len(sides) == len(Side) else f"{known.name} as {sides[0]}"
    if not known.losses["best_responder"]:
        return [(f"{name}: never loses", "not even to a reader")]
    shares = [known.losses[key] for key in LEVEL_OPPONENTS]
    random, perfect, reader = map(_won, shares)
    first = perfect.replace("in", "game in" if perfect.startswith("1 ") else "games in")
    first = f"Perfect play {first} wins" if perfect in {"never", "always"} else f"Perfect play wins about {first}"
    lost = f"{name}: loses {percent_text(known.loss)}"
    whole = "perfect wins {}, a reader {}".format(*map(share_text, shares[1:]))
    return [
        (f"{lost} of games on average", f"{first}, random {random}, a reader of its memory {reader}"),
        (f"{lost} of games", f"{first}, a reader {reader}"),
        (f"{name}: loses {share_text(known.loss)} of games", whole),
        (f"{name}: loses {share_text(known.loss)}", whole),
    ]


def _won(share: float) -> str:
    """Return about how many of its games an opponent wins: `never`, `1 in 5`, `always`."""
    if share in (0, 1):
        return "always" if share else "never"
    return "{1:,} in {2:,}".format(*small_fraction(share))


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:].removesuffix(".")


def lost_notes(game: Game, levels: Iterable[LevelOrReason]) -> list[str]:
    """Return a note for each side that always loses against perfect play, as the levels of players show."""
    lost = {side for level in levels if isinstance(level, Level) for side in level.lost}
    return [f"{game.mark(side)} always loses against perfect play." for side in sorted(lost)]


def _foresight_text(known: Foresight) -> str:
    if known.playouts:
        return f"Plays {counted_noun(known.playouts, 'random game')} for each move, and chooses by their results."
    if known.learned:
        return "Does not look ahead: it plays what it has learned. The game is too large for its exact strength."
    if not known.depth:
        return "Does not look ahead: every move is equally likely."
    return f"Looks {counted_noun(known.depth, 'move')} ahead, and estimates the rest."


def _exact_text(game: Game, candidate: Candidate, level: Level) -> str:
    whole = level.judged == tuple(Side)
    only = "" if whole else f"As {' or '.join(game.mark(side) for side in level.judged)} it "
    several = level.seeds > 1
    if not level.losses["best_responder"]:
        tried = f" with any of {level.seeds} seeds" if several else ""
        return f"{only}{'N' if whole else 'n'}ever loses{tried}, whoever it plays."
    random, perfect, best = (
        f"{percent_text(level.losses[key])}{f' ± {percent_text(level.deviations[key])}' if several else ''}"
        for key in LEVEL_OPPONENTS
    )
    loses = f"{'L' if whole else 'l'}oses {random} of games to random play, {perfect} to perfect play"
    seeds = f" With {level.unbeaten} of {level.seeds} seeds it never loses." if several else ""
    reader = (
        IN_SENTENCES["best_responder"] if isinstance(candidate.source, Entry) else "a player that knows how it plays"
    )
    return f"{only}{loses}, {best} to {reader}: {percent_text(level.loss)} on average.{seeds}"
