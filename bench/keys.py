"""The time from a key press to its effect on the screen, in a pseudo-terminal, during different kinds of work.

    python bench/keys.py [TITLE …]

Arrow keys are pressed at random moments, one after another; the time ends when the terminal has received the change.
The first scene measures the machine itself with a program that only echoes. TITLE selects the scenes whose title
contains it. Exits with code 1 if a bound is missed.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from statistics import median, quantiles
from typing import Final

from terminal import Place, Terminal, open_terminal

KEYS: Final = 300
MAX_SECONDS: Final = 0.05
"""The bound, in seconds at the 95th percentile."""
PAUSES: Final = (0.02, 0.25)
"""Seconds between two keys, at least and at most."""
ARROWS: Final = {"\x1b[A": (-1, 0), "\x1b[B": (1, 0), "\x1b[C": (0, 1), "\x1b[D": (0, -1)}
ECHO: Final = "import os, tty; tty.setraw(0); os.write(1, b'ready')\nwhile key := os.read(0, 99): os.write(1, key)"
"""A program that only echoes its input."""
MOVES: Final = "514736"
"""A game, by the digits of its squares."""
GAMES: Final = "100000000"
"""The number of games of a training: the most that is possible."""
PLAY, TRAIN = (13, 1), (20, 1)
"""Where to click for these modes: a column and a row, from 1."""

KeepBusy = Callable[[Terminal], None]
"""Keeps the background work of a scene running, for example by starting another training."""
Delays = Iterator[float]
"""Yields the seconds from a key to its effect, for one key after another, without end."""


def squares(terminal: Terminal) -> list[list[Place]]:
    """Return one cell of each square of the board, beside a crossing of its lines."""
    text = terminal.screen.splitlines()
    crossing = re.compile("(?<=─)┼(?=─)")  # the lines of the open box beside the board are dashed
    lines = [number for number, line in enumerate(text) if len(crossing.findall(line)) > 1]
    columns = [match.start() for match in crossing.finditer(text[lines[0]])]
    cell_lines = [lines[0] - 1, *(line + 1 for line in lines)]
    cell_columns = [columns[0] - 1, *(column + 1 for column in columns)]
    return [[(line, column) for column in cell_columns] for line in cell_lines]


def press_on_the_board(terminal: Terminal, random: Random, keep_busy: KeepBusy) -> Delays:
    board = squares(terminal)
    row, column = len(board) // 2, len(board[0]) // 2
    cursors = set()
    while True:
        terminal.read_for(random.uniform(*PAUSES))
        keep_busy(terminal)
        key, (down, right) = random.choice(list(ARROWS.items()))
        to_row, to_column = (row + down) % len(board), (column + right) % len(board[0])
        old, new = board[row][column], board[to_row][to_column]
        cursors.add(terminal.ground(old))
        before = terminal.ground(new)

        def has_moved(old: Place = old, new: Place = new, before: str = before) -> bool:
            return is_over(terminal) or (terminal.ground(old) not in cursors and terminal.ground(new) != before)

        delay = terminal.delay(key, has_moved)
        if not is_over(terminal):  # at the end of a game the squares have other grounds
            yield delay
        row, column = to_row, to_column


def press_over_the_columns(terminal: Terminal, random: Random, keep_busy: KeepBusy) -> Delays:
    """Move the cursor from column to column, where pieces fall: corners or brackets mark its square."""

    def cursor() -> set[int]:
        return {match.start() for line in terminal.screen.splitlines()[2:] for match in re.finditer(r"[┌[]", line)}

    while True:
        terminal.read_for(random.uniform(*PAUSES))
        keep_busy(terminal)
        before = cursor()
        delay = terminal.delay(
            random.choice(("\x1b[C", "\x1b[D")),
            lambda before=before: is_over(terminal) or bool(cursor() and not cursor() & before),
        )
        if not is_over(terminal):
            yield delay


def press_through_a_game(terminal: Terminal, random: Random, keep_busy: KeepBusy) -> Delays:
    text = terminal.screen.splitlines()
    top, column = next((top, line.index("the beginning")) for top, line in enumerate(text) if "the beginning" in line)
    terminal.type("\x1b[H")
    terminal.read_for(1)
    ply = 0
    while True:
        terminal.read_for(random.uniform(*PAUSES))
        keep_busy(terminal)
        if ply == 0:
            step = 1
        elif ply == len(MOVES):
            step = -1
        else:
            step = random.choice((-1, 1))
        place = (top + ply + step, column)
        cursor = terminal.ground((top + ply, column))
        yield terminal.delay(
            "\x1b[C" if step == 1 else "\x1b[D", lambda place=place, cursor=cursor: terminal.ground(place) == cursor
        )
        ply += step


def press_echoed(terminal: Terminal, random: Random, keep_busy: KeepBusy) -> Delays:
    for letter in cycle("xo"):
        terminal.read_for(random.uniform(*PAUSES))
        keep_busy(terminal)
        yield terminal.delay(f"\x1b[H{letter}", lambda letter=letter: terminal.letter((0, 0)) == letter)


def do_nothing(_: Terminal) -> None:
    """Do nothing: the work continues by itself."""


def is_over(terminal: Terminal) -> bool:
    return "Enter: new game" in terminal.screen


def play_again(terminal: Terminal) -> None:
    if is_over(terminal):
        terminal.type("n")
        terminal.moment(lambda: not is_over(terminal))


def train_again(terminal: Terminal) -> None:
    if not is_training(terminal):
        terminal.click(*TRAIN)
        terminal.until("Finished")
        terminal.read_for(0.5)  # until the app has found a name for the next one
        terminal.type("g")
        look_at_the_board(terminal)


def is_training(terminal: Terminal) -> bool:
    return re.search(r"(%| left)\s*$", terminal.screen.splitlines()[0]) is not None


def look_at_the_board(terminal: Terminal) -> None:
    """Return to Play once a training runs."""
    terminal.moment(lambda: is_training(terminal))
    terminal.click(*PLAY)
    terminal.until("your move")
    terminal.read_for(0.5)


@contextmanager
def bare() -> Iterator[Terminal]:
    with open_terminal("-c", ECHO) as terminal:
        terminal.until("ready")
        yield terminal


@contextmanager
def idle() -> Iterator[Terminal]:
    with open_terminal() as terminal:
        terminal.until("your move", "The wall")
        yield terminal


@contextmanager
def watching(game: str, player: str, lens: str) -> Iterator[Terminal]:
    """Two machines play, with the X-ray of this lens on the board."""
    with open_terminal("play", "--game", game, "--first", player, "--second", player, **{"x-ray": lens}) as terminal:
        terminal.until("is thinking", "X-ray")
        terminal.read_for(3)
        yield terminal


def games_line(terminal: Terminal) -> int | None:
    """Return the line of the field for the number of games, from 1."""
    lines = enumerate(terminal.screen.splitlines(), 1)
    return next((number for number, text in lines if text.lstrip("│ ").startswith("games    ")), None)


@contextmanager
def training(ready_made: str) -> Iterator[Terminal]:
    """A training of 100,000,000 games runs in the background, set up like the ready-made one of key `ready_made`."""
    with open_terminal(pace="full speed") as terminal:
        terminal.until("your move", "The wall")
        terminal.click(*TRAIN)
        terminal.until("games    ", "Press g or Start.")
        if ready_made:
            terminal.type(ready_made)
            terminal.until("Finished")
            terminal.type("c")  # opens the form, which is folded
        terminal.moment(lambda: games_line(terminal) is not None)
        line = games_line(terminal) or 1
        terminal.click(20, line)
        terminal.moment(lambda: "g Start" not in terminal.screen)  # a letter typed now goes into the field
        terminal.type("\x7f" * 12)
        terminal.moment(lambda: "0" not in terminal.screen.splitlines()[line - 1][:30])
        terminal.type(GAMES)
        terminal.until(f"games    {GAMES}")
        terminal.type("\r")
        look_at_the_board(terminal)
        yield terminal


@contextmanager
def debriefing() -> Iterator[Terminal]:
    with open_terminal("play", "--first", "human", "--second", "human") as terminal:
        terminal.until("X to move")
        for key in MOVES:
            terminal.type(key)
            terminal.read_for(0.3)
        terminal.type("d")
        terminal.until("the beginning", "b2")
        terminal.read_for(1)
        yield terminal


@dataclass(frozen=True)
class Scene:
    """The work in the background, and the keys that are pressed."""

    title: str
    open: Callable[[], AbstractContextManager[Terminal]]
    keep_busy: KeepBusy = do_nothing
    press: Callable[[Terminal, Random, KeepBusy], Delays] = press_on_the_board


SCENES: Final = (
    Scene("the machine itself", bare, press=press_echoed),
    Scene("nothing else goes on", idle),
    Scene("machines play, X-ray of a mind", lambda: watching("tictactoe", "save:riechel", "mind"), play_again),
    Scene("failures train behind", lambda: training(""), train_again),
    Scene("MENACE trains behind", lambda: training("3"), train_again),
    Scene(
        "a search, X-ray of best play",
        lambda: watching("connectfour", "alphabeta:6", "truth"),
        play_again,
        press_over_the_columns,
    ),
    Scene("debrief", debriefing, press=press_through_a_game),
)


def measure(scene: Scene) -> bool:
    """Print the times of a scene; return whether the bound is kept."""
    random = Random(1)  # noqa: S311  no secret
    with scene.open() as terminal:
        delays = list(islice(scene.press(terminal, random, scene.keep_busy), KEYS))
    percentile = quantiles(delays, n=20)[-1]
    has_bound, is_kept = scene.press is not press_echoed, percentile <= MAX_SECONDS
    verdict = ""
    if has_bound:
        verdict = "kept" if is_kept else "MISSED"
    print(
        f"{scene.title:32}{1000 * median(delays):>8.1f}{1000 * percentile:>8.1f}{1000 * max(delays):>8.1f} ms   "
        f"{os.getloadavg()[0]:>5.1f}   {verdict}",
        flush=True,
    )
    return is_kept or not has_bound


def main() -> int:
    wanted = [scene for scene in SCENES if not sys.argv[1:] or any(word in scene.title for word in sys.argv[1:])]
    print(f"{KEYS} keys each, at most {1000 * MAX_SECONDS:.0f} ms at the 95th percentile")
    print(f"{'':32}{'median':>8}{'95 %':>8}{'most':>8}       load")
    kept = [measure(scene) for scene in wanted]
    return int(not all(kept))


if __name__ == "__main__":
    sys.exit(main())
