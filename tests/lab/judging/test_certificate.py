"""A certificate is true, or its checker says that it is not: whatever single entry is changed."""

from hashlib import sha256
from pathlib import Path

import pytest

from engine.evaluate import best_response, faced_decisions, perfect_policy
from engine.game import BadText, Side
from engine.games import parse_game
from engine.spaces import space_of
from lab.judging.certificate import certificate_text
from lab.judging.certificate_check import main

GAMES = ("mnk:3,2,2", "mnk:3,3,3+misere", "mnk:3,3,3+gravity", "mnk:4,3,3")


def signed(body: str) -> str:
    return f"{body}sha256 {sha256(body.encode()).hexdigest()}\n"


def verified(path: Path, text: str) -> bool:
    path.write_text(text)
    try:
        main(str(path))
    except (ValueError, KeyError, IndexError, StopIteration, TypeError):
        return False
    return True


@pytest.mark.parametrize("name", GAMES)
def test_a_true_certificate_is_verified(tmp_path: Path, name: str):
    game = parse_game(name)
    space, policy = space_of(game), perfect_policy(space_of(game))
    for side in Side:
        if best_response(space, side, policy).loss:
            with pytest.raises(BadText, match="it can lose"):
                certificate_text(game, policy, (side,))
            continue
        text = certificate_text(game, policy, (side,))
        assert verified(tmp_path / "c", text)
        assert text.count("\n") == 5 + faced_decisions(space, side, policy).sum()


def test_no_single_entry_can_be_changed(tmp_path: Path):
    game = parse_game("mnk:3,3,3+gravity")
    text = certificate_text(game, perfect_policy(space_of(game)), (Side.SECOND,))
    lines, path, names = text.splitlines(keepends=True), tmp_path / "c", {game.move_name(move) for move in range(9)}
    for number, line in [*enumerate(lines[4:-1], 4)][::6]:
        *position, move = line.split()[:3]
        for other in {*names, ""} - {move}:
            for entry in (f"{' '.join(position)} {other}\n", ""):
                changed = [*lines[:number], entry, *lines[number + 1 :]]
                assert not verified(path, "".join(changed))
                body = "".join(changed[:-1])
                if verified(path, signed(body)):  # another strategy, which is as good, and says so
                    assert set(line.split()[2:]) != set(entry.split()[2:])
                    assert loses_never(game, body)


def test_who_does_not_move_secures_nothing(tmp_path: Path):
    game = parse_game("mnk:3,3,3")
    head = certificate_text(game, perfect_policy(space_of(game)), (Side.FIRST,)).splitlines(keepends=True)[:4]
    assert not verified(tmp_path / "c", signed("".join([*head, f"{game.to_text(game.start)}\n"])))


def test_the_rules_that_were_checked_are_said(tmp_path: Path):
    game = parse_game("mnk:3,3,3")
    text = certificate_text(game, perfect_policy(space_of(game)), (Side.FIRST,))
    (tmp_path / "c").write_text(text)
    assert "columns 3 rows 3 row 3" in main(str(tmp_path / "c"))


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
