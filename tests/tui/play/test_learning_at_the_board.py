from threading import Event

import pytest

from engine.game import Side
from engine.games import parse_game
from engine.match import Match
from lab.board import aftermath
from lab.board.event_sentences import effect_text
from lab.board.teaching import Lesson, effect_of
from learners.menace.learner import Menace
from tests.tui.piloting import make_app, running
from tui.games.debrief_screen import DebriefScreen
from tui.play.news import lesson_text, rewards_text
from tui.widgets.palette import BEAD, palette_of

TICTACTOE = parse_game("tictactoe")


async def play_on(pilot):
    """Play the first legal squares until the game is over and has been learned from."""
    while pilot.session.match.outcome is None:
        match = pilot.session.match
        plies = len(match.moves)
        if pilot.session.player is None:
            await pilot.press(str(match.game.moves(match.position)[0] + 1))
        await pilot.until(lambda plies=plies, match=match: len(match.moves) > plies or match.outcome is not None)
    await pilot.until(lambda: not pilot.screen.table.is_learning)


async def test_a_refilled_box_is_named_instead_of_its_gains(pilot):
    learner = Menace(TICTACTOE, "michie", 1, {"empty": "refill"})
    learner.memory[learner.cell[learner.space.edges(TICTACTOE.start)]] = 0
    match = Match(TICTACTOE)
    for move in (0, 3, 1, 4, 2):
        match.play(move)
    before = learner.policy()
    changes = learner.learn_record(match.record(("a", "b")), [Side.FIRST])
    effect = effect_of(learner, match, [Side.FIRST], before, learner.policy())
    told = lesson_text(Lesson(learner, changes, (), 0, effect), palette_of(pilot.screen), brief=True, per_line=4)
    assert [line.plain.count(BEAD) for line in told] == [2, 0]
    assert told[-1].plain == "Box 1 was empty, and was refilled."


async def test_a_machine_that_plays_second_gains_beads_too(pilot):
    learner = Menace(TICTACTOE, "steady", 1)
    match = Match(TICTACTOE)
    for move in (0, 3, 1, 4, 8, 5):
        match.play(move)
    before = learner.policy()
    changes = learner.learn_record(match.record(("perfect", "a")), [Side.SECOND])
    learner.record_opponent("perfect")
    effect = effect_of(learner, match, [Side.SECOND], before, learner.policy())
    told = lesson_text(Lesson(learner, changes, (), 0, effect), palette_of(pilot.screen), brief=True, per_line=4)
    assert [line.plain.count(BEAD) for line in told] == [len(changes)]


@pytest.mark.parametrize(
    ("game", "preset", "told"),
    [
        ("tictactoe", "michie", "A win adds 3 beads like each one that it drew, a draw 1; a loss takes 1 away."),
        ("nim:1,2", "michie", "A win adds 3 beads like each one that it drew; a loss takes 1 away."),
        ("hexapawn", "her", ""),
        ("tictactoe", "blog", ""),
    ],
)
def test_the_rewards_of_a_machine_are_told_if_they_fit_into_a_sentence(game, preset, told):
    assert rewards_text(Menace(parse_game(game), preset, 1)) == told


@pytest.mark.long
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_a_save_learns_after_each_game_and_shows_what(library, size):
    library.save("a", Menace(TICTACTOE, "michie", 1).snapshot())
    async with running(make_app(first="save:a", second="human"), size) as pilot:
        await pilot.seated("save:a", "human")
        await pilot.press("i")
        await pilot.until(lambda: pilot.screen.table.learning)
        for games in (1, 2, 3):
            await play_on(pilot)
            assert library.load("a").stats["games"] == games
            assert library.load("a").opponent == "human"
            assert pilot.session.seats[0].stats()["games"] == games
            (lesson,) = pilot.screen.table.lessons
            assert pilot.news.count(BEAD) == len(lesson.changes)
            effect = effect_text(lesson.effect, brief=True).replace("It ", "a ")
            assert (effect in pilot.news) == (size != (60, 20))  # where there is only room for the beads
            await pilot.press("enter")
            await pilot.until(lambda: pilot.session.match.outcome is None)
        await pilot.press("i")
        await pilot.until(lambda: not pilot.screen.table.learning)
        await play_on(pilot)
    assert library.load("a").stats["games"] == 3


async def test_the_board_says_that_a_save_is_learning(library, monkeypatch):
    learn, may_learn = aftermath.learn, Event()
    monkeypatch.setattr(aftermath, "learn", lambda *given: may_learn.wait(60) and learn(*given))
    library.save("a", Menace(TICTACTOE, "michie", 1).snapshot())
    async with running(make_app(first="save:a", second="human")) as pilot:
        await pilot.seated("save:a", "human")
        await pilot.press("i")
        await pilot.until(lambda: pilot.screen.table.learning)
        await pilot.until(lambda: pilot.session.match.moves)
        await pilot.press("F", "F")
        await pilot.until(lambda: "It is learning from this game …" in pilot.news)
        may_learn.set()
        await pilot.until(lambda: pilot.screen.table.lessons)
        await pilot.until(lambda: "is learning" not in pilot.news)


async def test_a_debrief_tells_what_a_save_learned_after_it_was_opened(library, monkeypatch):
    learn, may_learn = aftermath.learn, Event()
    monkeypatch.setattr(aftermath, "learn", lambda *given: may_learn.wait(60) and learn(*given))
    library.save("a", Menace(TICTACTOE, "michie", 1).snapshot())
    async with running(make_app(first="save:a", second="human"), (120, 40)) as pilot:
        await pilot.seated("save:a", "human")
        await pilot.press("i")
        await pilot.until(lambda: pilot.screen.table.learning)
        await pilot.until(lambda: pilot.session.match.moves)
        await pilot.press("F", "F", "d")
        await pilot.until(lambda: isinstance(pilot.screen, DebriefScreen) and pilot.screen.is_evaluated)
        assert not pilot.screen.review.lessons
        may_learn.set()
        await pilot.until(lambda: "a learned:" in pilot.text_of("#debrief-turn"))
        await pilot.until(lambda: pilot.screen.query_one("#box-before").display)
