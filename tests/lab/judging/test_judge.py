"""The judge: what it asks, what it concludes, and what it reports of agents that misbehave."""

import json
import random as random_module
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.evaluate import Results, chances_as, losing_game, perfect_policy, results, uniform_policy
from engine.game import BadText, Game, Move, Outcome, Position, Side
from engine.games import GAMES, parse_game
from engine.grid_game import GridGame
from engine.known_positions import known_positions
from engine.match import Match
from engine.spaces import space_of
from lab.judging import child
from lab.judging.agents.program_agent import command_of, program_agent
from lab.judging.agents.python_agent import local_agent, python_agent
from lab.judging.asking import histories
from lab.judging.asking.agent import Agent, AskProgress, agent_of, player_agent
from lab.judging.asking.answers import Answers, IllegalMoves
from lab.judging.asking.ask_all import LEAST_SAMPLES, PROBES, SAMPLES, ask_all
from lab.judging.asking.asked_agent import AskedAgent
from lab.judging.files.policy_file import read_policy
from lab.judging.judge import judge
from lab.judging.notation.reply import USUAL_READING, AgentFailed, Numbers, Reading, Reply, read_reply
from lab.judging.verdict_text import CLOCKED, STOPPED, UNCOMPARED, UNEXPLAINED, verdict_lines
from learners import parse_player
from learners.fixed import fixed_policy
from learners.race.sampling import play_samples
from tests.positions import running
from tests.waiting import LIMIT, wait_until

TICTACTOE = GAMES[0]
SPACE = space_of(TICTACTOE)
HERE = TICTACTOE.from_text("XO./.X./... O")
VALUES = Reading(Numbers.VALUES)
SMALL = (
    *map(parse_game, ("tictactoe", "hexapawn", "mnk:3,3,3+misere", "nim:2,3", "mnk:3,2,2")),
    pytest.param(parse_game("wild"), marks=pytest.mark.long),
)


def one_move(move: Move) -> Reply:
    return Reply({move: 1.0}, single=True)


def first_legal(position: Position) -> Reply:
    return one_move(TICTACTOE.moves(position)[0])


def random_move(position: Position, random: Random) -> Reply:
    return one_move(random.choice(TICTACTOE.moves(position)))


def agent_from(folder: Path, code: str, name: str = "choose", game: Game = TICTACTOE) -> AbstractContextManager[Agent]:
    """Ask what has this name in a file with this code."""
    (folder / "agent.py").write_text(code)
    return python_agent(f"{folder}/agent.py:{name}", game)


def program_from(folder: Path, code: str) -> AbstractContextManager[Agent]:
    """Ask a program with this code, line by line."""
    (folder / "agent.py").write_text(f"import sys\n{code}")
    return program_agent([sys.executable, "-u", f"{folder}/agent.py"], "agent", TICTACTOE)


def shortest_loss(game: Game, side: Side, policy: np.ndarray) -> int | None:
    """The length of a shortest lost game, by walking all games of the policy breadth first."""
    space, layer, length = space_of(game), [game.start], 0
    while layer:
        following = []
        for position in layer:
            outcome = game.outcome(position)
            if outcome is Outcome.won_by(side.other):
                return length
            if outcome is not None:
                continue
            played = [(move, policy[space.edge(position, move)]) for move in game.moves(position)]
            mine = game.side(position) is side
            if mine and sum(chance for _, chance in played) < 1 - 1e-9:
                return length
            following += [game.play(position, move) for move, chance in played if not mine or chance > 0]
        layer, length = list(dict.fromkeys(following)), length + 1
    return None


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_the_losing_game_is_a_shortest_one(game: Game, side: Side):
    space = space_of(game)
    random = np.random.default_rng(5)
    resigning = uniform_policy(space) * (random.random(len(space.move)) < 0.6)
    for policy in (uniform_policy(space), perfect_policy(space), resigning):
        moves = losing_game(space, side, policy)
        assert (None if moves is None else len(moves)) == shortest_loss(game, side, policy)
        assert (moves is None) == (results(space, side, policy).against["best_responder"].loss == 0)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_our_own_players_get_the_results_of_evaluate(game: Game):
    for label in ("random", "perfect"):
        player = parse_player(label, game)
        verdict = judge(game, ask_all(game, player_agent(player)))
        for side in Side:
            expected = results(space_of(game), side, player.policy())
            found = verdict.scores[side.name.lower()]
            assert found.decisions == expected.decisions
            assert found.losing_pairs == expected.losing_pairs
            for opponent in ("random", "perfect", "best_responder"):
                assert found.against[opponent].loss == pytest.approx(expected.against[opponent].loss, abs=1e-12)
        if label == "perfect":
            assert all(verdict.optimal.values())


def test_only_positions_that_the_agent_can_meet_are_asked():
    asked: list[Position] = []

    def ask(position: Position) -> Reply:
        asked.append(position)
        return Reply({TICTACTOE.moves(position)[0]: 1.0})

    answers = ask_all(TICTACTOE, ask)
    assert len(set(asked)) == answers.asked == 74 + 158
    side_of = [TICTACTOE.side(position) for position in dict.fromkeys(asked)]
    assert side_of == sorted(side_of)
    assert ask_all(TICTACTOE, ask, (Side.SECOND,)).asked == 158


def test_a_won_game_that_is_only_drawn_is_not_optimal():
    game = parse_game("mnk:3,2,2")  # the first side wins
    space = space_of(game)
    careless = uniform_policy(space)
    verdict = judge(game, Answers(careless, tuple(Side), 0, (), (), {}, 0))
    assert verdict.optimal == {
        Side.FIRST: results(space, Side.FIRST, careless).against["best_responder"].win == 1,
        Side.SECOND: True,
    }


def test_illegal_moves_and_missing_answers_are_losses_and_are_reported():
    corner = TICTACTOE.from_text("X../.../... O")

    def ask(position: Position) -> Reply | None:
        if position == TICTACTOE.start:
            return Reply({}, ("a9",))
        return None if position == corner else first_legal(position)

    verdict = judge(TICTACTOE, ask_all(TICTACTOE, ask))
    assert [(each.position, each.moves) for each in verdict.answers.illegal] == [(TICTACTOE.start, ("a9",))]
    assert verdict.answers.missing == (corner,)
    assert verdict.scores["first"].against["random"].loss == 1
    assert verdict.scores["second"].against["random"].loss > 1 / 9
    assert verdict.losing is not None
    assert (verdict.losing[0], verdict.losing[1].moves, verdict.losing[1].resigned) == (Side.FIRST, [], True)
    text = "\n".join(verdict_lines(TICTACTOE, verdict))
    assert "a9 in .../.../... X" in text
    assert "No answer in 1 position" in text


