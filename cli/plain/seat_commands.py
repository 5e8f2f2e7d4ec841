"""The commands that change the players or the game."""

from cli.plain.presenter import Presenter
from cli.shared.arguments import chosen_player, full_label
from engine.game import Game, Side
from engine.games import known_games, parse_game
from engine.plural import counted_noun
from lab.board.opponent_strength import level_name, lost_notes, strength_text
from lab.board.opponents import by_strength, candidates, level_for, side_against
from lab.board.seating import seating_for
from lab.text.sanitise import plain
from learners.core.learner import PERSON
from learners.core.player import Player
from saves.library.library import Library

MAX_OWN = 20
"""How many of the user's own saves are listed, the newest first: each takes a moment to judge."""


def player_for(label: str, game: Game, library: Library) -> Player | None:
    """Load a player; `None` for a person. Raises `BadText`, `LibraryError`, `TooLarge`."""
    return None if label == PERSON else chosen_player(label, game, library)


def change_opponent(view: Presenter, label: str) -> None:
    """Change the opponent of the first person. Raises `BadText`, `LibraryError`, `TooLarge`."""
    table = view.table
    if not label:
        view.say("Give an opponent, as in: against perfect. To list the opponents, write: players")
        return
    opponent = player_for(full_label(label, table.library), table.game, table.library)
    own = Side(table.session.seats.index(None))
    if opponent is not None:
        own = side_against(opponent, own)
    view.carry_out(table.seat_players(table.game, (None, opponent) if own is Side.FIRST else (opponent, None)))


def choose_game(view: Presenter, name: str) -> None:
    """Play another game against its usual opponent; without a name, list the games. Raises `BadText`."""
    if not name:
        for game in known_games(view.table.game):
            view.say(f"  {game.name}: {game.title}. {game.summary}")
        return
    seating, library = seating_for(parse_game(name.lower())), view.table.library
    first, second = (player_for(label, seating.game, library) for label in (seating.first, seating.second))
    view.carry_out(view.table.seat_players(seating.game, (first, second)))


def list_players(view: Presenter, _: str = "") -> None:
    game, library, levels = view.table.game, view.table.library, view.levels
    view.say("Computing how strong the players are.")
    everybody = [each for each in candidates(game, library.entries()) if not each.is_person]
    own = [each for each in everybody if each.own]
    listed = [each for each in everybody if not each.own] + own[:MAX_OWN]
    for each in listed:
        if each.key not in levels:
            levels[each.key] = level_for(library, each)
    for each in by_strength(listed, levels):
        known = levels[each.key]
        strength = strength_text(game, each, known, noting_lost=False)
        learns = " It can learn." if each.learns else ""
        view.say(f"  {plain(each.label)}: {level_name(each, known)}. {strength}{learns}")
    for note in lost_notes(game, [levels[each.key] for each in listed]):
        view.say(note)
    if len(own) > MAX_OWN:
        older = len(own) - MAX_OWN
        view.say(f"  and {counted_noun(older, 'older save')}, listed by the command noughts players")
    view.say("To play against one of them, write for example: against perfect")
