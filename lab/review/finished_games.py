"""Finished games in words: who played and how it ended; and the filters of a list of games."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from engine.game import Outcome, Side
from engine.games import GAMES, find_game
from engine.match import Record, replay_record
from engine.plural import counted_noun
from lab.text.columns import cut
from lab.text.sanitise import plain
from learners.core.learner import PERSON
from learners.core.save_ref import short_label
from learners.players.registry import player_title
from saves.library.game_record import DamagedGame, GameFilter, StoredGame, Tally

MAX_NAME: Final = 100
"""The maximum number of characters of a player's label that are read; a label in a file may be of any length."""
SHORT_NAME: Final = 24
"""The maximum width of a name in a line about a whole game, in columns."""


def player_text(label: str, person: str) -> str:
    """Return a player's name, such as `Alpha-beta 4` or that of a save; `person` is the word for a person."""
    return person if label == PERSON else plain(short_label(player_title(label[:MAX_NAME])), MAX_NAME)


def players_text(labels: tuple[str, str]) -> tuple[str, str]:
    """Return the names of both players: a person is `you`, but two people are both `a person`."""
    person = "you" if labels.count(PERSON) == 1 else "a person"
    first, second = (player_text(label, person) for label in labels)
    return first, second


def manner_of_ending(record: Record) -> str:
    """Return how a game ended: by the rules (`board`), or because a side `resigned`, or because a draw was `agreed`."""
    if record.game.outcome(replay_record(record).position) is not None:
        return "board"
    return "agreed" if record.outcome is Outcome.DRAW else "resigned"


def record_ending_text(record: Record) -> str:
    """Return how a game ended, as the person sees it: `you won`, `it resigned`, `draw agreed`; between two: `X won`."""
    winner, how = record.outcome.winner, manner_of_ending(record)
    if winner is None:
        return "draw agreed" if how == "agreed" else "drawn"
    game = record.game
    if record.players.count(PERSON) != 1:
        return f"{game.mark(winner.other)} resigned" if how == "resigned" else f"{game.mark(winner)} won"
    won = record.players[winner] == PERSON
    if how == "resigned":
        return "it resigned" if won else "you resigned"
    return "you won" if won else "you lost"


def record_end_text(record: Record) -> str:
    """Return how a game ended, and when: `you won after 7 moves`."""
    after = f"after {counted_noun(len(record.moves), 'move')}" if record.moves else "before the first move"
    return f"{record_ending_text(record)} {after}"


def short_names(labels: tuple[str, str]) -> tuple[str, str]:
    first, second = (cut(name, SHORT_NAME) for name in players_text(labels))
    return first, second


def seats_lines(record: Record) -> list[str]:
    game = record.game
    return [f"{game.mark(side)}  {name}" for side, name in zip(Side, players_text(record.players), strict=True)]


def moment_text(played: datetime) -> str:
    """Return when a game was played, in local time."""
    return f"{played.astimezone():%Y-%m-%d %H:%M}"


def short_moment_text(played: datetime, now: datetime) -> str:
    """Return when a game was played, in ten columns: the time if it was today, otherwise the date."""
    local = played.astimezone()
    return f"{local:%H:%M}" if local.date() == now.astimezone().date() else f"{local:%Y-%m-%d}"


def summary_text(stored: StoredGame) -> str:
    """Return a game in one line: `Tic-tac-toe, 2026-01-31 12:34: X you, O riechel; you won after 7 moves …`."""
    record, game = stored.record, stored.record.game
    seats = ", ".join(f"{game.mark(side)} {name}" for side, name in zip(Side, short_names(record.players), strict=True))
    text = f"{game.title}, {moment_text(stored.played)}: {seats}; {record_end_text(record)}"
    if not record.moves:
        return text
    return f"{text}: {' '.join(game.move_name(move) for move in record.moves)}"


def games_in(tally: Tally) -> list[str]:
    """Return the names of the games that were played: those in `GAMES` in that order, then unknown ones."""
    played = {which.game for which in tally if which.game is not None}
    known = [game.name for game in GAMES if game.name in played]
    return [*known, *sorted(played.difference(known))]


def opponents_in(tally: Tally, game: str | None) -> list[str]:
    """Return the labels of the opponents, the most frequent first; only those in `game`, unless it is `None`."""
    games = Counter[str]()
    for which, count in tally.items():
        if which.opponent is not None and game in (None, which.game):
            games[which.opponent] += count
    return sorted(games, key=lambda opponent: (-games[opponent], opponent))


def next_game(tally: Tally, now: GameFilter) -> GameFilter:
    """Return the filter with the next game; after the last one, with all games. It loses an opponent not met there."""
    game = _next(games_in(tally), now.game)
    return replace(now, game=game, opponent=now.opponent if now.opponent in opponents_in(tally, game) else None)


def next_opponent(tally: Tally, now: GameFilter) -> GameFilter:
    """Return the filter with the next opponent; after the last one, with all opponents."""
    return replace(now, opponent=_next(opponents_in(tally, now.game), now.opponent))


def _next(names: Sequence[str], now: str | None) -> str | None:
    every = [None, *names]
    return every[(every.index(now) + 1) % len(every)] if now in every else None


def filter_text(wanted: GameFilter) -> str:
    """Return a filter in words: `Hexapawn, against riechel`."""
    title = "every game"
    if wanted.game is not None:
        game = find_game(wanted.game)
        title = plain(wanted.game[:MAX_NAME], 20) if game is None else game.title
    against = "everybody" if wanted.opponent is None else player_text(wanted.opponent, "another person")
    return f"{title}, against {against}"


def amount_text(count: int) -> str:
    return counted_noun(count, "game")


def damage_text(damaged: DamagedGame) -> str:
    return plain(f"This game cannot be read: {damaged.trouble}", 300)
