"""A game in lines of text, for pipes, screen readers and simple terminals."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import click

from cli.plain import commands as board_commands
from cli.plain.presenter import Presenter, name_of_move
from engine.game import BadText, IllegalMove
from engine.space import TooLarge
from lab.board.event_sentences import one_line, refusal_text
from lab.board.events import Steps
from lab.board.table import Table
from lab.text.columns import columns
from saves.errors import LibraryError

QUIT: Final = "quit"
MAX_WORD: Final = 12
"""The maximum length of a line that is checked for a misspelled command."""
GAME_OVER: Final = "The game is over. Write new for another game, debrief for its analysis, back to undo its end"
"""The answer to anything but a command, once the game is over."""


@dataclass(frozen=True)
class Command:
    """A command: what a person can write instead of a move."""

    meaning: str
    action: Callable[[Presenter, str], object]
    argument: str = ""
    """The argument as help shows it; empty if the command takes none."""


def table_command(method: Callable[[Table], Steps]) -> Callable[[Presenter, str], object]:
    return lambda view, _text: view.carry_out(method(view.table))


def show_help(view: Presenter, _: str = "") -> None:
    width = max(len(f"{name} {command.argument}") for name, command in LISTED.items())
    for title, commands in GROUPS.items():
        view.say(f"{title}:")
        rows = [(f"{name} {command.argument}".ljust(width), command.meaning) for name, command in commands.items()]
        for line in columns(rows, "<<"):
            view.say(f"  {line}")


def show_board(view: Presenter, _: str) -> None:
    view.show_board()


def switch_words(view: Presenter, _: str) -> None:
    view.in_words = not view.in_words
    view.show_board()


def show_moves(view: Presenter, _: str) -> None:
    game, match = view.table.game, view.table.match
    names = map(game.move_name, game.moves(match.position))
    view.say(" ".join(names) if match.outcome is None else "There are no moves: the game is over.")


GROUPS: Final[Mapping[str, Mapping[str, Command]]] = {
    "The board": {
        "board": Command("the board again", show_board),
        "words": Command("boards in words: on or off", switch_words),
        "moves": Command("the legal moves", show_moves),
    },
    "Advice": {
        "hint": Command("what to look for; again, the move", table_command(Table.give_hint)),
        "xray": Command("what the machine thinks of each move here", board_commands.show_minds),
        "truth": Command("the result of each move with best play", board_commands.show_truth),
        "ahead": Command("who is ahead", board_commands.show_who_is_ahead),
        "threats": Command("the squares that win once they can be played", board_commands.show_threats),
        "check": Command("warn before a mistake: on or off", table_command(lambda table: table.advice.switch_check())),
    },
    "The game": {
        "back": Command("take back your last move, or return to the game before", table_command(Table.take_back)),
        "new": Command("a new game", table_command(Table.new_game)),
        "resign": Command("give this game up", table_command(Table.resign)),
        "draw": Command("offer a draw", table_command(Table.offer_draw)),
        "debrief": Command("what decided the game; with all, every move", board_commands.show_debrief, "[all]"),
        "retry": Command("play on from before the mistake, or move N, as practice", board_commands.retry, "[N]"),
    },
    "Who plays": {
        "score": Command("the score", lambda view, _: view.say(f"{view.score}.")),
        "swap": Command("a new game with sides swapped", table_command(Table.swap)),
        "players": Command("the opponents, and how strong they are", board_commands.list_players),
        "against": Command("another opponent, such as perfect", board_commands.change_opponent, "PLAYER"),
        "game": Command("another game; without a name, list the games", board_commands.choose_game, "[GAME]"),
        "learn": Command("let your own save learn from each game: on or off", table_command(Table.switch_learning)),
    },
    "Copies and earlier games": {
        "position": Command("the position as text", board_commands.show_position),
        "record": Command("the whole game as text", board_commands.show_record),
        "paste": Command("play on from such a text, as practice", board_commands.paste, "TEXT"),
        "games": Command("the games that you finished last", board_commands.list_games),
        "show": Command("game N of these, and what decided it", board_commands.show_game, "N"),
    },
    "Other": {"help": Command("this list", show_help), QUIT: Command("leave", lambda _view, _text: None)},
}
LISTED: Final = {name: command for commands in GROUPS.values() for name, command in commands.items()}
ALIASES: Final = {
    "undo": "back",
    "sides": "swap",
    "opponent": "against",
    "forfeit": "resign",
    "memory": "xray",
    "h": "hint",
    "?": "help",
}
"""Other names of some commands, as in the app. Help does not list them."""
COMMANDS: Final = {
    **LISTED,
    **{alias: LISTED[name] for alias, name in ALIASES.items()},
    "copy": Command("the position, and the whole game, as text", board_commands.show_copies),
}


class Dialogue:
    """A game at the board, with a person who writes lines."""

    def __init__(self, view: Presenter) -> None:
        self.view = view
        self.table = view.table

    def run(self, lines: Iterator[str]) -> None:
        """Play until the lines end or one is `quit`. Without people at the board, play one game or a series."""
        view, table = self.view, self.table
        view.carry_out(table.open())
        while True:
            if not table.session.has_person:
                view.show_board()
                if table.session.games >= table.session.length:
                    break
                view.carry_out(table.new_game())
                continue
            self._ask()
            line = next(lines, QUIT).strip()
            if line.lower() in (QUIT, QUIT[0]):
                break
            if line:
                self._answer(line)
        if table.session.has_person or table.session.length:
            view.say(view.score)

    def _ask(self) -> None:
        view, table = self.view, self.table
        view.show_new_board()
        if table.match.outcome is None:
            view.say(f"{table.game.mark(table.match.side)}, your move:")
        else:
            practice = "This was practice. " if table.session.current.practice else ""
            view.say(f"{practice}{view.score}. Now: new, swap, debrief, back or quit?")

    def _answer(self, line: str) -> None:
        name, _, text = line.partition(" ")
        command, text = COMMANDS.get(name.lower()), text.strip()
        if command is None:
            self._try_move(line)
        elif text and not command.argument:
            self.view.say(f"Write {name.lower()} alone, with nothing after it.")
        else:
            try:
                command.action(self.view, text)
            except (BadText, LibraryError, TooLarge, click.BadParameter) as error:
                self.view.say(f"{one_line(error)}.")

    def _try_move(self, line: str) -> None:
        view, table = self.view, self.table
        advice = "(or: help)"
        similar = get_close_matches(line.lower(), COMMANDS, 1) if len(line) <= MAX_WORD else []
        if similar:
            advice = f"(did you mean {similar[0]}? or: help)"
        if table.match.outcome is not None:  # the board may have moves left, after a resignation or an agreed draw
            view.say(f"{GAME_OVER} {advice}")
            return
        game, position = table.game, table.match.position
        name = name_of_move(game, position, line.lower())
        try:
            move = game.parse_move(position, name)
        except (BadText, IllegalMove) as error:
            reason, squares = one_line(error), game.board.grid.names
            if isinstance(error, IllegalMove) and name in squares:
                legal = ", ".join(map(game.move_name, game.moves(position)))
                reason = f"{refusal_text(game, position, squares.index(name))}; legal: {legal}"
            view.say(f"{reason} {advice}")
            return
        view.carry_out(table.play(move))
