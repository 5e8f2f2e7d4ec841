"""The commands of a game played in lines of text: advice about a position, whole games, and the players."""

from collections.abc import Sequence
from typing import Final

from cli.plain.presenter import Presenter
from cli.shared.arguments import chosen_player, full_label
from cli.shared.common import parse_number
from engine.analysis.debrief import Turn, debrief, mistakes
from engine.analysis.rating import best_of, horizon_of, rate_moves
from engine.connect_solver.games import shape_of
from engine.connect_solver.lasting_threats import lasting_threats
from engine.game import Game, Side
from engine.games import find_game, known_games, parse_game
from engine.notation import game_text, parse_game_text, position_text
from engine.plural import counted_noun
from lab.advice.advice import ahead_text, rated_move_text
from lab.board.events import Obstacle, Refused
from lab.board.opponent_strength import level_name, lost_notes, strength_text
from lab.board.opponents import candidates, level_for, side_against, sort_by_strength
from lab.board.seating import seating_for
from lab.board.session import GameReview, review_of_record
from lab.review.debrief import match_ending_text, turn_text, verdict_text
from lab.review.finished_games import short_names, summary_text
from lab.text.numbers import percent_text
from lab.text.sanitise import plain
from learners.core.learner import PERSON
from learners.core.player import Player
from saves.library.game_record import LARGEST_NUMBER, DamagedGame
from saves.library.library import Library

MAX_GAMES: Final = 10
"""The maximum number of finished games that are listed."""
ALL_MOVES: Final = "all"
"""The argument of `debrief` for every move."""


def show_debrief(view: Presenter, which: str) -> None:
    if which.lower() not in ("", ALL_MOVES):
        view.say(f"Write debrief, or debrief {ALL_MOVES} for every move.")
    elif not view.table.match.moves:
        view.say("No move is made yet. To see finished games, write: games")
    else:
        _review(view, view.table.review(), whole=bool(which))
        view.say("To play on from before a move: retry and its number.")


def _review(view: Presenter, review: GameReview, *, whole: bool) -> None:
    """Say how a game ended, what decided it, and its mistakes, or all its moves if `whole`."""
    match = review.match
    view.say(match_ending_text(match, short_names(review.labels)))
    if not match.game.numbered:
        view.say(f"Looking at {counted_noun(len(match.moves), 'move')}.")  # the analysis takes a few seconds
    turns = debrief(match)
    view.say(verdict_text(match, turns))
    told_turns = turns if whole else mistakes(turns)
    for turn in told_turns:
        _say_turn(view, review, turns, turn)


def _say_turn(view: Presenter, review: GameReview, turns: Sequence[Turn], turn: Turn) -> None:
    game, number = review.match.game, turn.ply + 1
    if turn.cost:
        view.say(f"Before move {number}:")
        view.say_board(game, turn.position)
    next_turn = turns[number] if number < len(turns) else None
    name = short_names(review.labels)[turn.side.other]
    view.say(f"Move {number}: {' '.join(turn_text(game, turn, next_turn, name, review.chance(number)))}")


def retry(view: Presenter, number: str) -> None:
    """Play on from before move `number`; without one, from before the last mistake. Raises `BadParameter`."""
    match = view.table.match
    if not match.moves:
        view.say("No move is made yet.")
        return
    if number:
        view.practise(match.until(parse_number(number, 1, len(match.moves)) - 1))
        return
    mistaken_turns = mistakes(debrief(match))
    if mistaken_turns:
        view.practise(match.until(mistaken_turns[-1].ply))
    else:
        view.say("No move was a mistake. Give the number of the move to play on from, as in: retry 1")


def show_position(view: Presenter, _: str = "") -> None:
    view.say(position_text(view.table.match))


def show_record(view: Presenter, _: str = "") -> None:
    view.say(game_text(view.table.match))


def show_copies(view: Presenter, _: str = "") -> None:
    """Say the position and the whole game as text, like the copy dialog of the app."""
    show_position(view)
    show_record(view)


def paste(view: Presenter, text: str) -> None:
    if text:
        view.practise(parse_game_text(text, find_game, view.table.game))
    else:
        view.say(f"Give a position or a game, as in: paste {game_text(view.table.match)}")


def list_games(view: Presenter, _: str = "") -> None:
    numbers = view.table.library.games.numbers()
    for stored in view.table.library.games.read(numbers[:MAX_GAMES]):
        text = f"cannot be read: {stored.trouble}" if isinstance(stored, DamagedGame) else summary_text(stored)
        view.say(f"  {stored.id}: {plain(text, 400)}")
    if not numbers:
        view.say("No games yet.")
    elif len(numbers) > MAX_GAMES:
        earlier = len(numbers) - MAX_GAMES
        view.say(f"  and {counted_noun(earlier, 'earlier game')}. To see one: show and its number.")