def test_a_slow_sampled_agent_is_asked_less_often_and_the_time_left_is_reported(monkeypatch: pytest.MonkeyPatch):
    now, random, reports = 0.0, Random(1), list[AskProgress]()
    for module in ("positions", "ask_all"):
        monkeypatch.setattr(f"lab.judging.asking.{module}.monotonic", lambda: now)

    def ask(position: Position) -> Reply:
        nonlocal now
        now += 1  # a second an answer
        return random_move(position, random)

    answers = ask_all(TICTACTOE, ask, (Side.FIRST,), report=reports.append)
    assert answers.samples == answers.fewest == LEAST_SAMPLES
    assert {int(count.sum()) for count in answers.counts.values()} == {LEAST_SAMPLES}
    timed = [each for each in reports if each.seconds_left is not None]
    assert [each.asked for each in timed] == sorted(each.asked for each in timed)
    assert (timed[-1].share, timed[-1].seconds_left) == (pytest.approx(1, abs=0.01), pytest.approx(1, abs=5))
    half = next(each for each in timed if each.asked > LEAST_SAMPLES * answers.asked / 2)
    assert half.seconds_left == pytest.approx(now - half.asked, rel=0.3)


@pytest.mark.parametrize("whole", [1, 3])
def test_a_sampled_agent_that_is_interrupted_is_judged_by_whole_rounds_of_answers(
    monkeypatch: pytest.MonkeyPatch, whole: int
):
    asked, random = Counter[Position](), Random(1)
    monkeypatch.setattr("lab.judging.asking.ask_all.ROUND_SECONDS", 0.0)

    def ask(position: Position) -> Reply:
        asked[position] += 1
        if asked[TICTACTOE.start] == PROBES + 1 + whole and position != TICTACTOE.start:
            raise KeyboardInterrupt
        return random_move(position, random)

    if whole == 1:
        with pytest.raises(KeyboardInterrupt):
            ask_all(TICTACTOE, ask, (Side.FIRST,))
        return
    answers = ask_all(TICTACTOE, ask, (Side.FIRST,))
    assert (answers.is_stopped, answers.samples, answers.is_compared) == (True, whole, False)
    assert {int(count.sum()) for count in answers.counts.values()} == {whole}
    assert STOPPED in verdict_lines(TICTACTOE, judge(TICTACTOE, answers))


def test_an_agent_that_must_be_fixed_is_refused_at_the_first_other_answer():
    asked, random = Counter[Position](), Random(1)

    def ask(position: Position) -> Reply:
        asked[position] += 1
        return random_move(position, random)

    with pytest.raises(BadText, match="only a fixed strategy"):
        ask_all(TICTACTOE, ask, fixed=True)
    assert asked == {TICTACTOE.start: PROBES}


def test_a_program_that_sometimes_has_no_answer_is_sampled():
    random = Random(1)
    answers = ask_all(TICTACTOE, lambda each: random.choice([None, first_legal(each)]), (Side.FIRST,), samples=5)
    assert {int(count.sum()) for count in answers.counts.values()} == {5}
    assert judge(TICTACTOE, answers).sampled is not None


def test_an_agent_is_sampled_everywhere_once_its_answers_differ_anywhere():
    asked: dict[Position, int] = {}

    def ask(position: Position) -> Reply:
        asked[position] = asked.get(position, 0) + 1
        if position == TICTACTOE.start:
            return one_move(4 * (asked[position] % 2))
        return first_legal(position)

    answers = ask_all(TICTACTOE, ask, (Side.FIRST,))
    assert answers.samples >= SAMPLES
    assert asked.pop(TICTACTOE.start) >= PROBES + answers.samples
    assert {*asked.values()} == {answers.samples}
    first, *others = answers.policy[:9].tolist()
    assert others == pytest.approx([0, 0, 0, 1 - first, 0, 0, 0, 0])
    assert abs(first - 0.5) <= 1 / answers.samples  # how often it is asked depends on how quickly it answers
    assert len(answers.counts) == answers.asked


def test_an_agent_whose_answers_depend_on_a_count_of_calls_is_never_called_optimal():
    calls = Counter[Position]()

    def ask(position: Position) -> Reply:
        calls[position] += 1
        moves = TICTACTOE.moves(position)
        late = calls.total() > 74 * 20
        return one_move(moves[(late and (not rarely or calls.total() % 7 == 0)) % len(moves)])

    rarely = False
    with pytest.raises(BadText, match="before it was asked elsewhere"):
        ask_all(TICTACTOE, ask, (Side.FIRST,), samples=20)
    calls.clear()
    rarely = True
    verdict = judge(TICTACTOE, ask_all(TICTACTOE, ask, (Side.FIRST,), samples=20))
    assert verdict.sampled is not None
    assert verdict.optimal != {Side.FIRST: True}
    assert UNEXPLAINED in verdict_lines(TICTACTOE, verdict)
    assert UNEXPLAINED not in verdict_lines(TICTACTOE, judge(TICTACTOE, ask_all(TICTACTOE, first_legal)))


def test_that_answers_differed_only_before_a_sample_is_said():
    once = [0, 1]

    def ask(position: Position) -> Reply:
        return one_move(TICTACTOE.moves(position)[once.pop() if once else 0])

    answers = ask_all(TICTACTOE, ask, (Side.FIRST,), samples=20)
    lines = verdict_lines(TICTACTOE, judge(TICTACTOE, answers))
    assert any("in .../.../... X differed before, and nowhere when it was asked" in line for line in lines)


KEEPS = """
class Player:
    seen = {}
    calls, board = 0, None
    def choose(self, board, side, moves):
        self.board = board
        MORE
        return self.seen.setdefault(board, moves[0])
player = Player()
"""


@pytest.mark.parametrize(
    ("more", "verdict"),
    [
        ("pass", None),
        ("self.calls += 1", "calls"),
        ("self.calls += 1\n        if self.calls > 6000: return moves[-1]", "others before it was asked elsewhere"),
    ],
)
def test_an_agent_that_keeps_what_may_change_its_answers_is_asked_more_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, verdict: str | None
):
    monkeypatch.setattr("lab.judging.asking.ask_again.SECONDS", LIMIT)
    if "6000" not in more:
        monkeypatch.setattr("lab.judging.asking.ask_again.MOST_IF_CHANGED", 1)
    with agent_from(tmp_path, KEEPS.replace("MORE", more), "player") as agent:
        if "6000" in more:
            with pytest.raises(BadText, match=str(verdict)):
                ask_all(TICTACTOE, agent)
            return
        answers = ask_all(TICTACTOE, agent)
        assert answers.changed_name == (verdict or "")
        assert answers.is_certain is (verdict is None)
        assert (answers.total > PROBES * answers.asked) is (verdict is not None)


RESETS = """
import numpy
class Player:
    past, table = [], numpy.zeros(1)
    def reset(self):
        self.past = []
    def act(self, board, side, moves):
        self.past.append(board)
        MORE
        return moves[0]
player = Player()
"""


@pytest.mark.parametrize(("more", "changed"), [("pass", ""), ("self.table += 1", "table")])
def test_an_agent_that_keeps_something_beyond_its_reset_is_not_called_optimal(tmp_path: Path, more: str, changed: str):
    with agent_from(tmp_path, RESETS.replace("MORE", more), "player") as agent:
        answers = ask_all(TICTACTOE, agent, (Side.SECOND,))
    assert (answers.changed_name, answers.is_certain) == (changed, not changed)


def test_an_agent_whose_probabilities_change_while_it_is_asked_is_refused():
    calls = Counter[Position]()

    def ask(position: Position) -> Reply:
        calls[position] += 1
        return Reply({TICTACTOE.moves(position)[-(calls.total() > 200)]: 1.0})

    with pytest.raises(BadText, match="others when it is asked again"):
        ask_all(TICTACTOE, ask)


