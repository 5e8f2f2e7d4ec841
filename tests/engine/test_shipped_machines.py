"""The machines that come with the program: each line of play of each, from the rules alone."""

import pytest

from engine.smallest.shipped import Case, cases, shipped
from noughts.testing.games import QUICK, has_at_most
from tests.oracles.remembering import entries
from tests.oracles.rules import RULES, derived


def is_quick(case: Case) -> bool:
    return has_at_most(case.game, QUICK)


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=() if is_quick(case) else pytest.mark.long, id=str(case)) for case in cases()]
)
def test_it_never_loses_and_has_as_many_entries_as_it_says(case: Case):
    game, found = case.game, shipped(case)
    rules, mark = RULES.get(game.name) or derived(game), game.mark(case.side)
    answers = {game.to_text(position): game.move_name(move) for position, move in found.moves.items()}
    assert entries(rules, mark, answers, case.counting, symmetric=case.symmetric) == found.entries
    assert 0 <= found.bound <= found.entries
