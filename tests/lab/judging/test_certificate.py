"""A certificate is true, or its checker says that it is not: whatever single entry is changed."""

from hashlib import sha256

import pytest

from engine.evaluate import best_response, faced_decisions, perfect_policy
from engine.game import BadText, Side
from engine.games import parse_game
from engine.games.tictactoe import TicTacToe
from engine.spaces import space_of
from lab.judging.certificate import certificate_text
from lab.judging.certificate_check import check

GAMES = ("misere", "mnk:3,2,2", "mnk:3,3,3+misere", "mnk:3,3,3+gravity", "mnk:4,3,3")


def signed(body: str) -> str:
    return f"{body}sha256 {sha256(body.encode()).hexdigest()}\n"


def verified(text: str) -> bool:
    try:
        check(text)
    except (ValueError, KeyError, IndexError, TypeError):
        return False
    return True


@pytest.mark.parametrize("name", GAMES)
def test_a_true_certificate_is_verified(name: str):
    game = parse_game(name)
    space, policy = space_of(game), perfect_policy(space_of(game))
    for side in Side:
        if best_response(space, side, policy).loss:
            with pytest.raises(BadText, match="it can lose"):
                certificate_text(game, policy, (side,))
            continue
        text = certificate_text(game, policy, (side,))
        assert verified(text)
        assert text.count("\n") == 5 + faced_decisions(space, side, policy).sum()


def test_no_single_entry_can_be_changed():
    game = parse_game("mnk:3,3,3+gravity")
    text = certificate_text(game, perfect_policy(space_of(game)), (Side.SECOND,))
    lines, names = text.splitlines(keepends=True), {game.move_name(move) for move in range(9)}
    for number, line in [*enumerate(lines[4:-1], 4)][::6]:
        *position, move = line.split()[:3]
        for other in {*names, ""} - {move}:
            for entry in (f"{' '.join(position)} {other}\n", ""):
                changed = [*lines[:number], entry, *lines[number + 1 :]]
                assert not verified("".join(changed))
                body = "".join(changed[:-1])
                if verified(signed(body)):  # a correct certificate of another strategy that never loses
                    assert set(line.split()[2:]) != set(entry.split()[2:])
                    assert loses_never(game, body)


def test_who_does_not_move_secures_nothing():
    game = parse_game("mnk:3,3,3")
    head = certificate_text(game, perfect_policy(space_of(game)), (Side.FIRST,)).splitlines(keepends=True)[:4]
    assert not verified(signed("".join([*head, f"{game.to_text(game.start)}\n"])))


@pytest.mark.parametrize(
    ("name", "true", "other"),
    [
        ("mnk:4,3,3", "X wins every game", "X wins in 5 moves"),
        ("mnk:4,3,3", "X wins every game", "x never loses"),
        ("mnk:4,3,3", "X wins every game", "both never loses"),
        ("mnk:3,3,3", "claim X", "claim X wins every game\nclaim X"),
        ("mnk:3,3,3", "mnk:3,3,3", "misere"),
    ],
)
def test_claims_that_are_not_checked_and_the_name_of_another_game_are_not_verified(name: str, true: str, other: str):
    game = parse_game(name)
    body = certificate_text(game, perfect_policy(space_of(game)), (Side.FIRST,)).rpartition("sha256 ")[0]
    assert verified(signed(body))
    assert not verified(signed(body.replace(true, other)))


class TopRow(TicTacToe):
    """Only the row at the top wins: the checker does not know that."""

    name = "toprow"

    def __init__(self) -> None:
        super().__init__()
        self.lines = self.lines[:1]
        self.complete = frozenset(mask for mask in self.complete if mask & self.lines[0] == self.lines[0])


def test_a_game_of_other_rules_is_refused():
    game = TopRow()
    with pytest.raises(BadText, match="the checker does not know its rules"):
        certificate_text(game, perfect_policy(space_of(game)), (Side.SECOND,))


def test_the_rules_that_were_checked_are_said():
    game = parse_game("mnk:3,3,3")
    text = certificate_text(game, perfect_policy(space_of(game)), (Side.FIRST,))
    assert "columns 3 rows 3 row 3" in check(text)


def loses_never(game, body: str) -> bool:
    """Walk all games of the strategy of the second side by the rules of the program."""
    lines = (line.split() for line in body.splitlines()[4:])
    strategy = {game.from_text(f"{board} {side}"): moves for board, side, *moves in lines}
    stack = [game.start]
    while stack:
        position = stack.pop()
        outcome = game.outcome(position)
        if outcome is not None:
            if outcome.winner is Side.FIRST:
                return False
            continue
        mine = game.side(position) is Side.SECOND
        moves = [game.parse_move(position, each) for each in strategy[position]] if mine else game.moves(position)
        if not moves:
            return False
        stack += [game.play(position, move) for move in moves]
    return True
