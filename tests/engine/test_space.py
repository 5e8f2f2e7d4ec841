"""The spaces of the games: compared with exact counts in data files, and with naive recursion over strings."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.game import Game, Outcome, Side
from engine.games import GAMES, parse_game
from engine.games.hexapawn import Hexapawn
from engine.space import RUNNING, Endless, Space, TooLarge
from engine.space_building import MAX_BY_MOVE
from engine.spaces import space_of
from tests.oracles.counting import counts, reachable, same_pair, same_position
from tests.oracles.rules import RULES, WRITTEN
from tests.sizes import quick_game

PERFT = Path(__file__).parents[1] / "data" / "perft"


def perft(game: Game) -> dict[str, Any]:
    """The counts of a game: from its file if it has one, else counted by the oracle."""
    file = PERFT / f"{game.name}.json"
    return json.loads(file.read_text()) if file.exists() else {"game": game.name, **counts(RULES[game.name])}


def text_pairs(space: Space) -> list[tuple[str, str]]:
    """The written form of every edge."""
    texts = [space.game.to_text(position) for position in space.position.tolist()]
    return [
        (texts[source], space.game.move_name(move))
        for source, move in zip(space.source.tolist(), space.move.tolist(), strict=True)
    ]


def test_every_data_file_belongs_to_a_game():
    assert {path.stem for path in PERFT.glob("*.json")} <= {game.name for game in GAMES}


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", [parse_game(name) for name in WRITTEN], ids=lambda game: game.name)
def test_counts_of_the_oracle_match_the_data_files(game: Game):
    assert {"game": game.name, **counts(RULES[game.name])} == perft(game)


@quick_game
def test_classes(game: Game):
    space = space_of(game)
    classes, edge_classes = space.position_class, space.edge_class
    for numbers in (classes, edge_classes):
        assert sorted(set(numbers.tolist())) == list(range(len(set(numbers.tolist()))))
    rules, pairs = RULES[game.name], text_pairs(space)
    texts = [game.to_text(position) for position in space.position.tolist()]
    one_to_one(classes.tolist(), [same_position(rules, text) for text in texts])
    one_to_one(edge_classes.tolist(), [same_pair(rules, *pair) for pair in pairs])


def one_to_one(numbers: list[int], names: list[object]) -> None:
    """Whether two lists distinguish the same items."""
    assert len(set(zip(numbers, names, strict=True))) == len(set(numbers)) == len(set(names))


@quick_game
def test_positions_edges_and_outcomes_agree_with_the_oracle(game: Game):
    space, rules = space_of(game), RULES[game.name]
    ply = reachable(rules)
    texts = [game.to_text(position) for position in space.position.tolist()]
    assert dict(zip(texts, space.ply.tolist(), strict=True)) == ply
    for row, text in enumerate(texts):
        code = int(space.outcome[row])
        outcome = None if code == RUNNING else Outcome(code)
        winner = None if outcome is None else "draw" if outcome.winner is None else game.mark(outcome.winner)
        assert winner == rules.outcome(text)
        assert game.mark(game.side(int(space.position[row]))) == text[-1]
        assert game.marks[space.side[row]] == text[-1]
        edges = range(space.first_edge[row], space.first_edge[row + 1])
        assert [game.move_name(int(space.move[edge])) for edge in edges] == rules.moves(text)
        after = [texts[space.target[edge]] for edge in edges]
        assert after == [rules.play(text, move) for move in rules.moves(text)]


@quick_game
def test_positions_and_edges_are_looked_up(game: Game):
    space = space_of(game)
    for row in range(0, len(space.position), 7):
        position = int(space.position[row])
        assert space.row(position) == row
        for edge, move in zip(space.edges(position), game.moves(position), strict=True):
            assert space.edge(position, move) == edge
    with pytest.raises(KeyError):
        space.edges(-1)
    with pytest.raises(KeyError):
        space.edge(game.start, 10**6)


@quick_game
def test_twins(game: Game):
    space, rules = space_of(game), RULES[game.name]
    for position in space.position.tolist()[::7]:
        twins = space.twins(position)
        assert twins[0] == position
        assert len(twins) == len(set(twins))
        assert {game.to_text(twin) for twin in twins} == {image for image, _ in rules.seen(game.to_text(position))}


class Graph(Hexapawn):
    """A game whose moves are the positions that they lead to, and which is drawn where there is none."""

    def __init__(self, name: str, moves: Callable[[int], tuple[int, ...]]) -> None:
        super().__init__(3, 3)
        self.name, self.moves, self.start = name, moves, 0

    def outcome(self, position: int) -> Outcome | None:
        return None if self.moves(position) else Outcome.DRAW

    def after(self, position: int, move: int) -> int:
        return move

    def side(self, position: int) -> Side:
        return Side(position % 2)


def test_a_game_with_too_many_positions_is_refused():
    with pytest.raises(TooLarge, match=f"more than {MAX_BY_MOVE:,} positions"):
        space_of(Graph("countless", lambda position: (2 * position + 1, 2 * position + 2)))


def test_a_game_that_is_not_numbered_is_not_explored(monkeypatch):
    game = parse_game("connectfour")
    monkeypatch.setattr(type(game), "play", None)
    with pytest.raises(TooLarge, match="Connect Four is too large"):
        space_of(game)


def test_the_longest_path_determines_the_ply():
    """Two paths of different length lead to one position. A breadth-first search visits it at too early a ply."""
    space = space_of(Graph("detour", {0: (1, 3), 1: (2,), 2: (3,), 3: (4,), 4: ()}.__getitem__))
    assert space.position.tolist() == space.ply.tolist() == [*range(5)]
    assert np.all(space.ply[space.target] > space.ply[space.source])


def test_a_game_with_a_cycle_is_refused():
    pacing = {0: (1,), 1: (2,), 2: (3, 4), 3: (1,), 4: ()}
    with pytest.raises(Endless, match=r"Hexapawn can go on for ever: play can come back to [.W]{3}/") as caught:
        space_of(Graph("pacing", pacing.__getitem__))
    assert "\n" not in str(caught.value)
