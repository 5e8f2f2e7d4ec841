"""Recompute `engine/games/mnk_sizes.csv` by an obvious program: each ply's positions as a set, made by the rules.

    python bench/mnk_sizes.py [--most N] [--family] [GAME ...]

Count the games given, such as `4,4,3+gravity`, or all those of the file with at most N positions (by default 1,000,000:
a few minutes). Print each as a row of the file; exit with code 1 if the file says something else. With `--family`,
print the file anew: every game of the family that belongs into it, which takes hours and some gigabytes.
"""

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator
from itertools import compress, product
from pathlib import Path

from engine.games import parse_game
from engine.games.mnk import MAX_AT_ONCE, MAX_SIZE, OPTIONS, SIZES, Mnk
from engine.space_building import MAX_BY_PLY

FILE = Path(__file__).parents[1] / "engine" / "games" / SIZES


def count(game: Mnk, most: int) -> tuple[int, int] | None:
    """Count the positions of a game, finished ones included, and the moves in them; `None` beyond `most` positions."""
    positions = edges = 0
    ply = {game.start}
    while ply:
        positions += len(ply)
        if positions > most:
            return None
        running = [position for position in ply if game.outcome(position) is None]
        ply = set()
        for position in running:
            moves = game.moves(position)
            edges += len(moves)
            ply.update(game.play(position, move) for move in moves)
    return positions, edges


def family_names() -> Iterator[str]:
    """Yield the names of the games whose size the upper bound does not tell. `+misere` changes no position."""
    sizes = range(2, MAX_SIZE + 1)
    for columns, rows, k in product(range(1, MAX_SIZE + 1), range(1, MAX_SIZE + 1), sizes):
        for used in product((False, True), repeat=len(OPTIONS)):
            options = [option for option in compress(OPTIONS, used) if option != "misere"]
            name = f"{columns},{rows},{k}{''.join(f'+{option}' for option in options)}"
            if not used[0] and k <= max(columns, rows) and game_of(name).most_positions > MAX_AT_ONCE:
                yield name


def game_of(name: str) -> Mnk:
    game = parse_game(f"mnk:{name}")
    assert isinstance(game, Mnk)  # noqa: S101  for the types
    return game


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("games", nargs="*", metavar="GAME")
    options.add_argument("--most", type=int, default=1_000_000, metavar="N")
    options.add_argument("--family", action="store_true")
    chosen = options.parse_args()
    with FILE.open(newline="") as file:
        stored = {game: (int(positions), int(edges)) for game, positions, edges in list(csv.reader(file))[1:]}
    if chosen.family:
        games: Iterable[str] = family_names()
    else:
        games = chosen.games or [game for game, (positions, _) in stored.items() if positions <= chosen.most]
    rows, differences = csv.writer(sys.stdout, lineterminator="\n"), 0
    for name in games:
        size = count(game_of(name), MAX_BY_PLY)
        if size is not None:
            rows.writerow((name, *size))
            sys.stdout.flush()
        if size != stored.get(name):
            differences += 1
            print(f"{name}: the file says {stored.get(name)}, not {size}", file=sys.stderr)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