REMEMBERS = """
import collections, os, random
seen, here, calls = set(), os.getpid(), collections.Counter()
def choose(board, side, moves):
    seen.add(board)
    calls.update((board, None))
    move = moves[-1 if (0,) * 9 in seen else 0]
    {more}
    return move
"""


@pytest.mark.parametrize(
    ("more", "refused"),
    [
        ("", True),
        ("move = random.choice([move, moves[0]])", True),
        ("move = random.choice(moves) if random.random() < 1000 / calls[None] else moves[0]", True),
        ("move = moves[-1 if calls[board] < 3 else 0]", True),
        ("seen.add((0,) * 9); assert os.getpid() == here", False),
    ],
    ids=["always the same", "random", "explores at first", "learns each position", "its copy fails"],
)
def test_an_agent_whose_answers_depend_on_what_it_was_asked_before_is_refused(tmp_path: Path, more: str, refused: bool):
    with agent_from(tmp_path, REMEMBERS.format(more=more)) as agent:
        if not refused:
            verdict = judge(TICTACTOE, ask_all(TICTACTOE, agent, (Side.FIRST,)))
            assert UNCOMPARED in verdict_lines(TICTACTOE, verdict)
            assert not verdict.answers.is_certain
            return
        with pytest.raises(BadText, match="before it was asked elsewhere"):
            ask_all(TICTACTOE, agent, (Side.FIRST,), samples=20)


PLAYS = """
import random
past, games = {{}}, 0
def choose(board, side, moves):
    global games
    if board.count(0) > 7:
        games += 1
        {begins}
    past[len(past)] = board
    return moves[-1] if board.count(0) in (4, 5) and {errs} else {usual}
"""
IN_ORDER = "len(past) == 3 and past[0].count(0) > 7 and past[1] not in (past[0], board)"


@pytest.mark.parametrize(
    ("begins", "errs", "usual"),
    [
        ("past.clear()", IN_ORDER, "moves[0]"),
        ("past.clear()", IN_ORDER, "random.choice(moves[:2])"),
        ("pass", f"{IN_ORDER} and board[8]", "moves[0]"),
        ("past.clear()", f"{IN_ORDER} and games > 20", "moves[0]"),
        ("past.clear()", "False", "moves[0]"),
    ],
    ids=["in games", "random", "only in its first game", "in later games", "never"],
)
def test_an_agent_that_answers_otherwise_in_a_game_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begins: str, errs: str, usual: str
):
    monkeypatch.setattr("lab.judging.asking.in_games.SECONDS", LIMIT)
    with agent_from(tmp_path, PLAYS.format(begins=begins, errs=errs, usual=usual)) as agent:
        if errs == "False":
            assert ask_all(TICTACTOE, agent, (Side.FIRST,)).has_played
            return
        with pytest.raises(BadText, match="is another one in a game, after those in"):
            ask_all(TICTACTOE, agent, (Side.FIRST,), samples=20)


def test_a_program_that_answers_otherwise_in_a_game_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lab.judging.asking.in_games.SECONDS", LIMIT)
    remembers = "past = past * (board.count('.') < 8) + [board]"
    errs = "len(past) == 3 and past[1] not in (past[0], board) and board.count('.') in (4, 5)"
    answer = f"board.rindex('.') if {errs} else board.index('.')"
    code = "past = []" + ANSWERS.replace("    print", f"    {remembers}\n    print").format(answer=answer)
    with program_from(tmp_path, code) as agent, pytest.raises(BadText, match="in a game"):
        ask_all(TICTACTOE, agent, (Side.FIRST,))


def test_an_agent_in_this_process_is_asked_again_in_a_copy_of_it():
    seen = set[tuple[int, ...]]()

    def remembers(board, side, moves):  # noqa: ARG001  the form that is promised
        seen.add(board)
        return moves[-1 if (0,) * 9 in seen else 0]

    with pytest.raises(BadText, match="before it was asked elsewhere"):
        ask_all(TICTACTOE, local_agent(remembers, TICTACTOE), (Side.FIRST,))
    seen.add((0,) * 9)
    answers = ask_all(TICTACTOE, local_agent(remembers, TICTACTOE), (Side.FIRST,))
    assert answers.is_compared
    assert answers.is_certain


@pytest.mark.parametrize("random", [False, True])
@pytest.mark.parametrize("changes", [False, True])
def test_an_agent_of_a_large_game_is_asked_again_in_a_copy(tmp_path: Path, random: bool, changes: bool):
    game, late = parse_game("connectfour"), f"len(asked) > 200 and {changes}"
    with agent_from(
        tmp_path,
        "import random\nasked = set()\ndef choose(board, side, moves):\n    asked.add(tuple(board))\n"
        f"    return moves[-1] if {late} else random.choice(moves[: 1 + {random}])",
        game=game,
    ) as agent:
        player = AskedAgent(game, agent)
        play_samples(player, opponents=["random"], games=20)
        if changes:
            with pytest.raises(BadText, match="before it was asked elsewhere"):
                player.is_compared()
        else:
            assert player.is_compared()


@pytest.mark.parametrize(
    ("code", "reads"),
    [
        ("now()", True),
        ("datetime.now()", True),
        ("logging.getLogger('agent').warning('asked')", False),
        ("None", False),
    ],
)
def test_an_agent_that_reads_a_clock_may_answer_otherwise_later(tmp_path: Path, code: str, reads: bool):
    with agent_from(
        tmp_path,
        "import logging\nfrom datetime import datetime\nfrom time import time as now\nbegun = now()\n"
        f"def choose(board, side, moves):\n    {code}\n    return moves[0]",
    ) as agent:
        assert ask_all(TICTACTOE, agent, (Side.FIRST,)).is_certain is not reads


def test_that_a_random_agent_reads_a_clock_is_said(tmp_path: Path):
    with agent_from(
        tmp_path,
        "import random, time\ndef choose(board, side, moves):\n    random.seed(time.time() > 0)\n"
        "    return random.choice(moves)",
    ) as agent:
        answers = ask_all(TICTACTOE, agent, (Side.FIRST,), samples=20)
    assert CLOCKED in verdict_lines(TICTACTOE, judge(TICTACTOE, answers))


def test_a_program_whose_answers_depend_on_what_it_was_asked_before_is_refused(tmp_path: Path):
    answer = "board.index('.') if globals().setdefault('first', board) == '.' * 9 else board.rindex('.')"
    with (
        program_from(tmp_path, ANSWERS.format(answer=answer)) as agent,
        pytest.raises(BadText, match="before it was asked"),
    ):
        ask_all(TICTACTOE, agent, (Side.FIRST,))


def test_an_agent_that_always_answers_the_same_is_asked_a_few_times():
    asked = Counter[Position]()

    def ask(position: Position) -> Reply:
        asked[position] += 1
        return first_legal(position)

    verdict = judge(TICTACTOE, ask_all(TICTACTOE, ask, (Side.FIRST,)))
    assert set(asked.values()) <= {PROBES, PROBES + 1}
    often = f"Asked {PROBES} times in each position, {PROBES * len(asked)} times in all, it always gave the same answer"
    assert often in verdict_lines(TICTACTOE, verdict)


PERFECT = {
    position: [move for move in TICTACTOE.moves(position) if policy[SPACE.edge(position, move)]]
    for policy in [perfect_policy(SPACE)]
    for position in running(TICTACTOE)
}


