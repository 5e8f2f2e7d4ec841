"""The printed lesson: who follows it with paper and pencil strikes what the machine strikes."""

import re

import pytest

from engine.games import parse_game
from lab.exact.shortest_course import HonestLuck, honest_text, teach_course, teaching_lines
from learners import parse_learner
from learners.courses.finding import find_course

HEXAPAWN = parse_game("hexapawn")


@pytest.fixture(scope="module")
def taught():
    return teach_course(find_course(parse_learner("menace"), HEXAPAWN, "her", {}, ()))


def test_each_game_strikes_the_last_move_of_the_machine_and_nothing_else(taught):
    """Moves and positions are read from the text alone, and compared with the beads that the machine has left."""
    lines, machine = teaching_lines(taught), taught.learner
    games = [line.split("  ", 1)[1].rsplit(",", 1)[0] for line in lines if line.startswith("game ")]
    strikes = [re.search(r"strike the .*: (\S+) in (\S+ [WB])", line) for line in lines]
    assert len(games) == len(list(filter(None, strikes))) == taught.course.length
    struck = set()
    for moves, strike in zip(games, filter(None, strikes), strict=True):
        position, last = HEXAPAWN.start, ("", "")
        for text in moves.split():
            name = text.strip("()")
            if text != name:
                last = name, HEXAPAWN.to_text(position)
            position = HEXAPAWN.play(position, HEXAPAWN.parse_move(position, name))
        assert strike.groups() == last
        where = HEXAPAWN.from_text(last[1])
        struck.add(int(machine.boxes.cell[machine.space.edge(where, HEXAPAWN.parse_move(where, last[0]))]))
    cells = machine.boxes.cells
    assert struck == set(cells[machine.memory[cells] == 0].tolist())


def test_each_box_lists_its_beads_and_moves_that_share_one_once(taught):
    boxes = [line for line in teaching_lines(taught) if re.match(r" *box \d+  ", line)]
    assert len(boxes) == len({box for game in taught.told for box in game.boxes})
    second = next(line for line in boxes if ".W./W.W B" in line)
    assert re.search(r"a3a2 or c3c2 \w+, a3b2 or c3b2 (\w+) +left: \1$", second)


def test_the_machines_without_a_teacher_begin_as_the_taught_one_does(taught):
    assert taught.by_itself[0] == taught.losses[0].__class__(
        0, taught.losses[0].random, taught.losses[0].best_responder
    )
    assert taught.by_itself[-1].best_responder > 0


@pytest.mark.parametrize(
    ("luck", "words"),
    [
        (HonestLuck(None, (10, 20, 60)), ("20 games", "3 runs")),
        (HonestLuck(None, (10, 20, 60), 1), ("20 games", "1 of 4 runs")),
        (HonestLuck(None, (), 5), ("5 of 5 runs", "learns no more")),
        (HonestLuck(None, ()), ("--seconds",)),
        (HonestLuck(21.5, (20, 22)), ("21.500 games on average (exact)", "2 runs", "21.00 ± 2.00")),
    ],
)
def test_honest_luck_in_a_sentence(luck, words):
    assert all(each in honest_text(luck) for each in words)
