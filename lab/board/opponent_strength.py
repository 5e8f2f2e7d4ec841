"""Opponents in words: what each one is, and how strong."""

from collections.abc import Iterable
from textwrap import wrap
from typing import Final

from engine.game import Game, Side
from engine.games import GAMES, find_game
from engine.plural import counted_noun
from lab.board.opponents import Candidate, LevelOrReason
from lab.results.score_lines import IN_SENTENCES, READERS
from lab.text.columns import width_of
from lab.text.names import learner_name
from lab.text.numbers import percent_text, rounds_text, share_text
from lab.text.sanitise import plain
from learners import Offer, find_kind, offers
from learners.core.learner import Learner
from learners.core.player import Player
from learners.players.levels import LEVEL_OPPONENTS, RANKS, Accuracy, Foresight, Level
from learners.players.registry import player_title
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


def preset_text(entry: Entry) -> str:
    """Return the preset of a save; empty if that says nothing: if its learner has no other, or it is the name."""
    kind = find_kind(entry.learner)
    return "" if entry.preset == entry.name or (kind and len(kind.spec.presets) == 1) else entry.preset


def player_sentence(candidate: Candidate) -> str:
    """Return a sentence that says what a player is: of a save, its preset or how it learns; empty for a person."""
    entry = candidate.source
    if isinstance(entry, Offer):
        return f"{entry.title}: {entry.summary}."
    kind = find_kind(entry.learner) if isinstance(entry, Entry) else None
    if kind is None or not isinstance(entry, Entry):
        return ""
    preset = kind.shown.preset_words.get(entry.preset, "")
    return f"{kind.spec.title} ({preset})." if preset else f"{kind.spec.title}: it {kind.spec.summary}."


def introduction(player: Player) -> str:
    """Return a sentence that says what a player at the board is."""
    if isinstance(player, Learner):
        return f"{player.spec.title}: it {player.spec.summary}."
    about = (f"{each.title}: {each.summary}." for each in offers(player.game) if each.label == player.label)
    return next(about, f"{player_title(player.label)}.")


def training_text(entry: Entry) -> str:
    """Return for how long a save was trained, after its game if that is not the usual one."""
    known = find_game(entry.game)
    game = [] if known is GAMES[0] else [entry.game if known is None else known.title.lower()]
    return ", ".join([*game, _trained_text(entry)])


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


PARTS: Final = (
    f"to random play {{0}}, perfect play {{1}}, {READERS[1]} {{2}}",
    f"to random {{0}}, perfect {{1}}, {READERS[1]} {{2}}",
    f"to random {{0}}, perfect {{1}}, {READERS[2]} {{2}}",
    f"to perfect {{1}}, {READERS[2]} {{2}}",
)
"""The losses from which a level follows, from the longest way to the shortest."""
GAMES_FROM: Final = max(map(len, (f"{rank.name}: loses 100 % of games" for rank in RANKS))) + len(RANKS)
"""The least width in columns, with a bar, of any level that says of what its share is."""
AVERAGE_FROM: Final = 54
"""The least width in columns, with a bar, of any level with its share to one decimal."""


def level_lines(game: Game, candidate: Candidate, known: LevelOrReason | None, room: int, lines: int) -> list[str]:
    """Return the level of a save with the share of lost games that it follows from; then its parts, in `lines` lines.

    How much is said follows from the room alone, so that all saves say it alike. In the first line is room for `meter`.
    """
    if known is None:
        return ["computing its strength …"]
    if isinstance(known, str):
        return [plain(known)]
    if not isinstance(known, Level):
        whole = f"{known.name}: {_lower(strength_text(game, candidate, known))}"
        return [whole if width_of(whole) + len(RANKS) <= room else known.name]
    side = "" if len(known.judged) == len(Side) else f" as {game.mark(known.judged[0])}"
    if not known.losses["best_responder"]:
        return [f"{known.name}{side}: never loses", f"not even to {READERS[1]}"]
    first = f"{known.name}: loses {share_text(known.loss)}{side or ' of games' * (room >= GAMES_FROM)}"
    if room >= AVERAGE_FROM:
        first = f"{known.name}{side}: loses {percent_text(known.loss)} of games on average"
    widest = ((each, _parts(each, ["100 %"] * len(LEVEL_OPPONENTS), room)) for each in PARTS)
    way = next((each for each, parts in widest if len(parts) <= lines), PARTS[-1])
    return [first, *_parts(way, [share_text(known.losses[key]) for key in LEVEL_OPPONENTS], room)]


def _parts(way: str, shares: Iterable[str], room: int) -> list[str]:
    """Return one of `PARTS` in lines that end with a comma."""
    bound = way.format(*shares).replace(" ", "\N{NO-BREAK SPACE}").replace(",\N{NO-BREAK SPACE}", ", ")
    return wrap(bound, room)


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