def erring(share: float, seed: int) -> Callable[[Position], Reply]:
    """An agent that plays perfect moves, and any move in a share of its decisions."""
    random = Random(seed)

    def ask(position: Position) -> Reply:
        moves = TICTACTOE.moves(position) if random.random() < share else PERFECT[position][:1]
        return one_move(random.choice(moves))

    return ask


def results_of_erring(share: float, side: Side) -> Results:
    policy = share * uniform_policy(SPACE)
    for position, moves in PERFECT.items():
        policy[SPACE.edge(position, moves[0])] += 1 - share
    return results(SPACE, side, policy)


@pytest.mark.parametrize("share", [0.02, 0.3])
def test_a_sampled_agent_is_never_called_optimal(share: float):
    verdict = judge(TICTACTOE, ask_all(TICTACTOE, erring(share, 1), (Side.FIRST,), samples=20))
    assert verdict.sampled is not None
    low, high = verdict.sampled.intervals["first"]["best_responder"]["loss"]
    truth = results_of_erring(share, Side.FIRST)
    assert low <= truth.against["best_responder"].loss <= high
    low, high = verdict.sampled.exploitability["first"]
    assert low <= truth.exploitability <= high
    assert verdict.optimal[Side.FIRST] is False
    lines = verdict_lines(TICTACTOE, verdict)
    assert "optimal" not in "\n".join(lines)
    assert f"a loss −1: {low:.2f} to {high:.2f} as X (95 % confidence)" in "\n".join(lines)


@cache
def value(board: tuple[int, ...], side: int) -> int:
    """The value of a board for the side to move, by plain search."""
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    if any(board[one] == board[two] == board[three] != 0 for one, two, three in lines):
        return -1
    return max((-value(with_piece(board, side, move), 3 - side) for move in range(9) if not board[move]), default=0)


def with_piece(board: Sequence[int], side: int, move: int) -> tuple[int, ...]:
    return tuple(side if square == move else piece for square, piece in enumerate(board))


ERRING = {
    (0.3, "first", "best_responder"): 0.413,
    (0.3, "first", "perfect"): 0.351,
    (0.3, "second", "best_responder"): 0.580,
    (0.3, "second", "perfect"): 0.519,
    (0.002, "first", "best_responder"): 0.0032,
}
"""By another program: how often an agent loses that plays any move in a share of its turns, else the first best one."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("share", sorted({share for share, *_ in ERRING}, reverse=True))
def test_an_agent_that_seldom_errs_is_not_optimal_and_loses_as_another_program_says(share: float):
    def probabilities(position: Position) -> Reply:
        board, side, moves = cells_of(position), TICTACTOE.side(position) + 1, TICTACTOE.moves(position)
        best = max(moves, key=lambda move: -value(with_piece(board, side, move), 3 - side))
        return Reply({move: share / len(moves) + (1 - share) * (move == best) for move in moves})

    verdict = judge(TICTACTOE, ask_all(TICTACTOE, probabilities))
    assert verdict.optimal == dict.fromkeys(Side, False)
    for (known, side, opponent), loss in ERRING.items():
        if known == share:
            assert verdict.scores[side].against[opponent].loss == pytest.approx(loss, rel=0.01)


def test_an_agent_whose_sampled_answers_are_perfect_may_still_err():
    random = Random(1)

    def ask(position: Position) -> Reply:
        return one_move(random.choice(PERFECT[position]))

    verdict = judge(TICTACTOE, ask_all(TICTACTOE, ask, (Side.SECOND,), samples=50))
    assert verdict.optimal[Side.SECOND] is None
    (line, *_) = verdict_lines(TICTACTOE, verdict)
    assert (
        line == "As O no loss seen in 50 answers a position; it loses at most 7.1 % of the games, with 95 % confidence"
    )


@pytest.mark.long
def test_an_agent_that_draws_random_numbers_is_sampled_even_if_its_answers_never_differ():
    def choose(board, side, moves):  # noqa: ARG001
        Random().random()
        return moves[0] if random_module.random() >= 0 else moves[1]

    verdict = judge(TICTACTOE, ask_all(TICTACTOE, local_agent(choose, TICTACTOE), samples=20))
    assert verdict.sampled is not None
    assert verdict.sampled.positions == 0
    assert None not in verdict.optimal.values() or "optimal" not in "".join(verdict_lines(TICTACTOE, verdict))


class Draws:
    """Holds a generator of its own, from which it draws without any use of the numbers."""

    def __init__(self, generator: object = None) -> None:
        self.generator = np.random.RandomState(1) if generator is None else generator

    def choose(self, board, side, moves):
        self.generator.normal()
        return moves[0]


@pytest.mark.parametrize("game", [TICTACTOE, parse_game("notakto")], ids=str)
def test_a_list_with_one_pair_is_a_row_and_a_column(game: Game):
    assert read_reply([[0, 2]], game, game.start) == read_reply([0, 2], game, game.start)


@pytest.mark.parametrize("agent", [Draws, Draws(), Draws(np.random.default_rng(1))], ids=["class", "older", "numpy"])
def test_numbers_that_an_agent_draws_from_its_own_generator_are_noticed(agent: object):
    asked = local_agent(agent, TICTACTOE)
    assert not asked.has_drawn()
    asked(TICTACTOE.start)
    assert asked.has_drawn()


# Answers of Python objects.


@pytest.mark.parametrize(
    "answer",
    [4, "b2", np.int64(4), (1, 1), {4: 1.0}, {"b2": 1}, [0, 0, 0, 0, 1, 0, 0, 0, 0], np.eye(9)[4], {"4": 0.9999}],
)
def test_a_reply_is_a_move_or_probabilities(answer: object):
    reply = read_reply(answer, TICTACTOE, TICTACTOE.start)
    assert reply is not None
    assert dict(reply.chances) == {4: pytest.approx(1.0)}
    assert not reply.illegal


@pytest.mark.parametrize(
    "answer", ["hello", {"b2": 0.5}, [1.0, 1.0], {"b2": "much"}, {"b2": float("nan")}, True, object()]
)
def test_a_reply_that_is_neither_is_refused(answer: object):
    with pytest.raises(BadText):
        read_reply(answer, TICTACTOE, TICTACTOE.start)


def test_probabilities_keep_the_share_of_illegal_moves():
    reply = read_reply({"b2": 0.75, 11: 0.25}, TICTACTOE, TICTACTOE.start)
    assert reply == Reply({4: 0.75}, ("11",))


AGENTS = r"""
import os, sys, time
import helper
def spread(board, side, moves): return helper.pick(moves)
def whole(position): return position.moves[0]
class Agent:
    def __call__(self, position): return {move: 1 / len(position.moves) for move in position.moves}
    def act(self, observation, action_mask):
        assert observation.shape == (3, 3, 2) and observation.sum() == (action_mask == 0).sum()
        return int(action_mask.argmax())
agent = Agent()
class Nested: choose = staticmethod(whole)
def crash(board, side, moves): raise RuntimeError("out of ideas")
def strange(board, side, moves): return "hello"
def leave(board, side, moves): raise SystemExit(3)
def exit_at_once(board, side, moves): os._exit(side)
def kill(board, side, moves): os.kill(os.getpid(), 9)
def hang(board, side, moves):
    while True: pass
