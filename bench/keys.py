"""How soon the board shows a key, in a real pseudo-terminal, while all kinds of things go on.

    python bench/keys.py [TITLE …]

Arrows are pressed at random moments, one after another; the time runs until the terminal has been sent what they
change. First comes the machine itself: a program that does nothing but answer. With words behind it, only the scenes
with one of them in their title. Exits 1 where a bound is missed.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from statistics import median, quantiles
from typing import Final

from terminal import Place, Terminal, opened

KEYS: Final = 300
MOST: Final = 0.05
"""The most seconds that the 95th percentile takes."""
PAUSES: Final = (0.02, 0.25)
"""Seconds between two keys, at least and at most."""
ARROWS: Final = {"\x1b[A": (-1, 0), "\x1b[B": (1, 0), "\x1b[C": (0, 1), "\x1b[D": (0, -1)}
ECHO: Final = "import os, tty; tty.setraw(0); os.write(1, b'ready')\nwhile key := os.read(0, 99): os.write(1, key)"
"""A program that does nothing but answer."""
MOVES: Final = "514736"
"""A game to go through, by the digits of its squares."""
GAMES: Final = "100000000"
"""How many games a training has: as many as it may."""
PLAY, TRAIN = (1, 13), (1, 20)
"""Where to click for these modes."""

Tend = Callable[[Terminal], None]
"""Keeps going what is to go on."""
Delays = Iterator[float]
"""Seconds from a key to what it changes, for one key after another without an end."""


def squares(terminal: Terminal) -> list[list[Place]]:
    """One cell of each square of the board, beside a crossing of its lines."""
    text = terminal.text.splitlines()
    lines = [number for number, line in enumerate(text) if line.count("┼") > 1]
    columns = [number for number, letter in enumerate(text[lines[0]]) if letter == "┼"]
    downs = [lines[0] - 1, *(line + 1 for line in lines)]
    acrosses = [columns[0] - 1, *(column + 1 for column in columns)]
    return [[(down, across) for across in acrosses] for down in downs]


def on_the_board(terminal: Terminal, random: Random, tend: Tend) -> Delays:
    """Let the cursor go from square to square."""
    board = squares(terminal)
    row, column = len(board) // 2, len(board[0]) // 2
    cursors = set()
    while True:
        terminal.rest(random.uniform(*PAUSES))
        tend(terminal)
        key, (down, right) = random.choice(list(ARROWS.items()))
        to_row, to_column = (row + down) % len(board), (column + right) % len(board[0])
        here, there = board[row][column], board[to_row][to_column]
        cursors.add(terminal.ground(here))
        before = terminal.ground(there)
        yield terminal.delay(
            key,
            lambda here=here, there=there, before=before: (
                terminal.ground(here) not in cursors and terminal.ground(there) != before
            ),
        )
        row, column = to_row, to_column


def through_a_game(terminal: Terminal, random: Random, tend: Tend) -> Delays:
    """Let the cursor go from move to move, and the board with it."""
    text = terminal.text.splitlines()
    top, column = next((top, line.index("the beginning")) for top, line in enumerate(text) if "the beginning" in line)
    terminal.type("\x1b[H")
    terminal.rest(1)
    ply = 0
    while True:
        terminal.rest(random.uniform(*PAUSES))
        tend(terminal)
        step = 1 if not ply else -1 if ply == len(MOVES) else random.choice((-1, 1))
        there = (top + ply + step, column)
        cursor = terminal.ground((top + ply, column))
        yield terminal.delay(
            "\x1b[C" if step == 1 else "\x1b[D",
            lambda there=there, cursor=cursor: terminal.ground(there) == cursor,
        )
        ply += step


def echoed(terminal: Terminal, random: Random, tend: Tend) -> Delays:
    """Let a letter come back."""
    for letter in cycle("xo"):
        terminal.rest(random.uniform(*PAUSES))
        tend(terminal)
        yield terminal.delay(f"\x1b[H{letter}", lambda letter=letter: terminal.letter((0, 0)) == letter)


def nothing(_: Terminal) -> None:
    """It goes on by itself."""


def play_again(terminal: Terminal) -> None:
    """Let machines play on after a game."""
    if "new game" in terminal.text:
        terminal.type("n")
        terminal.until(lambda: "new game" not in terminal.text)


def train_again(terminal: Terminal) -> None:
    """Start another training when one has come to its end."""
    if not trains(terminal):
        terminal.click(*TRAIN)
        terminal.shows("Finished")
        terminal.rest(0.5)  # a name for the next one is looked for
        terminal.type("g")
        look_at_the_board(terminal)


def trains(terminal: Terminal) -> bool:
    return "/s" in terminal.text.splitlines()[0]


def look_at_the_board(terminal: Terminal) -> None:
    """Go back to Play once a training runs."""
    terminal.until(lambda: trains(terminal))
    terminal.click(*PLAY)
    terminal.shows("to move: you")
    terminal.rest(0.5)


@contextmanager
def bare() -> Iterator[Terminal]:
    with opened("-c", ECHO) as terminal:
        terminal.shows("ready")
        yield terminal


@contextmanager
def idle() -> Iterator[Terminal]:
    with opened() as terminal:
        terminal.shows("to move: you", "best responder")
        yield terminal


@contextmanager
def watching(game: str, player: str, lens: str) -> Iterator[Terminal]:
    """Two machines play, and what is seen through that lens stands in the squares."""
    with opened("play", "--game", game, "--first", player, "--second", player, **{"x-ray": lens}) as terminal:
        terminal.shows("is thinking", "X-ray")
        terminal.rest(3)
        yield terminal


@contextmanager
def training(ready_made: str) -> Iterator[Terminal]:
    """A hundred million games are trained behind the board, as often as it takes."""
    with idle() as terminal:
        terminal.click(*TRAIN)
        terminal.shows("games    ", "Press g or Start.")
        if ready_made:
            terminal.type(ready_made)
            terminal.shows("Finished")
        line = next(line for line, text in enumerate(terminal.text.splitlines(), 1) if text.startswith("  games    "))
        terminal.click(line, 20)
        terminal.until(lambda: "g Start" not in terminal.text)  # a letter typed now goes into the field
        terminal.type("\x7f" * 12)
        terminal.until(lambda: "0" not in terminal.text.splitlines()[line - 1][:30])
        terminal.type(GAMES)
        terminal.shows(f"games    {GAMES}")
        terminal.type("\r")
        look_at_the_board(terminal)
        yield terminal


@contextmanager
def debriefing() -> Iterator[Terminal]:
    with opened("play", "--first", "human", "--second", "human") as terminal:
        terminal.shows("to move: you")
        for key in MOVES:
            terminal.type(key)
            terminal.rest(0.3)
        terminal.type("d")
        terminal.shows("the beginning", "b2")
        terminal.rest(1)
        yield terminal


@dataclass(frozen=True)
class Scene:
    """What goes on while keys are pressed, and what they do."""

    title: str
    open: Callable[[], AbstractContextManager[Terminal]]
    tend: Tend = nothing
    press: Callable[[Terminal, Random, Tend], Delays] = on_the_board


SCENES: Final = (
    Scene("the machine itself", bare, press=echoed),
    Scene("nothing else goes on", idle),
    Scene("machines play, X-ray of a mind", lambda: watching("tictactoe", "save:riechel", "mind"), play_again),
    Scene("failures train behind", lambda: training(""), train_again),
    Scene("MENACE trains behind", lambda: training("3"), train_again),
    Scene("a search, X-ray of best play", lambda: watching("connectfour", "alphabeta:6", "truth"), play_again),
    Scene("debrief", debriefing, press=through_a_game),
)


def measure(scene: Scene) -> bool:
    """Tell how soon keys are shown; whether the bound is kept."""
    random = Random(1)  # noqa: S311  no secret
    with scene.open() as terminal:
        took = list(islice(scene.press(terminal, random, scene.tend), KEYS))
    worst = quantiles(took, n=20)[-1]
    bound = scene.press is not echoed
    kept = worst <= MOST
    print(
        f"{scene.title:32}{1000 * median(took):>8.1f}{1000 * worst:>8.1f}{1000 * max(took):>8.1f} ms   "
        f"{os.getloadavg()[0]:>5.1f}   {('kept' if kept else 'MISSED') if bound else ''}",
        flush=True,
    )
    return kept or not bound


def main() -> int:
    wanted = [scene for scene in SCENES if not sys.argv[1:] or any(word in scene.title for word in sys.argv[1:])]
    print(f"{KEYS} keys each, at most {1000 * MOST:.0f} ms at the 95th percentile")
    print(f"{'':32}{'median':>8}{'95 %':>8}{'most':>8}       load")
    kept = [measure(scene) for scene in wanted]
    return int(not all(kept))


if __name__ == "__main__":
    sys.exit(main())
