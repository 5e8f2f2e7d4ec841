"""Words for advice: hints, what the machines see, what best play makes of the moves, who is ahead, and the check."""

from cli.plain.table import Table
from engine.debrief import examined
from engine.game import Move
from engine.prospects import HORIZON, best_of, prospects
from lab.board.advice import hint, prospect_text, warning_text
from lab.words.numbers import percent_text
from lab.words.sanitise import plain

OVER = "The game is over: debrief tells what decided it."


def give_hint(table: Table, _: str = "") -> None:
    """What to look for; asked once more in the same position, the move."""
    moment = table.moment
    if table.match.outcome is not None:
        table.say(OVER)
    elif moment.hint is None:
        moment.hint = hint(table.game, moment.position)
        table.say(f"{moment.hint.where} Write hint once more for the move.")
    else:
        table.say(f"Hint: {moment.hint.what}")


def tell_minds(table: Table, _: str = "") -> None:
    """What each machine holds of each move."""
    game, match = table.game, table.match
    machines = {seat.label: seat for seat in table.session.seats if seat is not None}
    if not machines:
        table.say("No machine plays: truth tells what best play makes of each move.")
    elif match.outcome is not None:
        table.say("The game is over: there is nothing to decide.")
    else:
        for machine in machines.values():
            mark = game.mark(match.side)
            table.say(f"What {plain(machine.label)} holds of {mark}'s moves, and how likely it would play each:")
            for thought in machine.thoughts(match.position):
                words, chance = plain(thought.words), percent_text(thought.chance)
                table.say(f"  {game.move_name(thought.move)}: {words}, {chance}")


def tell_truth(table: Table, _: str = "") -> None:
    """What best play makes of each move."""
    game, match = table.game, table.match
    if match.outcome is not None:
        table.say(OVER)
        return
    leading: dict[str, list[str]] = {}
    for prospect in sorted(prospects(game, match.position), key=lambda prospect: prospect.merit, reverse=True):
        leading.setdefault(prospect_text(prospect), []).append(game.move_name(prospect.move))
    sight = "" if game.numbered else f", as far as {HORIZON} moves ahead"
    table.say(f"What best play makes of {game.mark(match.side)}'s moves{sight}, the best first:")
    for what, names in leading.items():
        table.say(f"  {what}: {', '.join(names)}")


def tell_ahead(table: Table, _: str = "") -> None:
    """Who is ahead."""
    from lab.board.evaluation_bar import words_of  # imports rich

    game, match = table.game, table.match
    if match.outcome is not None:
        table.say(OVER)
        return
    best = best_of(prospects(game, match.position))[0]
    sight = "With best play on both sides" if best.worth is not None else f"As far as {HORIZON} moves ahead"
    table.say(f"{sight}: {words_of(game, match.position, best)}.")


def switch_check(table: Table, _: str = "") -> None:
    """Hold back moves that give something away, from now on or no longer."""
    # it is not remembered from one sitting to the next: the lines of a pipe mean the same each time
    table.checking = not table.checking
    held = "on: a move that gives something away is held back" if table.checking else "off: no move is held back"
    table.say(f"The check is {held}.")


def holds_back(table: Table, move: Move) -> bool:
    """Whether a person's move is held back, and said to be; written once more it is not."""
    moment = table.moment
    if not table.checking or moment.held == move:
        return False
    turn = examined(table.game, moment.position, move)
    if not turn.cost:
        return False
    moment.held = move
    name = table.game.move_name(move)
    table.say(f"{warning_text(table.game, turn)} Write {name} once more to play it all the same.")
    return True
