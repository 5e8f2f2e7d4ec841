"""A policy as a table in the form that the judge reads, and as a module that plays it in OpenSpiel."""

import csv
import io
from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.evaluate import Policy, faced_decisions
from engine.game import BadText, Game, Side
from engine.space import RUNNING
from engine.spaces import space_of
from lab.judging.agents.python_agent import OPEN_SPIEL

HEADER: Final = ("position", "move", "probability")
MODULE: Final = '''"""The policy in {table}, by Noughts, for OpenSpiel: policy.action_probabilities(state)."""

import csv
from pathlib import Path

import pyspiel
from open_spiel.python.policy import Policy

GAME = pyspiel.load_game({game!r})
COLUMNS, ROWS, FALLS = {columns}, {rows}, {falls}


class Written(Policy):
    def __init__(self):
        super().__init__(GAME, [0, 1])
        self.table = {{}}
        with Path(__file__).with_name({table!r}).open(newline="") as file:
            for line in csv.DictReader(file):
                column, row = "abcdefghijklmnop".index(line["move"][0]), line["move"][1:]
                action = column if FALLS else (ROWS - int(row)) * COLUMNS + column
                self.table.setdefault(line["position"], {{}})[action] = float(line["probability"])

    def action_probabilities(self, state, player_id=None):
        squares = [["."] * COLUMNS for _ in range(ROWS)]
        for number, action in enumerate(state.history()):
            column = action if FALLS else action % COLUMNS
            free = [row for row in range(ROWS) if squares[row][column] == "."]
            row = free[-1] if FALLS else action // COLUMNS
            squares[row][column] = "XO"[number % 2]
        board = "/".join("".join(row) for row in squares)
        chances = self.table.get(board + " " + "XO"[state.current_player()], {{}})
        legal = state.legal_actions()
        return {{action: chances.get(action, 0.0 if chances else 1 / len(legal)) for action in legal}}


policy = Written()
'''
"""Where the table has no position, the module plays every legal move alike: `docs/formats.md` says so."""


def policy_csv(game: Game, policy: Policy, sides: Sequence[Side], *, everywhere: bool) -> str:
    """Return a table of a policy: in the positions that it meets as these sides, or `everywhere`."""
    space = space_of(game)
    is_wanted = np.zeros(len(space.position), np.bool_)
    for side in sides:
        if everywhere:
            is_wanted |= (space.side == side) & (space.outcome == RUNNING)
        else:
            is_wanted |= faced_decisions(space, side, policy)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for edge in np.flatnonzero(is_wanted[space.source] & (policy > 0)).tolist():
        position, move = int(space.position[space.source[edge]]), int(space.move[edge])
        writer.writerow((game.to_text(position), game.move_name(move), repr(float(policy[edge]))))
    return text.getvalue()


def open_spiel_module(game: Game, table: str) -> str:
    """Return a Python module that loads the table file beside it as a policy of OpenSpiel. Raises `BadText`."""
    if game.name not in OPEN_SPIEL:
        raise BadText(f"the name of {game.title} in OpenSpiel is not known")
    falls, board = game.name == "connectfour", game.board
    return MODULE.format(table=table, game=OPEN_SPIEL[game.name], columns=board.columns, rows=board.rows, falls=falls)
