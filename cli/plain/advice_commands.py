"""The commands about a position: what machines think, what best play leads to, and who is ahead."""

from cli.plain.presenter import Presenter
from engine.analysis.rating import best_of, horizon_of, rate_moves
from engine.connect_solver.games import shape_of
from engine.connect_solver.lasting_threats import lasting_threats
from lab.advice.advice import rated_move_text
from lab.board.events import Obstacle, Refused
from lab.text.numbers import percent_text
from lab.text.sanitise import plain


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
    by_result: dict[str, list[str]] = {}
    rated = rate_moves(game, match.position)
    for rated_move in sorted(rated, key=lambda rated_move: rated_move.merit, reverse=True):
        by_result.setdefault(rated_move_text(rated_move), []).append(game.move_name(rated_move.move))
    horizon = f", as far as {horizon_of(game)} moves ahead" if any(each.value is None for each in rated) else ""
    view.say(f"The result of each move of {game.mark(match.side)} with best play{horizon}, the best first:")
    for result, names in by_result.items():
        view.say(f"  {result}: {', '.join(names)}")


def show_threats(view: Presenter, _: str = "") -> None:
    """Say which squares complete a line, but cannot be played yet, in a game with gravity."""
    game, match = view.table.game, view.table.match
    if shape_of(game) is None:
        view.say("Here every square can be played at once: such threats are for games with gravity.")
        return
    if _is_over(view):
        return
    found = lasting_threats(game, match.position)
    for each in found:
        parity, counts = "odd" if each.is_odd else "even", "counts at the end" if each.counts else "does not count"
        view.say(f"  {game.mark(each.side)} at {game.board.grid.name(each.square)}: {parity}, {counts}")
    if not found:
        view.say("No square completes a line later on.")


def show_who_is_ahead(view: Presenter, _: str = "") -> None:
    from lab.advice.advice import ahead_text  # imports rich

    game, match = view.table.game, view.table.match
    if _is_over(view):
        return
    best = best_of(rate_moves(game, match.position))[0]
    horizon = "With best play on both sides" if best.value is not None else f"As far as {horizon_of(game)} moves ahead"
    view.say(f"{horizon}: {ahead_text(game, match.position, best)}.")


def _is_over(view: Presenter) -> bool:
    """Return whether the game is over, and say so if it is."""
    over = view.table.match.outcome is not None
    if over:
        view.show(Refused(Obstacle.GAME_OVER))
    return over