def lines(board, side, moves): raise RuntimeError("one\ntwo\nthree")
def read(board, side, moves): return input()
def long(board, side, moves): return {str(number): 0.0005 for number in range(1000, 3000)}
count = 100
def counted(board, side, moves):
    global count
    count += 1
    return count
def slow(board, side, moves):
    time.sleep(0.3)
    return counted(board, side, moves)
print("imported")
"""


@pytest.fixture
def agents(tmp_path: Path) -> str:
    (tmp_path / "agents_of_a_test.py").write_text(AGENTS)
    (tmp_path / "helper.py").write_text("def pick(moves): return moves[0]")
    return str(tmp_path / "agents_of_a_test.py")


@pytest.mark.parametrize("name", ["spread", "whole", "agent", "Nested.choose"])
def test_a_python_object_is_asked(agents: str, name: str, capfd: pytest.CaptureFixture[str]):
    with python_agent(f"{agents}:{name}", TICTACTOE) as ask:
        reply = ask(TICTACTOE.start)
    assert reply is not None
    assert reply.chances[0] == 1
    assert capfd.readouterr() == ("", "imported\n")  # so that --json prints one document


def test_a_module_of_the_current_folder_is_found_last(agents: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(Path(agents).parent)
    with python_agent("agents_of_a_test:whole", TICTACTOE) as ask:
        assert ask(TICTACTOE.start) == one_move(0)
    for name in ("engine", "colorsys"):
        Path(f"{name}.py").write_text("def choose(position): return 0")
        with pytest.raises(BadText, match=f"no 'choose' in {name}"), python_agent(f"{name}:choose", TICTACTOE):
            pass


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("crash", "RuntimeError: out of ideas"),
        ("leave", "SystemExit: 3"),
        ("strange", "answers 'hello'"),
        ("exit_at_once", "ended without an answer in .*: it ended with exit code 1"),
        ("kill", "ended without an answer in .*: it was killed by signal 9"),
        ("lines", "RuntimeError: one two three"),
        ("read", "EOFError"),
        ("long", "answers more than 10,000 characters in .../.../... X"),
        ("nothing", "no 'nothing'"),
        ("count", "int is not an agent"),
    ],
)
def test_a_python_object_that_fails_says_why(agents: str, name: str, message: str):
    with pytest.raises(BadText, match=message) as error, python_agent(f"{agents}:{name}", TICTACTOE) as ask:
        ask(TICTACTOE.start)
    assert len(str(error.value).splitlines()) <= 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import os; os._exit(4)", "cannot be imported: it ended with exit code 4"),
        ("raise KeyboardInterrupt", "cannot be imported: KeyboardInterrupt"),
        ("raise SystemExit", "ends when it is imported"),
        ("a = {'.........': 4}; b = input()", "asks for input when it is imported"),
        ("from .board import lines", r"as in part\.agent:NAME, in .*above"),
        ("import beside_part", "it is in .*above: begin there"),
    ],
)
def test_an_import_that_fails_is_reported(tmp_path: Path, code: str, message: str):
    place = tmp_path / "above" / "part"
    place.mkdir(parents=True)
    (place.parent / "beside_part.py").touch()
    (place / "agent.py").write_text(code)
    with pytest.raises(BadText, match=message), python_agent(f"{place}/agent.py:a", TICTACTOE, 0.5):
        pass


@pytest.mark.parametrize(
    "play",
    [
        "while True: choose((), 1, [int(input())])",
        "raise SystemExit",
        "while True:\n    try: square = int(input())\n    except: print('once more')",
    ],
)
def test_a_file_that_begins_to_play_is_judged_by_what_stands_above(tmp_path: Path, play: str):
    (tmp_path / "agent.py").write_text(f"def choose(board, side, moves): return moves[0]\n{play}\ndef later(): pass\n")
    with python_agent(f"{tmp_path}/agent.py:choose", TICTACTOE) as agent:
        assert agent(TICTACTOE.start) == one_move(0)
    assert [each for each in agent.notes if "when it is imported: what stands below that was not run" in each]
    with pytest.raises(BadText, match="when it is imported, so"), python_agent(f"{tmp_path}/agent.py:later", TICTACTOE):
        pass


@pytest.mark.parametrize(("seed", "noted"), [(None, True), ("0", False)])
def test_that_hashes_of_texts_differ_from_run_to_run_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: str | None, noted: bool
):
    if seed is None:
        monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    else:
        monkeypatch.setenv("PYTHONHASHSEED", seed)
    with agent_from(tmp_path, "def choose(board, side, moves): return moves[hash(str(board)) % len(moves)]") as agent:
        assert any("hash()" in note for note in agent.notes) is noted


def test_a_file_can_import_the_modules_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "part").mkdir()
    (tmp_path / "current_rules.py").write_text("def last(moves): return moves[-1]")
    (tmp_path / "part" / "agent.py").write_text(
        "from current_rules import last\ndef choose(position): return last(position.moves)"
    )
    monkeypatch.chdir(tmp_path)
    with python_agent("part/agent.py:choose", TICTACTOE) as ask:
        assert ask(TICTACTOE.start) == one_move(8)


@pytest.mark.parametrize("python", [None, sys.executable])
def test_the_modules_of_an_agent_can_have_the_names_of_ours(tmp_path: Path, python: str | None):
    ours = sorted(each.stem for each in Path(child.__file__).parent.glob("[!_]*.py"))
    assert len(ours) > 10
    for name in ours:
        (tmp_path / f"{name}.py").write_text(f"name = {name!r}")
    lines = [f"import {', '.join(ours)}", "def choose(position):"]
    lines += [f"    return position.moves[-1] if [{', '.join(f'{name}.name' for name in ours)}] == {ours} else 99"]
    (tmp_path / "agent.py").write_text("\n".join(lines))
    with python_agent(f"{tmp_path}/agent.py:choose", TICTACTOE, python=python) as ask:
        assert ask(TICTACTOE.start) == one_move(8)


def test_a_python_object_is_asked_in_batches_but_not_more_often_than_needed(agents: str):
    with python_agent(f"{agents}:counted", TICTACTOE) as ask:
        numbers = [
            int(reply.illegal[0])
            for times in (3, 100, 3)
            for reply, count in ask.ask_many(TICTACTOE.start, times, ())
            for _ in range(count)
            if reply is not None
        ]
    assert numbers == list(range(numbers[0], numbers[0] + 106))


@pytest.mark.long
def test_the_time_limit_of_a_python_object_is_that_of_one_answer(agents: str):
    with python_agent(f"{agents}:slow", TICTACTOE, 2) as ask:
        assert sum(count for _, count in ask.ask_many(TICTACTOE.start, 10, ())) == 10


@pytest.mark.long
def test_a_busy_python_object_ends_with_the_program(agents: str):
    code = f"""
from engine.games import GAMES
from lab.judging.agents.python_agent import local_agent, python_agent
with python_agent({agents!r} + ":hang", GAMES[0], 600) as ask:
    print(flush=True)
    ask(GAMES[0].start)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], stdout=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        program.stdout.readline()
        (child,) = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
        program.kill()
    status = Path(f"/proc/{child}/status")
    wait_until(lambda: not status.exists() or "(zombie)" in status.read_text())


