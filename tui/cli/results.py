"""What a learner knows, in text: running statistics, exact results, newest failures."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

import numpy as np

from engine.evaluate import Chances, Policy, scoreboard
from engine.game import Game, Position
from engine.space import space_of
from learners.learner import Learner, outcome_counts
from tui.cli.text import beside, board, columns
from tui.figures import count_text, percent_text

Results = Mapping[str, Mapping[str, Chances]]
"""For each side the player's exact chances against each opponent."""
NEWEST: Final = 4
"""How many of the failures recorded last are shown."""


def statistics_lines(learner: Learner) -> list[str]:
    """The learner's running statistics in columns: a label, a count, and a share where there is one."""
    stats = learner.stats()
    games = stats["games"]
    rows = [("games", count_text(games), "")]
    for outcome, count in outcome_counts(stats).items():
        label = "draws" if outcome.winner is None else f"{learner.game.mark(outcome.winner)} wins"
        rows.append((label, count_text(count), percent_text(count / games) if games else ""))
    rows += [(label, count_text(stats[key]), "") for key, label in learner.own_stats.items()]
    return columns(rows, "<>>")


def exact_results(game: Game, policy: Policy) -> Results:
    """The scoreboard of a policy, without the last digits that floating point leaves over."""
    return {
        side: {
            opponent: Chances(*(round(chance, 12) + 0.0 for chance in (seen.win, seen.draw, seen.loss)))
            for opponent, seen in opponents.items()
        }
        for side, opponents in scoreboard(space_of(game), policy).items()
    }


def results_document(results: Results) -> dict[str, object]:
    return {side: {name: asdict(seen) for name, seen in opponents.items()} for side, opponents in results.items()}


def results_lines(game: Game, results: Results) -> list[str]:
    """A small table: an opponent a line, the player's chances as the first side and as the second."""
    first, second = game.marks
    rows: list[tuple[str, ...]] = [
        ("", f"as {first}:", "", "", f"as {second}:", "", ""),
        ("against", *("win", "draw", "loss") * 2),
    ]
    for opponent in results["first"]:
        seen = (results["first"][opponent], results["second"][opponent])
        shown = [percent_text(chance) for side in seen for chance in (side.win, side.draw, side.loss)]
        rows.append((opponent.replace("_", " "), *shown))
    return columns(rows, "<>>>>>>")


def newest_edges(learner: Learner) -> list[tuple[int, Position, int]]:
    """The failures recorded last, newest first: number, position, move. None for a learner that records none."""
    if learner.name != "failures":
        return []
    space = learner.space
    found = [int(edge) for edge in np.argsort(learner.memory)[::-1][:NEWEST] if learner.memory[edge] > 0]
    return [
        (int(learner.memory[edge]), int(space.position[space.source[edge]]), int(space.move[edge])) for edge in found
    ]


def newest_lines(learner: Learner, newest: list[tuple[int, Position, int]]) -> list[str]:
    if not newest:
        return []
    game = learner.game
    blocks = [
        [
            f"failure {count_text(number)}",
            *board(game, position),
            f"{game.mark(game.side(position))} played {game.move_name(move)}",
        ]
        for number, position, move in newest
    ]
    return ["", "Recorded last:", *beside(blocks)]
