"""Measure how often the players of Connect Four that come with the program keep the value of known positions.

`make accuracies` writes `learners/players/accuracies.csv`, and goes on where it stopped. Delete the line of a player to
measure it anew.
"""

import csv
import sys
import time
from pathlib import Path

from engine.games import parse_game
from learners import offers, parse_player
from learners.players.levels import measure_accuracy

FILE = Path(__file__).parents[1] / "learners/players/accuracies.csv"
GAME = "connectfour"


def main() -> None:
    game = parse_game(GAME)
    known = {row["player"] for row in csv.DictReader(FILE.read_text("utf-8").splitlines())}
    for label in sys.argv[1:] or [offer.label for offer in offers(game)]:
        if label not in known and not label.startswith("perfect"):
            start = time.process_time()
            accuracy = measure_accuracy(parse_player(label, game))
            with FILE.open("a", encoding="utf-8") as file:
                file.write(f"{GAME},{label},{accuracy.kept},{accuracy.of}\n")
            print(f"{label}: {accuracy.kept} of {accuracy.of}, {time.process_time() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
