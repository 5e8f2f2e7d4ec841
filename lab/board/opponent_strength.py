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
    is_only_preset = kind is not None and len(kind.spec.presets) == 1
    return "" if is_only_preset or entry.preset == entry.name else entry.preset


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
    for offer in offers(player.game):
        if offer.label == player.label:
            return f"{offer.title}: {offer.summary}."
    return f"{player_title(player.label)}."


def training_text(entry: Entry) -> str:
    """Return for how long a save was trained, after its game if that is not the usual one."""
    game = find_game(entry.game)
    if game is GAMES[0]:
        return _trained_text(entry)
    title = entry.game if game is None else game.title.lower()
    return f"{title}, {_trained_text(entry)}"


def _trained_text(entry: Entry) -> str:
    kind = find_kind(entry.learner)
    if kind is not None and not kind.spec.learns:
        return "does not learn"
    return rounds_text(entry.rounds, entry.round_noun)


def level_name(candidate: Candidate, level: LevelOrReason | None) -> str:
    """Return the level in a word or two; `…` while it is computed."""
    if candidate.is_person:
        return ""
    if level is None:
        return WAITING
    return NO_LEVEL if isinstance(level, str) else level.name


def meter(level: LevelOrReason | None) -> str:
    """Return a level as a bar, full for the best: the rank, or the share of kept values; blanks for any other level."""
    width = len(RANKS) - 1
    if isinstance(level, Level):
        filled = level.rank
    elif isinstance(level, Accuracy):
        filled = int(width * level.share)
    else:
        return " " * width
    return METER[0] * filled + METER[1] * (width - filled)


def strength_text(
    game: Game, candidate: Candidate, level: LevelOrReason | None, *, with_lost_sides: bool = True
) -> str:
    """Return sentences about a player's strength, `with_lost_sides` also on sides lost against perfect play."""
    if candidate.is_person:
        return "Two people at one board, turn by turn."
    if level is None:
        return "Its exact strength is being computed …"
    if isinstance(level, str):
        return f"Its strength is not known: {plain(level)}."
    if isinstance(level, Foresight):
        return _foresight_text(level)
    if isinstance(level, Accuracy):
        return f"Its move keeps the value in {level.kept:,} of {level.of:,} known positions that are won or drawn."
    sentences = [_exact_text(game, candidate, level)]
    if with_lost_sides:
        sentences += lost_notes(game, [level])
    sentences += [f"{game.mark(side)} is untrained." for side in level.untrained]
    return " ".join(sentences)


LOSS_WORDINGS: Final = (
    f"to random play {{0}}, perfect play {{1}}, {READERS[1]} {{2}}",
    f"to random {{0}}, perfect {{1}}, {READERS[1]} {{2}}",
    f"to random {{0}}, perfect {{1}}, {READERS[2]} {{2}}",
    f"to perfect {{1}}, {READERS[2]} {{2}}",
)
"""The losses from which a level follows, from the longest wording to the shortest."""
OF_GAMES_WIDTH: Final = max(map(len, (f"{rank.name}: loses 100 % of games" for rank in RANKS))) + len(RANKS)
"""The smallest width in columns, with a meter, in which each level can say of what its share is."""
AVERAGE_WIDTH: Final = 54
"""The smallest width in columns, with a meter, in which each level can give its share to one decimal."""


def level_lines(game: Game, candidate: Candidate, level: LevelOrReason | None, room: int, lines: int) -> list[str]:
    """Return the level of a save with its share of lost games; then the losses that this is the mean of, in `lines`.

    How much is said follows from the room alone, so that all saves say it alike. In the first line is room for `meter`.
    """
    if level is None:
        return ["computing its strength …"]
    if isinstance(level, str):
        return [plain(level)]
    if not isinstance(level, Level):
        whole = f"{level.name}: {_as_clause(strength_text(game, candidate, level))}"
        return [whole if width_of(whole) + len(RANKS) <= room else level.name]
    side = "" if len(level.judged) == len(Side) else f" as {game.mark(level.judged[0])}"
    if not level.losses["best_responder"]:
        return [f"{level.name}{side}: never loses", f"not even to {READERS[1]}"]
    if room >= AVERAGE_WIDTH:
        first = f"{level.name}{side}: loses {percent_text(level.loss)} of games on average"
    elif side or room < OF_GAMES_WIDTH:
        first = f"{level.name}: loses {share_text(level.loss)}{side}"
    else:
        first = f"{level.name}: loses {share_text(level.loss)} of games"
    widest_shares = ["100 %"] * len(LEVEL_OPPONENTS)
    fitting = (each for each in LOSS_WORDINGS if len(_loss_lines(each, widest_shares, room)) <= lines)
    wording = next(fitting, LOSS_WORDINGS[-1])
    return [first, *_loss_lines(wording, [share_text(level.losses[key]) for key in LEVEL_OPPONENTS], room)]


def _loss_lines(wording: str, shares: Iterable[str], room: int) -> list[str]:
    """Return one of `LOSS_WORDINGS` in lines that end with a comma."""
    unbroken = wording.format(*shares).replace(" ", "\N{NO-BREAK SPACE}").replace(",\N{NO-BREAK SPACE}", ", ")
    return wrap(unbroken, room)


def _as_clause(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:].removesuffix(".")


def lost_notes(game: Game, levels: Iterable[LevelOrReason]) -> list[str]:
    """Return a note for each side that always loses against perfect play, as the levels of players show."""
    lost = {side for level in levels if isinstance(level, Level) for side in level.lost}
    return [f"{game.mark(side)} always loses against perfect play." for side in sorted(lost)]


def _foresight_text(foresight: Foresight) -> str:
    if foresight.playouts:
        return f"Plays {counted_noun(foresight.playouts, 'random game')} for each move, and chooses by their results."
    if foresight.learned:
        return "Does not look ahead: it plays what it has learned. The game is too large for its exact strength."
    if not foresight.depth:
        return "Does not look ahead: every move is equally likely."
    return f"Looks {counted_noun(foresight.depth, 'move')} ahead, and estimates the rest."


def _exact_text(game: Game, candidate: Candidate, level: Level) -> str:
    if level.judged == tuple(Side):
        never_loses, loses = "Never loses", "Loses"
    else:
        as_sides = f"As {' or '.join(game.mark(side) for side in level.judged)} it"
        never_loses, loses = f"{as_sides} never loses", f"{as_sides} loses"
    has_seeds = level.seeds > 1
    if not level.losses["best_responder"]:
        with_seeds = f" with any of {level.seeds} seeds" if has_seeds else ""
        return f"{never_loses}{with_seeds}, whoever it plays."
    random, perfect, best = (_loss_share(level, key) for key in LEVEL_OPPONENTS)
    reader = "a player that knows how it plays"
    if isinstance(candidate.source, Entry):
        reader = IN_SENTENCES["best_responder"]
    losses = f"{loses} {random} of games to random play, {perfect} to perfect play, {best} to {reader}"
    unbeaten = f" With {level.unbeaten} of {level.seeds} seeds it never loses." if has_seeds else ""
    return f"{losses}: {percent_text(level.loss)} on average.{unbeaten}"


def _loss_share(level: Level, opponent: str) -> str:
    share = percent_text(level.losses[opponent])
    return f"{share} ± {percent_text(level.deviations[opponent])}" if level.seeds > 1 else share
