"""The fewest answers that come with the program, game by game: `proved.jsonl`, which `make smallest` computes again.

Each line is one `Case` as JSON, with what was found: `entries`, `bound`, `seconds`, and `positions`, a list of
`{"position": …, "move": …}` in their written forms.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from engine.game import Game, Side
from engine.games import parse_game
from engine.smallest.answers import Counting, FewestAnswers

FILE: Final = "proved.jsonl"


@dataclass(frozen=True)
class Case:
    """What is asked for: the fewest entries of one side of a game."""

    game: Game
    side: Side
    counting: Counting = Counting.DECISIONS
    symmetric: bool = True
    """Whether an answer serves all positions that are symmetric to its own."""


def positions_document(game: Game, found: FewestAnswers) -> list[dict[str, str]]:
    """Return the answers in their written forms, in the order of play."""
    return [
        {"position": game.to_text(position), "move": game.move_name(move)} for position, move in found.moves.items()
    ]


def line_of(case: Case, found: FewestAnswers) -> str:
    """Return the line of the file for a case."""
    numbers = {"entries": found.entries, "bound": found.bound, "seconds": round(found.seconds, 1)}
    document = {
        **vars(case),
        "game": case.game.name,
        "side": case.side.name.lower(),
        **numbers,
        "positions": positions_document(case.game, found),
    }
    return json.dumps(document, ensure_ascii=False)


@cache
def shipped() -> dict[Case, FewestAnswers]:
    """Return everything that comes with the program."""
    lines = resources.files("engine.smallest").joinpath(FILE).read_text("utf-8").splitlines()
    return dict(map(_parsed, lines))


def shipped_answers(
    game: Game, side: Side, counting: Counting = Counting.DECISIONS, *, symmetric: bool = True
) -> FewestAnswers | None:
    """Return the answers that come with the program; `None` if there are none for this case."""
    return shipped().get(Case(game, side, counting, symmetric))


def _parsed(line: str) -> tuple[Case, FewestAnswers]:
    document = json.loads(line)
    game = parse_game(document["game"])
    moves = {}
    for each in document["positions"]:
        position = game.from_text(each["position"])
        moves[position] = game.parse_move(position, each["move"])
    case = Case(game, Side[document["side"].upper()], Counting(document["counting"]), document["symmetric"])
    return case, FewestAnswers(moves, document["entries"], document["bound"], document["seconds"])
