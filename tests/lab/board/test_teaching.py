import re
from dataclasses import replace

import pytest

from engine.game import BadText, Side
from engine.games import parse_game
from engine.match import Match, Record
from lab.board.event_sentences import effect_text, lesson_lines
from lab.board.teaching import is_pupil, teach
from lab.exact.shortest_course import HonestLuck, honest_text, teach_course, teaching_lines
from lab.memory.open_box import open_box
from lab.text.numbers import percent_text
from learners import parse_learner, parse_player
from learners.core.learner import BOTH
from learners.courses.finding import find_course
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves.errors import LibraryError, NoSuchSave

TICTACTOE = parse_game("tictactoe")
MOVES = (4, 1, 0, 8, 6, 3, 2)
"""X takes the centre and wins by the diagonal a1 b2 c3, the corner 2 last."""


def record(first: str, second: str, moves=MOVES, *, resigned=False) -> Record:
    match = Match(TICTACTOE)
    for move in moves:
        match.play(move)
    if resigned:
        match.resign()
    return match.record((first, second))


@pytest.mark.parametrize("kind", [Failures, Menace])
@pytest.mark.parametrize("side", Side)
def test_a_save_learns_as_the_side_it_played_and_is_kept(library, kind, side):
    preset = "literal" if kind is Failures else "scroggs"
    library.save("a", kind(TICTACTOE, preset, 1).snapshot())
    game = record(*(("save:a", "human") if side is Side.FIRST else ("human", "save:a")))
    lesson = teach(library, game, "save:a")
    direct = kind(TICTACTOE, preset, 1)
    changes = direct.learn_record(game, (side,))
    assert lesson.words == tuple(direct.view.describe(change) for change in changes) != ()
    assert lesson.learner.label == "save:a"
    kept = library.load("a")
    assert kept.memory.tolist() == direct.memory.tolist() == lesson.learner.memory.tolist()
    assert (kept.opponent, kept.stats["games"]) == ("human", 1)
    assert [stats["games"] for stats in kept.history] == [1]


def test_a_save_against_itself_learns_from_both_sides_once(library):
    library.save("a", Menace(TICTACTOE, "scroggs", 1).snapshot())
    teach(library, record("save:a", "save:a"), "save:a")
    direct = Menace(TICTACTOE, "scroggs", 1)
    direct.learn_record(record("save:a", "save:a"), BOTH)
    assert library.load("a").memory.tolist() == direct.memory.tolist()
    assert library.load("a").stats["games"] == 1


def test_a_resignation_teaches_too(library):
    library.save("a", Menace(TICTACTOE, "michie", 1).snapshot())
    teach(library, record("save:a", "human", (4, 0), resigned=True), "save:a")
    assert library.load("a").stats["resigned"] == 1
    nothing = teach(library, record("save:a", "human", (), resigned=True), "save:a")
    assert nothing.words == ()
    assert nothing.learner.stats()["second_wins"] == 2


def test_what_cannot_learn_says_so_and_changes_nothing(library):
    with pytest.raises(NoSuchSave):
        teach(library, record("save:a", "human"), "save:a")
    with pytest.raises(LibraryError):
        teach(library, record("save:riechel", "human"), "save:riechel")
    library.save("pawns", Failures(parse_game("hexapawn"), "literal", 1).snapshot())
    with pytest.raises(BadText, match="pawns plays another game"):
        teach(library, record("save:pawns", "human"), "save:pawns")
    assert library.load("pawns").stats["games"] == 0


def test_only_saves_of_the_user_learn(library):
    library.save("a", Failures(TICTACTOE, "literal", 1).snapshot())
    assert is_pupil(library.player("save:a", TICTACTOE))
    for player in (None, parse_player("perfect", TICTACTOE), library.player("save:riechel", TICTACTOE)):
        assert not is_pupil(player)
    assert not is_pupil(Failures(TICTACTOE, "literal", 1))  # it is no save


@pytest.mark.parametrize(
    ("count", "lines"), [(0, ["nothing changed"]), (1, ["1"]), (5, list("12345")), (7, [*"1234", "and 3 more"])]
)
def test_many_changes_are_told_in_a_few_lines(count, lines):
    assert lesson_lines([str(number) for number in range(1, count + 1)]) == lines


def chance_in_box(machine, position, move):
    """The chance of a move that the open box shows: symmetric moves share beads, and are one group."""
    name = TICTACTOE.move_name(move)
    return next(square.chance for square in open_box(machine, position, move).squares if square.move == name)


def test_a_lesson_says_what_it_means_for_the_moves_of_the_game(library):
    library.save("a", Menace(TICTACTOE, "scroggs", 1).snapshot())
    machine = library.player("save:a", TICTACTOE)
    edge = machine.space.edge(TICTACTOE.start, 4)
    won = teach(library, record("save:a", "human"), "save:a").effect
    after = library.player("save:a", TICTACTOE)
    again = effect_text(won)
    assert (won.before, won.after) == pytest.approx(
        max(
            (
                (chance_in_box(machine, position, move), chance_in_box(after, position, move))
                for position, move in list(zip(won.match.positions, won.match.moves, strict=False))[::2]
            ),
            key=lambda chances: abs(chances[1] - chances[0]),
        )
    )
    assert again.startswith("It is more likely to play X ")
    assert f"{percent_text(won.again[1])}, before {percent_text(won.again[0])}." in again
    assert after.policy()[edge] > machine.policy()[edge]
    hardly = replace(won, before=0.531, after=0.5311)
    assert "slightly more likely" in effect_text(hardly)
    assert ": 53.1 %." in effect_text(hardly), "the same number is not said twice"


def test_a_failure_will_not_be_played_again_and_the_game_cannot_happen_again(library):
    library.save("a", Failures(TICTACTOE, "literal", 1).snapshot())
    lost = record("human", "save:a")
    assert effect_text(teach(library, lost, "save:a").effect) == (
        "It will not play O a2 again in the position at move 6. This game cannot happen again."
    )
    assert effect_text(teach(library, lost, "save:a").effect) == "It plays as before."


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
    assert len(boxes) == len({box for game in taught.games for box in game.boxes})
    second = next(line for line in boxes if ".W./W.W B" in line)
    assert re.search(r"a3a2 or c3c2 \w+, a3b2 or c3b2 (\w+) +left: \1$", second)


def test_the_machines_without_a_teacher_begin_as_the_taught_one_does(taught):
    assert taught.self_taught[0] == taught.losses[0].__class__(
        0, taught.losses[0].random, taught.losses[0].best_responder
    )
    assert taught.self_taught[-1].best_responder > 0


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