def test_an_agent_of_two_arguments_gets_an_observation_and_a_configuration():
    """The form of Kaggle's environments, as attributes and as items."""
    seen = []

    def agent(obs, config):
        seen.append((obs.board, obs["mark"], config.columns, config["inarow"]))
        return next(c for c in range(config.columns) if obs.board[c] == 0)

    assert local_agent(agent, TICTACTOE)(HERE) == one_move(2)
    assert seen == [([1, 2, 0, 0, 1, 0, 0, 0, 0], 2, 3, 3)]
    connect = parse_game("connectfour")
    assert local_agent(agent, connect)(connect.start) == one_move(0)


class Ordered:
    """A policy in the form of OpenSpiel's, and a game and states for it; it looks at the order of the first moves."""

    def __init__(self, *, ordered: bool) -> None:
        self.ordered = ordered
        self.game = self

    def new_initial_state(self):
        moves: list[int] = []
        legal = lambda: [move for move in range(9) if move not in moves]  # noqa: E731
        return SimpleNamespace(moves=moves, apply_action=moves.append, legal_actions=legal)

    def action_probabilities(self, state: SimpleNamespace) -> dict[int, float]:
        late = self.ordered and len(state.moves) == 3 and state.moves[0] > state.moves[2]
        return {state.legal_actions()[-late]: 1.0}


class OneSided:
    """A bot of OpenSpiel's for one player: where the other is to move, its step is −1, and its policy empty."""

    def __init__(self, side: Side, *, provides: bool) -> None:
        self.game, self.side, self.provides = Ordered(ordered=False), side, provides

    def provides_policy(self) -> bool:
        return self.provides

    def get_policy(self, state: SimpleNamespace) -> dict[int, float]:
        return {state.legal_actions()[0]: 1.0} if len(state.moves) % 2 == self.side else {}

    def step(self, state: SimpleNamespace) -> int:
        return next(iter(self.get_policy(state)), -1)


@pytest.mark.parametrize("provides", [False, True])
@pytest.mark.parametrize("side", [*Side])
def test_a_bot_for_one_player_is_judged_as_that_side_alone(side: Side, provides: bool):
    agent = local_agent(OneSided(side, provides=provides), TICTACTOE)
    assert agent.sides == (side,)
    assert "gives no move" in agent.notes[0]
    with pytest.raises(BadText, match=f"add --side {TICTACTOE.mark(side)}"):
        local_agent(OneSided(side, provides=provides), TICTACTOE, sides=(side.other,))


@pytest.mark.usefixtures("asked_briefly")
def test_a_policy_that_depends_on_the_order_of_the_moves_is_judged_on_histories():
    one = ask_all(TICTACTOE, local_agent(Ordered(ordered=False), TICTACTOE), (Side.SECOND,))
    assert (one.histories, one.samples) == (None, 1)
    two = ask_all(TICTACTOE, local_agent(Ordered(ordered=True), TICTACTOE), (Side.SECOND,))
    assert two.histories is not None
    verdict = judge(TICTACTOE, two)
    assert "Its answers depend on the order of the moves" in "".join(verdict_lines(TICTACTOE, verdict))


class Orders(Ordered):
    """It plays perfectly, but for one order of the first moves of X: there it plays the worst move."""

    def action_probabilities(self, state: SimpleNamespace) -> dict[int, float]:
        board = [0] * 9
        for ply, move in enumerate(state.moves):
            board[move] = 1 + ply % 2
        side = 1 + len(state.moves) % 2
        worst = len(state.moves) == 5 and (state.moves[0] > state.moves[2]) == self.ordered
        key = min if worst else max
        return {key(state.legal_actions(), key=lambda move: -value(with_piece(board, side, move), 3 - side)): 1.0}


@pytest.mark.long
@pytest.mark.parametrize("ordered", [False, True])
def test_a_policy_that_blunders_after_one_order_of_the_moves_loses_every_game_to_its_best_responder(ordered: bool):
    verdict = judge(TICTACTOE, ask_all(TICTACTOE, local_agent(Orders(ordered=ordered), TICTACTOE), (Side.SECOND,)))
    assert verdict.answers.histories is not None
    assert verdict.optimal == {Side.SECOND: False}
    assert verdict.scores["second"].against["best_responder"].loss == pytest.approx(1)


def test_an_object_that_is_no_agent_is_refused():
    with pytest.raises(BadText, match="is not an agent"):
        local_agent(SimpleNamespace(), TICTACTOE)


# Programs.


ANSWERS = """
for line in sys.stdin:
    board = line.split()[0].replace("/", "")
    print({answer})
"""


@pytest.mark.parametrize(
    "answer",
    ["board.index('.')", "f'{board.index(\".\")}=1.0'", "'abc'[board.index('.') % 3] + str(3 - board.index('.') // 3)"],
)
def test_a_program_answers_line_by_line(tmp_path: Path, answer: str):
    with program_from(tmp_path, ANSWERS.format(answer=answer)) as ask:
        verdict = judge(TICTACTOE, ask_all(TICTACTOE, ask))
    assert verdict.answers.asked == 74 + 158
    assert not verdict.answers.illegal


def test_a_program_that_ends_after_each_answer_is_started_again(tmp_path: Path):
    with program_from(tmp_path, "print(input().split()[0].replace('/', '').index('.'))") as ask:
        for text, move in (("X../.../... O", 1), ("XO./.../... X", 2), ("XOX/.../... O", 3)):
            assert ask(TICTACTOE.from_text(text)) == one_move(move)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("input(); sys.exit(3)", "exit code 3"),
        ("input(); import os; os.kill(os.getpid(), 9)", "killed by signal 9"),
        ("input(); print('hello')", "answers 'hello'"),
        ("input(); print('x' * 20_000)", "more than 10,000 characters"),
        ("sys.exit()", "exit code 0"),
    ],
)
def test_a_program_that_fails_says_why(tmp_path: Path, code: str, message: str):
    with pytest.raises(AgentFailed, match=message), program_from(tmp_path, code) as ask:
        ask(TICTACTOE.start)


def test_a_program_is_found_by_its_path_or_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    script = tmp_path / "agent.sh"
    script.write_text("#!/bin/sh\n")
    monkeypatch.chdir(tmp_path)
    assert command_of("./agent.sh") is None  # not to be executed
    script.chmod(0o755)
    assert command_of("./agent.sh --fast 'a b'") == [str(script), "--fast", "a b"]
    assert command_of("sh -c true") is not None
    assert command_of("no-such-program-at-all") is None
    assert command_of("'") is None


# Files.


@cache
def table() -> dict[Position, Mapping[int, float]]:
    """Uniform play, by position."""
    moves_of = {position: TICTACTOE.moves(position) for position in running(TICTACTOE)}
    return {position: dict.fromkeys(moves, 1 / len(moves)) for position, moves in moves_of.items()}


@cache
def cells_of(position: Position) -> list[int]:
    pieces = TICTACTOE.board.pieces
    return [0 if piece is None else pieces.index(piece) + 1 for piece in TICTACTOE.board.cells(position)]


