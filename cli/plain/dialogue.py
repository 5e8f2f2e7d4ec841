"""A game line by line, for pipes, screen readers and terminals that draw nothing: text in, text out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import click

from cli.plain import advice_words, review_words, rule_words, seat_words
from cli.plain.move_writing import how_to_write, named
from cli.plain.spoken import one_line
from cli.plain.table import Table
from engine.game import BadText, IllegalMove
from engine.space import TooLarge
from lab.words.columns import columns
from saves.errors import LibraryError

QUIT: Final = "quit"
LONGEST_WORD: Final = 12
"""Longer ones are like no word there is."""
OVER: Final = "The game is over: new begins another one, debrief tells what decided it, back takes its end back"
"""What is said to whatever is no word, once no move can be made."""


@dataclass(frozen=True)
class Word:
    """What can be said beside a move."""

    meaning: str
    says: Callable[[Table, str], object]
    takes: str = ""
    """What may stand behind it; nothing else may."""


def tell_help(table: Table, _: str = "") -> None:
    """The words, by what they are about."""
    width = max(len(f"{name} {word.takes}") for name, word in LISTED.items())
    for title, words in GROUPS.items():
        table.say(f"{title}:")
        rows = [(f"{name} {word.takes}".ljust(width), word.meaning) for name, word in words.items()]
        for line in columns(rows, "<<"):
            table.say(f"  {line}")


def show_board(table: Table, _: str) -> None:
    table.show_board()


def switch_words(table: Table, _: str) -> None:
    """Tell boards in words, or draw them again."""
    table.spoken = not table.spoken
    table.show_board()


def tell_moves(table: Table, _: str) -> None:
    game, match = table.game, table.match
    names = map(game.move_name, game.moves(match.position))
    table.say(" ".join(names) if match.outcome is None else "None: the game is over.")


GROUPS: Final[Mapping[str, Mapping[str, Word]]] = {
    "The board": {
        "board": Word("the board again", show_board),
        "words": Word("boards in words, or drawn again", switch_words),
        "moves": Word("the legal moves", tell_moves),
    },
    "Advice": {
        "hint": Word("what to look for; once more, the move", advice_words.give_hint),
        "xray": Word("what the machine holds of each move here", advice_words.tell_minds),
        "truth": Word("what best play makes of each move here", advice_words.tell_truth),
        "ahead": Word("who is ahead", advice_words.tell_ahead),
        "check": Word("hold back moves that give something away, or no longer", advice_words.switch_check),
    },
    "The game": {
        "back": Word("take back, to your last decision, or to the game before", rule_words.take_back),
        "new": Word("a new game", rule_words.begin),
        "resign": Word("give this game up", rule_words.resign),
        "draw": Word("offer a draw", rule_words.offer_draw),
        "debrief": Word("what decided the game; with all, every move", review_words.tell_debrief, "[all]"),
        "retry": Word("play on from before the mistake, or move N, as practice", review_words.retry, "[N]"),
    },
    "Who plays": {
        "score": Word("the score", rule_words.tell_score),
        "swap": Word("change sides, and a new game", rule_words.swap),
        "players": Word("who can be played against, and how strong they are", seat_words.list_players),
        "against": Word("another opponent, such as perfect", seat_words.sit_against, "PLAYER"),
        "game": Word("another game; alone: which there are", seat_words.choose_game, "[GAME]"),
        "learn": Word("let a save of your own learn from each game, or no longer", seat_words.switch_learning),
    },
    "Copies and earlier games": {
        "position": Word("the position as text", review_words.tell_position),
        "record": Word("the whole game as text", review_words.tell_record),
        "paste": Word("go on from such a text, as practice", review_words.paste, "TEXT"),
        "games": Word("the games that you finished last", review_words.list_games),
        "show": Word("game N of these, and what decided it", review_words.show_game, "N"),
    },
    "Besides": {
        "help": Word("this list", tell_help),
        QUIT: Word("leave", lambda _table, _text: None),
    },
}
"""The words that help lists, by what they are about."""
LISTED: Final = {name: word for words in GROUPS.values() for name, word in words.items()}
ALSO: Final = {
    "undo": "back",
    "sides": "swap",
    "opponent": "against",
    "forfeit": "resign",
    "memory": "xray",
}
"""What the app calls some of them, which help does not list once more."""
WORDS: Final = {
    **LISTED,
    **{also: LISTED[name] for also, name in ALSO.items()},
    "copy": Word("the position, and the whole game, as text", review_words.tell_copies),
}


class Dialogue:
    """A table, and somebody who writes lines to it."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def hold(self, lines: Iterator[str]) -> None:
        """Play until the lines end or one says `quit`; where no person plays, one game, or a series."""
        self._greet()
        table = self.table
        while True:
            table.let_machines_play()
            if not table.session.has_person:
                table.show_board()
                if table.session.games >= table.session.length:
                    break
                rule_words.begin(table)
                continue
            self._ask()
            line = next(lines, QUIT).strip()
            if line.lower() == QUIT:
                break
            if line:
                self._answer(line)
        if table.session.has_person or table.session.length:
            table.say(table.score)

    def _greet(self) -> None:
        table = self.table
        game = table.game
        table.say(f"{game.title}. {game.summary}")
        table.tell_sides()
        if table.session.has_person:
            table.say(f"{how_to_write(game)} Or: help")

    def _ask(self) -> None:
        table = self.table
        table.show_news()
        if table.match.outcome is None:
            table.say(f"{table.game.mark(table.match.side)}, your move:")
        else:
            practice = "This was practice. " if table.session.sitting.practice else ""
            table.say(f"{practice}{table.score}. Now: new, swap, debrief, back or quit?")

    def _answer(self, line: str) -> None:
        name, _, text = line.partition(" ")
        word, text = WORDS.get(name.lower()), text.strip()
        if word is None:
            self._try_move(line)
        elif text and not word.takes:
            self.table.say(f"Write {name.lower()} alone, with nothing after it.")
        else:
            try:
                word.says(self.table, text)
            except (BadText, LibraryError, TooLarge, click.BadParameter) as error:
                self.table.say(f"{one_line(error)}.")

    def _try_move(self, line: str) -> None:
        table = self.table
        close = get_close_matches(line.lower(), WORDS, 1) if len(line) <= LONGEST_WORD else []
        instead = f"({f'did you mean {close[0]}? ' if close else ''}or: help)"
        if table.match.outcome is not None:  # also where the board has moves left: it was given up, or a draw agreed
            table.say(f"{OVER} {instead}")
            return
        try:
            move = table.game.parse_move(table.match.position, named(table.game, line.lower()))
        except (BadText, IllegalMove) as error:
            table.say(f"{one_line(error)} {instead}")
            return
        if not advice_words.holds_back(table, move):
            table.play(move)
