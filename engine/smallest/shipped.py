"""The fewest answers that come with the program, game by game: `proved.jsonl`, which `make smallest` computes again.

Each line is one `Case` as JSON, with what was found: `entries`, `bound`, `seconds`, and `positions`, a list of
`{"position": …, "move": …}` in their written forms.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from engine.game import Game, Side
from engine.games import parse_game
from engine.smallest.answers import Counting, FewestAnswers

FILE: Final = "proved.jsonl"


@dataclass(frozen=True)
class Case:
    game: Game
    side: Side
    counting: Counting = Counting.DECISIONS
    symmetric: bool = True


def positions_document(game: Game, answers: FewestAnswers) -> list[dict[str, str]]:
    return [
        {"position": game.to_text(position), "move": game.move_name(move)} for position, move in answers.moves.items()
    ]


def line_of(case: Case, answers: FewestAnswers) -> str:
    document = {
        **vars(case),
        "game": case.game.name,
        "side": case.side.name.lower(),
        "entries": answers.entries,
        "bound": answers.bound,
        "seconds": round(answers.seconds, 1),
        "positions": positions_document(case.game, answers),
    }
    return json.dumps(document, ensure_ascii=False)


@cache
def _documents() -> dict[Case, dict[str, Any]]:
    """Return the lines of the file, whose positions and moves are still texts."""
    lines = resources.files("engine.smallest").joinpath(FILE).read_text("utf-8").splitlines()
    documents = [json.loads(line) for line in lines]
    return {
        Case(parse_game(each["game"]), Side[each["side"].upper()], Counting(each["counting"]), each["symmetric"]): each
        for each in documents
    }


def cases() -> tuple[Case, ...]:
    return tuple(_documents())


@cache
def read_answers(case: Case) -> FewestAnswers:
    """Return the answers that come with the program. Raises `KeyError` if there are none for this case."""
    document = _documents()[case]
    moves = {}
    for each in document["positions"]:
        position = case.game.from_text(each["position"])
        moves[position] = case.game.parse_move(position, each["move"])
    return FewestAnswers(moves, document["entries"], document["bound"], document["seconds"])


def shipped_answers(
    game: Game, side: Side, counting: Counting = Counting.DECISIONS, *, symmetric: bool = True
) -> FewestAnswers | None:
    case = Case(game, side, counting, symmetric)
    return read_answers(case) if case in cases() else None