def show_game(view: Presenter, number: str) -> None:
    if not number:
        view.say("Give the number of a game, as in: show 1. To list the games, write: games")
        return
    stored = view.table.library.games.read_one(parse_number(number, 1, LARGEST_NUMBER))
    if isinstance(stored, DamagedGame):
        view.say(f"Game {stored.id} cannot be read: {plain(stored.trouble, 400)}")
        return
    review = review_of_record(stored.record)
    view.say(f"Game {stored.id}: {plain(summary_text(stored), 400)}")
    _review(view, review, whole=False)
    view.say(f"To play on from any position of it: paste {game_text(review.match)}")


MAX_OWN: Final = 20
"""The maximum number of the user's own saves that are listed, the newest first: each takes a moment to judge."""


def player_for(label: str, game: Game, library: Library) -> Player | None:
    """Load the machine with this label; return `None` for a person. Raises as `chosen_player` does."""
    return None if label == PERSON else chosen_player(label, game, library)


def change_opponent(view: Presenter, label: str) -> None:
    table = view.table
    if not label:
        view.say("Give an opponent, as in: against perfect. To list the opponents, write: players")
        return
    opponent = player_for(full_label(label, table.library), table.game, table.library)
    own_side = Side(table.session.seats.index(None))
    if opponent is not None:
        own_side = side_against(opponent, own_side)
    players = (None, opponent) if own_side is Side.FIRST else (opponent, None)
    view.carry_out(table.seat_players(table.game, players))


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
    machines = [each for each in candidates(game, library.entries()) if not each.is_person]
    own_saves = [machine for machine in machines if machine.own]
    listed = [machine for machine in machines if not machine.own] + own_saves[:MAX_OWN]
    for machine in listed:
        if machine.key not in levels:
            levels[machine.key] = level_for(library, machine)
    for machine in sort_by_strength(listed, levels):
        level = levels[machine.key]
        strength = strength_text(game, machine, level, with_lost_sides=False)
        learns = " It can learn." if machine.learns else ""
        view.say(f"  {plain(machine.label)}: {level_name(machine, level)}. {strength}{learns}")
    for note in lost_notes(game, [levels[machine.key] for machine in listed]):
        view.say(note)
    if len(own_saves) > MAX_OWN:
        older = len(own_saves) - MAX_OWN
        view.say(f"  and {counted_noun(older, 'older save')}, listed by the command noughts players")
    view.say("To play against one of them, write for example: against perfect")


def show_minds(view: Presenter, _: str = "") -> None:
    game, match = view.table.game, view.table.match
    machines = {seat.label: seat for seat in view.table.session.seats if seat is not None}
    if not machines:
        view.say("No machine plays. To see the result of each move with best play, write: truth")
    elif not _is_over(view):
        for machine in machines.values():
            mark = game.mark(match.side)
            view.say(f"What {plain(machine.label)} knows about {mark}'s moves, and how likely it would play each:")
            for thought in machine.thoughts(match.position):
                words, chance = plain(thought.words), percent_text(thought.chance)
                view.say(f"  {game.move_name(thought.move)}: {words}; plays it in {chance} of games")


def show_truth(view: Presenter, _: str = "") -> None:
    game, match = view.table.game, view.table.match
    if _is_over(view):
        return
    names_by_result: dict[str, list[str]] = {}
    rated = rate_moves(game, match.position)
    for rated_move in sorted(rated, key=lambda rated_move: rated_move.merit, reverse=True):
        names_by_result.setdefault(rated_move_text(rated_move), []).append(game.move_name(rated_move.move))
    horizon = ""
    if any(rated_move.value is None for rated_move in rated):
        horizon = f", as far as {horizon_of(game)} moves ahead"
    view.say(f"The result of each move of {game.mark(match.side)} with best play{horizon}, the best first:")
    for result, names in names_by_result.items():
        view.say(f"  {result}: {', '.join(names)}")


def show_threats(view: Presenter, _: str = "") -> None:
    """Say which squares complete a line, but cannot be played yet, in a game with gravity."""
    game, match = view.table.game, view.table.match
    if shape_of(game) is None:
        view.say("Here every square can be played at once: such threats are for games with gravity.")
        return
    if _is_over(view):
        return
    threats = lasting_threats(game, match.position)
    for threat in threats:
        parity = "odd" if threat.is_odd else "even"
        effect = "counts at the end" if threat.counts else "does not count"
        view.say(f"  {game.mark(threat.side)} at {game.board.grid.name(threat.square)}: {parity}, {effect}")
    if not threats:
        view.say("No square completes a line later on.")


def show_who_is_ahead(view: Presenter, _: str = "") -> None:
    game, match = view.table.game, view.table.match
    if _is_over(view):
        return
    best = best_of(rate_moves(game, match.position))[0]
    horizon = "With best play on both sides" if best.value is not None else f"As far as {horizon_of(game)} moves ahead"
    view.say(f"{horizon}: {ahead_text(game, match.position, best)}.")


def _is_over(view: Presenter) -> bool:
    """Return whether the game is over, and say so if it is."""
    is_over = view.table.match.outcome is not None
    if is_over:
        view.show(Refused(Obstacle.GAME_OVER))
    return is_over