@pytest.mark.long
@pytest.mark.parametrize("name", ["rows.csv", "no header.csv", "tables.json"])
def test_a_policy_with_several_moves_in_a_position_is_read(tmp_path: Path, name: str):
    each = [(TICTACTOE.to_text(at), move, chance) for at, moves in table().items() for move, chance in moves.items()]
    texts = {
        "rows.csv": "\n".join(f"{where},{TICTACTOE.move_name(move)},{chance}" for where, move, chance in each),
        "no header.csv": "\n".join(f"{where},{move},{chance}" for where, move, chance in each),
        "tables.json": json.dumps({"policy": {str(tuple(cells_of(at))): moves for at, moves in table().items()}}),
    }
    (tmp_path / name).write_text("position,move,probability\n" * (name == "rows.csv") + texts[name])
    read = read_policy(tmp_path / name, TICTACTOE)
    assert ask_all(TICTACTOE, read.replies.get).policy == pytest.approx(uniform_policy(SPACE))
    assert not [note for note in read.notes if "reach" in note]


def test_positions_that_are_over_or_out_of_reach_are_left_out(tmp_path: Path):
    path = tmp_path / "p.csv"
    path.write_text("position,move\n.../.../... X,b2\nXXX/OO./... O,b2\nXXX/XXX/... O,b2\n")
    read = read_policy(path, TICTACTOE)
    assert list(read.replies) == [TICTACTOE.start]
    assert read.notes == (
        "1 position that play cannot reach was left out",
        "1 position in which the game is over was left out",
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.csv", "", "it is empty"),
        ("p.csv", "a,b,c,d\n1,2,3,4", "no column 'position'"),
        ("p.csv", "position,move,probability\nXO,b2,1", "row 1: 'XO' is not a position"),
        ("p.csv", "position,move,probability\n.../.../... X,b2,1.5", "not a probability"),
        ("p.csv", "position,move,probability\n.../.../... X,b2,0.5", "sum to 0.5"),
        ("p.csv", "position,move,probability\n.../.../... X,hello,1", "not a move of Tic-tac-toe"),
        ("p.csv", "position,move,probability\n.../.../... X,b2,much", "not a number"),
        ("p.csv", "position,move,probability\n.../.../... X", "too few columns"),
        ("p.csv", "position,move\nXXX/OO./... O,b2", "policy of another game"),
        ("p.json", '{"---------": 0, "X--------": 0, "XO-------": 1}', "only 1 of its 3 rows have a legal move"),
        ("p.json", "[]", "it is empty"),
        ("p.json", "{", "line 1"),
        ("p.json", '[{"board": "000000000", "player": [1], "move": 4}]', r"row 1: '\[1\]' is not a side"),
        ("p.json", '{".../.../... X": {"b2": 1e999}}', "larger than any number"),
        ("p.json", '{".../.../... X": {"b2": NaN}}', "NaN"),
        ("p.json", "[" * 100, "nested"),
        ("p.json", '{".../.../... X": {"b2": Infinity}}', "'Infinity' is infinite"),
        ("p.json", '{".../.../... X": {"b2": "NaN"}}', "'NaN' is not a number"),
        ("p.json", '{".../.../... X": [0.5, 0.5, 0]}', "must have 9 of them, not 3"),
        (
            "p.json",
            '[{"board": "---------", "move": [0, 0, 0, 0, 1]}, {"board": "X--------", "move": [0, 0, 0, 0, 1]}]',
            "row 2 does not fit",
        ),
        ("p.json", '[{"board": "---------", "move": [0.5, 0.5, 0]}]', "row 1: a list with a number for each move"),
        ("p.json", '[{"board": "---------", "move": [0, 0, 0, 0, 1, 0, 0, 0, "x"]}]', "row 1: 'x' is not a number"),
        ("p.json", '{".../.../... X": [4, "X"]}', "no list of numbers: write a move of Tic-tac-toe as in a3"),
        ("p.csv", f"board,move\n.........,{'9' * 200_000}", "line 2: field larger than field limit"),
        ("p.csv", f"board,0\n.........,{'9' * 400}", "infinite"),
        ("p.csv", "board,0\n.........,nan", r"'nan' is not a number \(NaN\)"),
        ("p.csv", "board,foo\n.........,5", "'foo' is not the name of a move\nCall the column with the move 'move'"),
        ("p.csv", "board,0,foo\n.........,1,5", "'foo' is not the name of a move"),
        ("p.csv", "board,0,move\n.........,1,5", "both columns of moves"),
        ("p.csv", "board,my_move,best_move\n.........,1,5", "may both be the move"),
        ("p.csv", "board\n.........", "no column with a move"),
        ("p.csv", "board,move\n⬛⬛⬛⬛⬛⬛⬛⬛⬛,b2", "is not a position of"),
        ("p.csv", "board,move,move\n.........,1,5", "two columns are called 'move'"),
        ("p.csv", "board,move\n.........,1,5", "row 1 has more columns than the header"),
        ("p.csv", "board,move,points\n.........,0,3\n.........,4,1", "'points' may count them"),
        ("p.csv", "board,0,1\n.........,1,0\n.........,0,1", "row 1 and row 2 are the same position"),
        ("p.csv", "board,move,q\n.........,b2,1\n.........,B2,0", "b2 is given twice"),
        ("p.csv", "board,move,q\n.........,0,1\n.........,9,2", "none of its moves is legal"),
        ("p.csv", "board,move,count\n.........,0,-1\n.........,4,2", "is negative"),
        ("p.csv", "board,move,count\n.........,0,1e308\n.........,4,1e308", "too large to be added up"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str, text: str, message: str):
    (tmp_path / name).write_text(text)
    with pytest.raises(BadText, match=message) as error:
        read_policy(tmp_path / name, TICTACTOE)
    assert len(str(error.value).splitlines()) <= 3


@pytest.mark.parametrize(
    ("text", "values", "chances", "words"),
    [
        ('{"---------": [4, 0, 0, 0, 4, 0, 0, 0, 0]}', False, {0: 0.5, 4: 0.5}, "counts"),
        ('{"---------": {"a3": 3, "b2": 1}}', False, {0: 0.75, 4: 0.25}, "counts"),
        ('{"---------": [1, 0, 0, 0, 0, 0, 0, 0, 0]}', False, {0: 1}, "probabilities"),
        ('{"---------": [4, 0, 0, 0, 4, 0, 0, 0, 5]}', True, {8: 1}, "values of moves"),
        ('{"---------": {"(1, 1)": 0.2, "(3, 3)": 0.9}}', True, {8: 1}, "squares from 1"),
        ('{"---------": {"(0, 0)": 0.2, "(2, 2)": 0.9}}', True, {8: 1}, "squares from 0"),
        ("board,move\n---------,0\n---------,0\n---------,4", False, {0: 2 / 3, 4: 1 / 3}, "squares from 0"),
        ("board,optimal_move\n---------,9", False, {8: 1}, "squares from 1"),
        ("board,decision\n---------,9", False, {8: 1}, "squares from 1"),
        ("board\tAction\n---------\tc1", False, {8: 1}, "moves"),
        ("board,move,beads\n---------,0,3\n---------,4,1", False, {0: 0.75, 4: 0.25}, "counts"),
        ('{"(np.int64(0)' + ", np.int64(0)" * 8 + ')": 0}', False, {0: 1}, "squares from 0"),
        ('{"---------": [[0, 0.25], [8, 0.75]]}', False, {0: 0.25, 8: 0.75}, "squares from 0"),
        ('{"0": {"state": "---------", "action": 0}}', False, {0: 1}, "squares from 0"),
        ('{"state": {"0": "---------"}, "action": {"0": 0}}', False, {0: 1}, "squares from 0"),
        (",board,0,4\n7,---------,1,0", False, {0: 1}, "squares from 0"),
    ],
)
def test_how_a_file_was_read_is_said(tmp_path: Path, text: str, values: bool, chances: dict[int, float], words: str):
    path = tmp_path / ("p.json" if text.startswith("{") else "p.tsv")
    path.write_text(text)
    read = read_policy(path, TICTACTOE, VALUES if values else USUAL_READING)
    assert dict(read.replies[TICTACTOE.start].chances) == pytest.approx(chances)
    assert words in read.convention


def test_a_list_of_all_boards_is_read_with_those_of_play(tmp_path: Path):
    path, game = tmp_path / "p.csv", parse_game("mnk:3,2,2")
    boards = map("".join, product("012", repeat=6))
    path.write_text("\n".join(["board,move", *(f"{each},{each.find('0')}" for each in boards if "0" in each)]))
    read = read_policy(path, game, form="x-first")
    assert ask_all(game, read.replies.get).missing == ()
    assert "that play cannot reach were left out" in read.notes[0]


# Policies that are kept.


def test_a_fixed_policy_plays_the_probabilities_that_it_was_given():
    for policy in (uniform_policy(SPACE), perfect_policy(SPACE), np.zeros(len(SPACE.move))):
        kept = fixed_policy(TICTACTOE, policy)
        assert kept.policy() == pytest.approx(policy, abs=1e-8)
        for side in Side:
            assert chances_as(SPACE, side, kept.policy(), kept.policy()).draw == pytest.approx(
                chances_as(SPACE, side, policy, policy).draw, abs=1e-8
            )
    with pytest.raises(BadText, match="does not learn"):
        kept.train(1)
    assert kept.choose(TICTACTOE.start, Random(1)).move is None


# Agents of other libraries, where they are installed.


def test_an_open_spiel_policy_is_judged():
    spiel = pytest.importorskip("pyspiel")
    policies: Any = pytest.importorskip("open_spiel.python.policy")
    policy = policies.UniformRandomPolicy(spiel.load_game("tic_tac_toe"))
    answers = ask_all(TICTACTOE, local_agent(policy, TICTACTOE))
    assert answers.policy == pytest.approx(uniform_policy(SPACE))


def test_an_open_spiel_policy_of_connect_four_is_asked_in_any_position():
    spiel = pytest.importorskip("pyspiel")
    policies: Any = pytest.importorskip("open_spiel.python.policy")
    game = parse_game("connectfour")
    choose = local_agent(policies.UniformRandomPolicy(spiel.load_game("connect_four")), game)
    for known in known_positions(game)[::40]:
        moves = game.moves(known.position)
        assert dict(choose(known.position).chances) == pytest.approx(dict.fromkeys(moves, 1 / len(moves)))


@pytest.mark.parametrize("name", ["connectfour", "mnk:5,5,4"])
def test_moves_that_place_the_pieces_of_a_position_are_found(name: str):
    game, random = parse_game(name), Random(1)
    assert isinstance(game, GridGame)
    for _ in range(20):
        match = Match(game)
        while match.outcome is None:
            match.play(random.choice(game.moves(match.position)))
        match.take_back()
        found = Match(game)
        for move in histories._placing_moves(game, match.position, random):
            found.play(move)
        assert found.position == match.position


def test_an_agent_of_petting_zoo_sees_what_its_environment_shows():
    zoo: Any = pytest.importorskip("pettingzoo.classic.tictactoe_v3")
    seen: list[np.ndarray] = []
    agent = SimpleNamespace(act=lambda observation, mask: seen.extend((observation, mask)) or 0)
    match, env = Match(TICTACTOE), zoo.env()
    env.reset()
    for move in (1, 4, 0, 5, 8):
        match.play(move)
        env.step(move)
        local_agent(agent, TICTACTOE)(match.position)
        shown = env.observe(env.agent_selection)
        assert np.array_equal(seen[-2], shown["observation"])
        assert np.array_equal(seen[-1], shown["action_mask"])


def test_wins_that_an_optimal_agent_gives_away_are_counted():
    @cache
    def worth(position: Position) -> int:
        """The worth for the side to move."""
        outcome = TICTACTOE.outcome(position)
        if outcome is not None:
            return 0 if outcome is Outcome.DRAW else -1
        return max(-worth(TICTACTOE.play(position, move)) for move in TICTACTOE.moves(position))

    given = set[Position]()

    def draws(position: Position) -> Reply:
        worths = {move: -worth(TICTACTOE.play(position, move)) for move in TICTACTOE.moves(position)}
        move = next((move for move, each in worths.items() if each == 0), max(worths, key=lambda each: worths[each]))
        given.update([position] if max(worths.values()) == 1 > worths[move] else [])
        return one_move(move)

    verdict = judge(TICTACTOE, ask_all(TICTACTOE, draws))
    assert False not in verdict.optimal.values()
    assert verdict.wins_given_away == len(given) > 0


@pytest.mark.parametrize("ordered", [False, True])
def test_an_agent_of_a_large_game_is_asked_after_a_second_order_of_the_moves(ordered: bool):
    game = parse_game("connectfour")

    def reply(position: Position, moves: Sequence[Move]) -> Reply:
        return Reply(
            {game.moves(position)[-1 if ordered and len(moves) < 6 and moves[:1] > (2,) else 0]: 1.0}, single=True
        )

    agent = Agent(
        lambda position, times, moves: [(reply(position, moves), times)],
        by_history=True,
        ask_seeded=lambda position, orders, _: [reply(position, each) for each in orders],
    )
    player = AskedAgent(game, agent)
    play_samples(player, opponents=["random"], games=10)
    if ordered:
        with pytest.raises(BadText, match="depends on the order of moves"):
            player.is_compared()
    else:
        assert player.is_compared()


def test_an_agent_that_answers_with_probabilities_plays_by_them():
    game = parse_game("connectfour")
    first, *others = game.moves(game.start)
    agent = AskedAgent(game, agent_of(lambda _: Reply({first: 0.75, others[0]: 0.25})))
    random = Random(1)
    moves = Counter(agent.choose(game.start, random).move for _ in range(1000))
    assert set(moves) == {first, others[0]}
    assert abs(moves[first] - 750) < 4 * (1000 * 0.75 * 0.25) ** 0.5
    assert agent.asked == 1000


def test_an_agent_resigns_where_its_answer_is_illegal_or_missing():
    game = parse_game("connectfour")
    start, random = game.start, Random(1)
    illegal = AskedAgent(game, agent_of(lambda _: Reply({}, ("9",), single=True)))
    missing = AskedAgent(game, agent_of(lambda _: None))
    for agent in (illegal, missing):
        assert agent.choose(start, random).move is None
        assert agent.choose(start, random).move is None
    assert list(illegal.illegal.values()) == [IllegalMoves(start, ("9",))]
    assert (list(missing.missing), missing.illegal) == ([start], {})
    at_times = AskedAgent(game, agent_of(lambda _: Reply({3: 0.5}, ("9",))))
    assert {at_times.choose(start, random).move for _ in range(50)} == {3, None}
