"""What happens at the board, and what a save learned from a game, in sentences that both front ends use."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.evaluate import SAME
from engine.game import Game, Position, Side
from engine.plural import counted_noun, listed
from lab.advice.advice import hint_move_text, hint_text, warning_text
from lab.board import events
from lab.board.session import Session
from lab.board.teaching import Effect, is_pupil
from lab.review.finished_games import player_text
from lab.text.numbers import percent_text
from lab.text.sanitise import plain
from learners.core.learner import PERSON, Learner
from learners.core.player import Player
from learners.core.save_ref import short_label
from learners.players.registry import player_title

MAX_LINES: Final = 5
"""The maximum number of lines that the changes of one game take."""


def lesson_lines(changes: Sequence[str], most: int = MAX_LINES) -> list[str]:
    """Return what a game changed in a memory, in at most `most` lines."""
    if not changes:
        return ["nothing changed"]
    if len(changes) <= most:
        return list(changes)
    shown = changes[: most - 1]
    return [*shown, f"and {len(changes) - len(shown)} more"]


def effect_text(effect: Effect, *, brief: bool = False) -> str:
    """Return how a game changed a learner's play: how likely it repeats one move and, unless `brief`, all of them."""
    if effect.ply is None:
        return "It plays as before."
    game, ply, (before, after) = effect.match.game, effect.ply, effect.again
    position, move = effect.match.positions[ply], effect.match.moves[ply]
    name, when = f"{game.mark(game.side(position))} {game.move_words(position, move)}", f"at move {ply + 1}"
    if effect.after <= SAME:
        text = f"It will not play {name} again in the position {when}."
    else:
        likelier = "more likely" if effect.after > effect.before else "less likely"
        now, then = percent_text(effect.after), percent_text(effect.before)
        if now == then:
            text = f"It is slightly {likelier} to play {name} {when}: {now}."
        else:
            text = f"It is {likelier} to play {name} {when}: {now}, before {then}."
    if brief:
        return text
    if after <= SAME < before:
        return f"{text} This game cannot happen again."
    if abs(after - before) > SAME:
        return f"{text} Chance that it repeats all its moves: {percent_text(after)}, before {percent_text(before)}."
    return text


def why_nobody_learns(players: Iterable[Player | None], advice: str) -> str:
    """Return why one of these players can never learn at the board; if there is no such player, return `advice`."""
    for player in players:
        if isinstance(player, Learner) and not player.spec.learns_records:
            name = short_label(player.label)
            if not player.spec.learns:
                return f"{name} is the policy of another program: it cannot learn."
            return f"{name} never learns from a single game: it cannot learn at the board."
    return advice


MAX_REASON: Final = 400
OBSTACLES: Final = {
    events.Obstacle.LOADING: "The players are still being loaded.",
    events.Obstacle.NOT_YOUR_TURN: "It is not your turn.",
    events.Obstacle.GAME_OVER: "The game is over: {debrief} tells what decided it.",
    events.Obstacle.NO_DRAWS: "{title} has no draws.",
    events.Obstacle.DRAW_TOO_EARLY: "A draw can be offered when it is your turn, once both sides have moved.",
    events.Obstacle.LEARNED: "A save has learned from this game, so it cannot be taken back: {new} begins a new one.",
    events.Obstacle.NOTHING_TO_TAKE_BACK: "There is no move of yours to take back.",
}


@dataclass(frozen=True)
class Commands:
    """How a front end names its commands in a sentence."""

    enter: str
    """How a command is given: `Press` a key, or `Write` a word."""
    pick: str
    """How a move is made, such as `Pick` a square."""
    new: str
    debrief: str
    swap: str
    hint: str
    draw: str
    against: str
    """How to play against a machine, `{label}` standing for its label."""
    choose_pupil: str
    """How to seat a save that can learn, as advice: `choose one with o`."""


