"""Words that act on a game without a move: back, new, swap, resign, draw."""

from cli.plain.table import Table
from engine.prospects import best_of, prospects
from lab.board.advice import accepts_draw
from lab.words.sanitise import plain


def take_back(table: Table, _: str = "") -> None:
    """Undo to a person's last decision, or undo that a game was begun."""
    before, sitting = table.session.labels, table.session.sitting
    if table.match is table.learned_from:
        table.say("This game is learned, and stays so: new begins another one.")
        return
    if not table.session.take_back():
        table.say("There is no move of yours to take back.")
        return
    if table.session.sitting is sitting:
        table.withdraw(sitting)
    if table.session.labels != before:
        table.tell_sides()


def begin(table: Table, _: str = "") -> None:
    """Another game; told who plays what where that may have changed."""
    before = table.session.labels
    table.session.new_game()
    if table.session.labels != before:
        table.tell_sides()


def swap(table: Table, _: str = "") -> None:
    table.session.swap()
    table.tell_sides()


def resign(table: Table, _: str = "") -> None:
    """The side to move gives up: a person, since nobody else is asked."""
    if table.match.outcome is None:
        table.play(None)
    else:
        table.say("The game is over.")


def offer_draw(table: Table, _: str = "") -> None:
    """A machine answers at once; between two persons the other one says the same word."""
    session, game, match, moment = table.session, table.game, table.match, table.moment
    opponent = session.seats[match.side.other]
    if not game.has_draws:
        table.say(f"{game.title} has no draws.")
    elif match.outcome is not None or session.draw_is_early:
        table.say("A draw can be offered while the game goes on, once both sides have moved.")
    elif opponent is None and not moment.offered:
        moment.offered = True
        mark, other = game.mark(match.side), game.mark(match.side.other)
        table.say(f"{mark} offers a draw. If {other} agrees, write draw once more; any move goes on.")
    elif opponent is None or accepts_draw(best_of(prospects(game, match.position))[0]):
        table.agree()
    else:
        table.say(f"{plain(opponent.label)} declines the draw.")


def tell_score(table: Table, _: str = "") -> None:
    table.say(f"{table.score}.")
