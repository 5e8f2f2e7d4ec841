"""A game in lines of text, for pipes, screen readers and simple terminals."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import click

from cli.plain import advice_words, review_words, seat_words
from cli.plain.move_writing import named
from cli.plain.presenter import Presenter
from engine.game import BadText, IllegalMove
from engine.space import TooLarge
from lab.board.table import Steps, Table
from lab.words.board_events import one_line
from lab.words.columns import columns
from saves.errors import LibraryError

QUIT: Final = "quit"
LONGEST_WORD: Final = 12
"""A longer line is not compared with the words."""
OVER: Final = "The game is over: new begins another one, debrief tells what decided it, back takes its end back"
"""The answer to an unknown word when no move can be made."""


@dataclass(frozen=True)
class Word:
    """What a person can write instead of a move."""

    meaning: str
    action: Callable[[Presenter, str], object]
    takes: str = ""
    """What may follow the word; without it, nothing may."""


def command(method: Callable[[Table], Steps]) -> Callable[[Presenter, str], object]:
    """The action of a word that gives the table a command."""
    return lambda view, _text: view.carry_out(method(view.table))


def show_help(view: Presenter, _: str = "") -> None:
    """List the words by topic."""
    width = max(len(f"{name} {word.takes}") for name, word in LISTED.items())
    for title, words in GROUPS.items():
        view.say(f"{title}:")
        rows = [(f"{name} {word.takes}".ljust(width), word.meaning) for name, word in words.items()]
        for line in columns(rows, "<<"):
            view.say(f"  {line}")


def show_board(view: Presenter, _: str) -> None:
    """Show the board again."""
    view.show_board()


def switch_words(view: Presenter, _: str) -> None:
    """Describe boards in words, or draw them again."""
    view.in_words = not view.in_words
    view.show_board()


def show_moves(view: Presenter, _: str) -> None:
    """List the legal moves."""
    game, match = view.table.game, view.table.match
    names = map(game.move_name, game.moves(match.position))
    view.say(" ".join(names) if match.outcome is None else "None: the game is over.")


def show_score(view: Presenter, _: str) -> None:
    """Say the score."""
    view.say(f"{view.score}.")


GROUPS: Final[Mapping[str, Mapping[str, Word]]] = {
    "The board": {
        "board": Word("the board again", show_board),
        "words": Word("boards in words, or drawn again", switch_words),
        "moves": Word("the legal moves", show_moves),
    },
    "Advice": {
        "hint": Word("what to look for; once more, the move", command(Table.give_hint)),
        "xray": Word("what the machine thinks of each move here", advice_words.show_minds),
        "truth": Word("what best play makes of each move here", advice_words.show_truth),
        "ahead": Word("who is ahead", advice_words.show_who_is_ahead),
        "check": Word("hold back moves that give something away, or no longer", command(Table.switch_check)),
    },
    "The game": {
        "back": Word("take back, to your last decision, or to the game before", command(Table.take_back)),
        "new": Word("a new game", command(Table.new_game)),
        "resign": Word("give this game up", command(Table.resign)),
        "draw": Word("offer a draw", command(Table.offer_draw)),
        "debrief": Word("what decided the game; with all, every move", review_words.show_debrief, "[all]"),
        "retry": Word("play on from before the mistake, or move N, as practice", review_words.retry, "[N]"),
    },
    "Who plays": {
        "score": Word("the score", show_score),
        "swap": Word("change sides, and a new game", command(Table.swap)),
        "players": Word("who can be played against, and how strong they are", seat_words.list_players),
        "against": Word("another opponent, such as perfect", seat_words.sit_against, "PLAYER"),
        "game": Word("another game; alone: which there are", seat_words.choose_game, "[GAME]"),
        "learn": Word("let a save of your own learn from each game, or no longer", command(Table.switch_learning)),
    },
    "Copies and earlier games": {
        "position": Word("the position as text", review_words.show_position),
        "record": Word("the whole game as text", review_words.show_record),
        "paste": Word("go on from such a text, as practice", review_words.paste, "TEXT"),
        "games": Word("the games that you finished last", review_words.list_games),
        "show": Word("game N of these, and what decided it", review_words.show_game, "N"),
    },
    "Besides": {
        "help": Word("this list", show_help),
        QUIT: Word("leave", lambda _view, _text: None),
    },
}
"""The words by topic, as help lists them."""
LISTED: Final = {name: word for words in GROUPS.values() for name, word in words.items()}
ALSO: Final = {
    "undo": "back",
    "sides": "swap",
    "opponent": "against",
    "forfeit": "resign",
    "memory": "xray",
}
"""Other names of some words, from the app; help does not list them."""
WORDS: Final = {
    **LISTED,
    **{also: LISTED[name] for also, name in ALSO.items()},
    "copy": Word("the position, and the whole game, as text", review_words.show_copies),
}


class Dialogue:
    """A game at the board, with a person who writes lines."""

    def __init__(self, view: Presenter) -> None:
        self.view = view
        self.table = view.table

    def hold(self, lines: Iterator[str]) -> None:
        """Play until the lines end or one says `quit`; without people, play one game or a series."""
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
            if line.lower() == QUIT:
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
        word, text = WORDS.get(name.lower()), text.strip()
        if word is None:
            self._try_move(line)
        elif text and not word.takes:
            self.view.say(f"Write {name.lower()} alone, with nothing after it.")
        else:
            try:
                word.action(self.view, text)
            except (BadText, LibraryError, TooLarge, click.BadParameter) as error:
                self.view.say(f"{one_line(error)}.")

    def _try_move(self, line: str) -> None:
        view, table = self.view, self.table
        close = get_close_matches(line.lower(), WORDS, 1) if len(line) <= LONGEST_WORD else []
        instead = f"({f'did you mean {close[0]}? ' if close else ''}or: help)"
        if table.match.outcome is not None:  # the board may have moves left, after a resignation or an agreed draw
            view.say(f"{OVER} {instead}")
            return
        try:
            move = table.game.parse_move(table.match.position, named(table.game, line.lower()))
        except (BadText, IllegalMove) as error:
            view.say(f"{one_line(error)} {instead}")
            return
        view.carry_out(table.play(move))