def event_sentences(event: events.Event, session: Session, commands: Commands) -> Sequence[str]:  # noqa: C901, PLR0911, PLR0912  a case for each event
    """Return the sentences about an event; none for an event that is seen on the board."""
    game = session.game
    match event:
        case events.Seated():
            return _misplaced_sentences(game, event.misplaced, "moves at random", commands)
        case events.SeatFilled():
            who = "A person" if event.label == PERSON else plain(event.label)
            return [f"{who} takes the seat: {one_line(event.reason)}."]
        case events.PracticeStarted():
            return ["Practice: this game does not count and is not stored."]
        case events.DrawOffered():
            again = f"{commands.enter.lower()} {commands.draw} once more; any move declines."
            mark, other = game.mark(event.side), game.mark(event.side.other)
            return [f"{mark} offers a draw.", f"If {other} agrees, {again}"]
        case events.DrawRefused():
            return [f"{player_text(event.label, PERSON)} declines the draw."]
        case events.GameNotStored():
            return [f"This game could not be stored: {one_line(event.reason)}"]
        case events.OpponentBeaten():
            beaten = f"You have beaten {player_text(event.label, PERSON)}."
            if not event.proposed:
                return [beaten, "No stronger opponent is left to beat."]
            name = player_text(event.proposed, PERSON)
            draw = " It never loses: a draw is the best result." if event.unbeatable else ""
            how = commands.against.format(label=event.proposed)
            return [beaten, f"Next to beat: {name} ({event.level}).{draw} {commands.enter} {how}."]
        case events.GameNotWithdrawn():
            return [f"The game that you took back is still listed: {one_line(event.reason)}"]
        case events.SaveNotLearned():
            return [f"{player_text(event.label, PERSON)} has not learned from this game: {one_line(event.reason)}"]
        case events.LearningSwitched():
            who = listed([player_text(label, PERSON) for label in event.labels], "and")
            learn = "learns" if len(event.labels) == 1 else "learn"
            return [f"{who} {learn} from each game from now on." if event.on else f"{who} no longer {learn}."]
        case events.CheckSwitched():
            state = "on: moves that give something away are held back" if event.on else "off: no move is held back"
            return [f"The blunder check is {state}."]
        case events.MoveHeldBack():
            move = game.move_words(event.turn.position, event.turn.played.move)
            return [warning_text(game, event.turn), f"{commands.pick} {move} once more to play it anyway."]
        case events.HintGiven() if event.step == 1:
            return [hint_text(event.hint), f"{commands.enter} {commands.hint} once more for the move."]
        case events.HintGiven():
            return [hint_move_text(event.hint)]
        case events.Refused() if event.obstacle is events.Obstacle.NOBODY_LEARNS:
            advice = f"Only a save of your own can learn: {commands.choose_pupil}."
            misplaced = [(player.label, side) for player, side in session.misplaced if is_pupil(player)]
            sentences = _misplaced_sentences(game, misplaced, "cannot learn", commands)
            return sentences or [why_nobody_learns(session.seats, advice)]
        case events.Refused():
            words = {"title": game.title, "debrief": commands.debrief, "new": commands.new}
            return [OBSTACLES[event.obstacle].format_map(words)]
        case _:
            return []


def _misplaced_sentences(game: Game, misplaced: Iterable[tuple[str, Side]], what: str, commands: Commands) -> list[str]:
    return [
        f"{player_text(label, PERSON)} plays {game.mark(side.other)} only: as {game.mark(side)} it {what}. "
        f"{commands.enter} {commands.swap} to swap sides."
        for label, side in misplaced
    ]


def one_line(error: object) -> str:
    """Return an error from elsewhere as one line that is safe in a terminal."""
    return plain(" ".join(str(error).split()), MAX_REASON)


def seat_name(seat: Player | None) -> str:
    """Return the name of a player at the board: `you`, `Alpha-beta 4`, or the name of a save."""
    return "you" if seat is None else short_label(player_title(seat.label))


def no_square_text(game: Game, digit: int, count: int) -> str:
    """Return why a digit picks no square: only those up to `count` do."""
    board = game.board
    where, noun = ("the board", "column") if board.discs else ("a row", "square")
    if board.heaps:
        where, noun = "this heap", "stone"
    return f"{digit}: {where} has {counted_noun(count, noun)}"


def refusal_text(game: Game, position: Position, square: int) -> str:
    """Return why nothing can be played on a square that a person picked."""
    board, cells = game.board, game.board.cells(position)
    name, piece = board.grid.name(square), cells[square]
    if board.discs:
        return "no stone lies here" if board.heaps else f"column {name[0]} is full"
    moves_squares = [board.squares(position, move) for move in game.moves(position)]
    if piece is None:
        pieces_move = all(cells[squares[0]] is not None for squares in moves_squares)
        return f"{name} is empty: pick a piece" if pieces_move else f"{name} cannot be played here"
    pieces_are_placed = all(len(squares) == 1 for squares in moves_squares)
    if pieces_are_placed or piece.side is None:
        return f"{name} is taken"
    return (
        f"{name} cannot move now" if piece.side is game.side(position) else f"{name} belongs to {game.mark(piece.side)}"
    )
