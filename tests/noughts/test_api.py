"""The public Python API: its names, what it returns, and what it imports."""

import inspect
import json
import pickle
import re
import signal
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path

import numpy as np
import pytest

import noughts as nt
from engine.evaluate import scoreboard
from engine.games import parse_game
from lab.text.numbers import percent_text
from learners import parse_player
from learners.core.training import TrainingPlan, run
from learners.menace.learner import Menace
from saves.backups import Backups
from saves.errors import NameTaken
from saves.paths import library_path
from tests.tui.terminal import ROOT

SIGNATURES = {
    "Machine": "learner",
    "env": "game=tictactoe render_mode=None",
    "game": "name=tictactoe",
    "games": "",
    "judge": "agent game=None *side=None *samples=None *form=None *numbers=chances",
    "learner": "name game=tictactoe *preset=None *seed=None **settings",
    "learners": "game=None",
    "load": "name",
    "play": "first second game=None *seed=None",
    "race": "entrants=() game=tictactoe *games=None *seeds=None *seed=1 *progress=None",
    "saves": "",
    "solve": "position=None game=tictactoe",
    "state": "game=tictactoe",
    "teach": "name game=tictactoe *preset=None *side=None *seconds=60.0 **settings",
}
METHODS = {
    "curve": "self against=best_responder",
    "draw": "self position=None",
    "numbers": "self position=None",
    "policy": "self position=None",
    "results": "self",
    "save": "self name *replace=False",
    "why": "self position move *without=None",
    "train": "self rounds=None against=None *progress=None",
}


def signature_text(function: Callable[..., object]) -> str:
    """The parameters with their defaults; `*` before those that need their name."""
    stars = {inspect.Parameter.KEYWORD_ONLY: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return " ".join(
        f"{stars.get(each.kind, '')}{each.name}" + ("" if each.default is each.empty else f"={each.default}")
        for each in inspect.signature(function).parameters.values()
    )


@pytest.fixture(autouse=True)
def _library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_LIBRARY", str(tmp_path / "library.sqlite"))


@pytest.fixture(scope="module", name="menace")
def _menace() -> nt.Machine:
    return nt.learner("menace", preset="michie", seed=1).train(200, against="random")


def first(board, side, moves):  # noqa: ARG001  by these names it is asked at once
    return moves[0]


def test_names_and_signatures_stay():
    assert dir(nt) == sorted(SIGNATURES) == sorted(nt.__all__)
    for name in SIGNATURES.keys() - {"env"}:
        assert signature_text(getattr(nt, name)) == SIGNATURES[name], name
    for name, signature in METHODS.items():
        assert signature_text(getattr(nt.Machine, name)) == signature, name
    with pytest.raises(AttributeError, match="sovle"):
        nt.sovle  # noqa: B018


def test_no_module_has_a_public_name():  # once imported, it would hide the function
    assert not {path.stem for path in Path(nt.__file__).parent.iterdir()} & {*nt.__all__}


def test_importing_it_imports_nothing_else():
    code = "import sys; import noughts; print(sorted({m.partition('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in ("numpy", "numba", "textual", "rich", "click", "engine", "sqlite3"):
        assert f"'{name}'" not in loaded


def test_a_machine_is_what_the_learner_is(menace: nt.Machine):
    learner = Menace(parse_game("tictactoe"), "michie", 1)
    learner.set_opponent(parse_player("random", learner.game))
    list(run(learner, TrainingPlan(200)))
    assert menace.rounds == 200
    assert (menace.learner.memory == learner.memory).all()
    assert menace.results().results == scoreboard(learner.space, learner.policy(), learner.sides)
    assert menace.statistics == learner.stats()


def test_the_curve_ends_with_the_results(menace: nt.Machine):
    rounds, losses = menace.curve("perfect")
    assert rounds.tolist() == [1, 2, 5, 10, 20, 50, 100, 200]
    assert losses.dtype == np.float64
    assert losses[-1] == menace.results()["first"]["perfect"].loss
    with pytest.raises(ValueError, match="best_responder"):
        menace.curve("nobody")


def test_a_policy_is_named_moves_with_chances(menace: nt.Machine):
    policy = menace.policy("X../.O./... X")
    assert set(policy) == set(menace.numbers("X../.O./... X")) == {"b3", "c3", "a2", "c2", "a1", "b1", "c1"}
    assert sum(policy.values()) == pytest.approx(1)
    assert menace.policy() == menace.policy("... / ... / ... X".replace(" / ", "/"))
    with pytest.raises(ValueError, match="over"):
        menace.policy("XXX/OO./... O")
    with pytest.raises(ValueError, match="as many as"):
        menace.policy("XXX/XXX/XXX X")


def test_settings_and_opponents_are_checked():
    machine = nt.learner("menace", seed=1, win=5)
    assert (machine.settings["win"], machine.settings["draw"]) == (5, 1)
    assert repr(machine).startswith("<menace:steady+win=5, tictactoe")
    with pytest.raises(ValueError, match="win"):
        nt.learner("menace", win="many")
    assert nt.learner("menace:michie").learner.preset == "michie"
    with pytest.raises(ValueError, match="menance"):
        nt.learner("menance")
    with pytest.raises(ValueError, match="leave out preset='steady'"):
        nt.learner("menace:michie", preset="steady")
    with pytest.raises(ValueError, match="nobody"):
        nt.learner("menace").train(1, against="nobody")
    with pytest.raises(ValueError, match=r"^no player 'michie'; the save of this name is 'save:michie'$"):
        nt.play("michie", "random")


def test_a_save_is_loaded_again(menace: nt.Machine):
    menace.save("mine")
    again = nt.load("mine")
    assert (again.learner.memory == menace.learner.memory).all()
    assert again.rounds == 200
    assert nt.load("mine@50").rounds == 50
    assert nt.load(again.saved_as).saved_as == "save:mine"
    assert {"mine", "riechel"} <= {*nt.saves()}
    assert len(Backups(library_path()).entries()) == 1
    with pytest.raises(NameTaken, match=r"'mine' already: choose another name, or give replace=True$"):
        menace.save("mine")
    with pytest.raises(NameTaken, match=r"gallery: choose another name$"):
        menace.save("riechel")


def test_solving_gives_values_and_distances():
    assert (nt.solve().value, len(nt.solve().best)) == ("draw", 9)
    assert nt.solve(nt.state().child(4)).position == nt.solve(".../.X./... O").position
    with pytest.raises(ValueError, match=r"is a position of Hexapawn, not of Tic-tac-toe$"):
        nt.solve(nt.state("hexapawn"))
    won = nt.solve("XX./OO./... X")
    assert (won.value, won.plies, won.best) == ("win", 1, ("c3",))
    lost = nt.solve("XO./.X./... O")
    assert (lost.value, lost.plies, lost.best) == ("loss", 4, ("c1",))
    assert nt.solve(game="nim:1,1").value == "loss"
    board = [[1, 2, 0], [0, 1, 0], [0, 0, 0]]
    assert nt.solve(board).moves == nt.solve(np.array(board)).moves == nt.solve("XO..X....").moves == lost.moves
    with pytest.raises(ValueError, match="not a position"):
        nt.solve({"a": 1})  # type: ignore[arg-type]  what a caller might give
    with pytest.raises(ValueError, match="over"):
        nt.solve("XXX/OO./... O")


def test_judging_a_function_agrees_with_its_policy(menace: nt.Machine, tmp_path: Path):
    judged = nt.judge(menace)  # it was trained for one side
    assert judged.results["first"] == {
        name: chances for name, chances in menace.results()["first"].items() if name != "self"
    }
    assert judged.optimal == {"first": False}
    judged = nt.judge(first, "hexapawn")
    assert not judged.sampled
    assert judged.losing_game is not None
    (tmp_path / "agents.py").write_text(
        "class First:\n    def __call__(self, board, side, moves): return moves[0]\n"
        "class Nth(First):\n    def __init__(self, n): self.n = n\n"
        "class Keyed(First):\n    def __init__(self, key): pass\n"
    )
    for name in ("First", "Nth"):
        assert nt.judge(f"{tmp_path}/agents.py:{name}", "hexapawn").results == judged.results
    with pytest.raises(ValueError, match="Keyed is a class that needs arguments"):
        nt.judge(f"{tmp_path}/agents.py:Keyed")
    perfect = nt.judge("perfect")
    assert (perfect.optimal, perfect.losing_game) == ({"first": True, "second": True}, None)
    assert perfect.results.never_loses


def test_a_judgement_says_how_the_agent_was_read_and_asks_it_only_as_the_side_that_it_plays(tmp_path: Path):
    (tmp_path / "begins.py").write_text(
        "def choose(board):\n    assert board.count('X') > board.count('O')\n"
        "    board[board.index(' ')] = 'O'\nraise SystemExit\n"
    )
    judged = nt.judge(f"{tmp_path}/begins.py:choose")
    assert judged.optimal == {"second": False}
    assert all(words in note for words, note in zip(("ends when", "as O alone"), judged.notes, strict=True))
    assert repr(judged).startswith("Read as: function(board)")
    for note in judged.notes:
        assert note in repr(judged).splitlines()
    with pytest.raises(ValueError, match="no form fits"):
        nt.judge(f"{tmp_path}/begins.py:choose", side="first")


def test_playing_a_game(menace: nt.Machine):
    played = nt.play("perfect", menace, seed=3)
    assert (played.players, played.winner in (None, "first")) == (("perfect", "menace"), True)
    assert played.moves == nt.play("perfect", menace, seed=3).moves
    assert len({nt.play("random", "random").moves for _ in range(5)}) > 1  # five equal games: a chance below 1e-9
    game = nt.game()
    first = nt.play(lambda text: game.move_name(game.moves(game.from_text(text))[0]), "random", seed=1)
    assert first.moves[0] == "a3"
    assert nt.play(lambda text: text.replace("/", "").index("."), "random", seed=1).moves == first.moves
    with pytest.raises(ValueError, match=r"'4' cannot be played in .*; legal: a3"):
        nt.play(lambda _: 4, "random", seed=1)
    with pytest.raises(ValueError, match="z9"):
        nt.play(lambda _: "z9", "random")
    with pytest.raises(ValueError, match="Hexapawn"):
        nt.play(menace, "random", game="hexapawn")


def test_a_race_as_columns(monkeypatch: pytest.MonkeyPatch):
    result = nt.race(["menace:michie", "q"], games=50, seeds=2)
    columns = result.columns()
    assert len({len(column) for column in columns.values()}) == 1
    assert set(columns["entrant"]) == {"menace:michie/perfect:any", "q:exact"}
    assert set(columns["games"].tolist()) == {1, 2, 5, 10, 20, 50}
    last = nt.learner("q", seed=2).train(50).results()
    row = (columns["entrant"] == "q:exact") & (columns["seed"] == 2) & (columns["games"] == 50)
    assert columns["second_best_responder_loss"][row] == pytest.approx([last["second"]["best_responder"].loss])
    monkeypatch.setattr("noughts.racing.find_spec", lambda _: None)
    with pytest.raises(ImportError, match="pandas or polars"):
        result.frame()


@pytest.mark.parametrize("module", ["pandas", "polars"])
def test_a_race_as_a_data_frame(module: str, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip(module)
    monkeypatch.setattr("noughts.racing.find_spec", lambda name: name == module)
    frame = nt.race(["q"], games=5, seeds=2).frame()
    assert type(frame).__module__.startswith(module)
    assert frame.shape[0] == 2 * 3


def shapes(html: str, role: str) -> int:
    """The number of shapes in the colour of a role, in a picture of HTML."""
    svg = b64decode(html.partition("base64,")[2].partition('"')[0]).decode()
    return sum(path.count("M") for path in re.findall(rf'<path class="{role}-[fs][^>]* d="([^"]*)"', svg))


def test_what_notebooks_show(menace: nt.Machine):
    with pytest.raises(KeyError, match="no side 'X'; there are first"):
        menace.results()["X"]
    with pytest.raises(KeyError, match="no opponent 'X'; there are random, perfect, self, best_responder"):
        menace.results()["first"]["X"]
    assert "X" not in menace.results()
    assert menace.results()._repr_html_().count("<tr>") == 1 + 4 * len(menace.learner.sides)
    drawn = b64decode(menace._repr_html_().partition("base64,")[2].partition('"')[0])
    assert b"a player that has read its memory" in drawn
    assert shapes(nt.solve("XX./OO./... X")._repr_html_(), "share") == 1
    picture = menace.draw()
    assert str(picture) == picture._repr_svg_()
    shown = picture._repr_html_()
    assert shapes(shown, "share") == sum(chance > 0 for chance in menace.policy().values())
    assert shown.partition('src="')[0].startswith('<img alt=".../.../... X: ')
    assert all(escape(f"{name} {percent_text(chance)}") in shown for name, chance in menace.policy().items())
    drawn_game = nt.play("perfect", "perfect")._repr_html_()
    assert shapes(drawn_game, "first") + shapes(drawn_game, "second") == 9
    assert "loss" in repr(menace.results())


def test_states_have_the_methods_of_open_spiel():
    state = nt.state("hexapawn")
    while not state.is_terminal():
        assert state.legal_actions_mask().count(1) == len(state.legal_actions())
        assert state.legal_actions(1 - state.current_player()) == []
        state = state.child(np.int64(state.legal_actions()[0]))  # as argmax gives it
        assert type(state.match.position) is int
    assert sorted(state.returns()) == [-1.0, 1.0]
    assert state.rewards() == [state.player_return(player) for player in range(state.num_players())] == state.returns()
    assert not state.is_chance_node()
    assert not state.is_simultaneous_node()
    assert state.current_player() == -4
    assert len(state.clone().history()) == len(state.history())
    assert repr(nt.state("hexapawn")) == "<state of hexapawn: BBB/.../WWW W>"


@pytest.mark.parametrize("game", ["tictactoe", "connectfour", "hexapawn", "nim:3,4,5", "wild", "notakto", "morris"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")  # of the imported test itself
def test_environments_pass_the_test_of_pettingzoo(game: str, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    api_test(nt.env(game), num_cycles=200)
    seed_test(lambda: nt.env(game), num_cycles=20)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_illegal_move_loses_and_an_unknown_render_mode_is_refused():
    pytest.importorskip("pettingzoo")
    assert signature_text(nt.env) == SIGNATURES["env"]
    with pytest.raises(ValueError, match="'zzz'; there are ansi, human and None"):
        nt.env(render_mode="zzz")
    env = nt.env()
    env.step(0)
    env.step(0)
    assert env.rewards == {"first": 1.0, "second": -1.0}
    assert all(env.terminations.values())


def test_the_notebook_runs_as_it_stands():
    cells = json.loads((ROOT / "docs/first_steps.ipynb").read_text("utf-8"))["cells"]
    notebook = "".join("".join(cell["source"]) + "\n" for cell in cells if cell["cell_type"] == "code")
    names: dict[str, object] = {}
    exec(compile(notebook, "example", "exec"), names)  # noqa: S102  our own example
    assert names["menace"].rounds == 100


def test_the_page_describes_every_name():
    page = (ROOT / "docs/api.md").read_text("utf-8")
    assert {name for name in nt.__all__ if f"`nt.{name}(" not in page} == {"Machine"}
    assert {name for name in METHODS if f"`{name}(" not in page} == set()


def test_a_course_teaches_a_machine_that_never_loses():
    lesson = nt.teach("her", "hexapawn")
    assert (len(lesson.games), lesson.bound, lesson.proved) == (9, 9, True)
    assert lesson.machine.rounds == 9
    assert lesson.machine.results()["second"]["best_responder"].loss == 0
    assert list(lesson.losses) == [*range(10)]
    assert lesson.losses[9] == 0 < lesson.losses[8]
    assert "game 9" in repr(lesson)
    for arguments, why in ((("genetic",), "no course teaches it"), (("menace", "hexapawn"), "no side 'third'")):
        with pytest.raises(ValueError, match=why):
            nt.teach(*arguments, side="third" if len(arguments) > 1 else None)


def test_why_a_number_is_what_it_is(menace):
    found = menace.why(".../.../... X", "b2")
    told = found.to_dict()
    assert repr(found).startswith(f"b2 in .../.../... X began as {told['start']} and is {told['number']}: ")
    assert len(repr(found).splitlines()) == 3 < len(told["changes"])
    assert told["start"] + sum(each["change"] for each in told["changes"]) == told["number"]
    game = told["changes"][0]["game"]
    assert menace.why(".../.../... X", "b2", without=game).to_dict()["without"]["game"] == game
    with pytest.raises(ValueError, match="z9"):
        menace.why(".../.../... X", "z9")
    with pytest.raises(ValueError, match=r"^a move cannot be None"):
        menace.why(".../.../... X", None)
    with pytest.raises(ValueError, match=r"^a game cannot be 'x'"):
        menace.why(".../.../... X", "b2", without="x")


@pytest.mark.parametrize("seconds", [0, -1, "10", float("nan")])
def test_a_time_that_is_not_above_0_is_refused(seconds):
    with pytest.raises(ValueError, match=r"^seconds cannot be .*: give a number above 0$"):
        nt.teach("menace", "hexapawn", preset="her", seconds=seconds)


def test_no_rounds_are_a_training_that_learns_nothing():
    assert nt.learner("menace", seed=1).train(0).rounds == 0


@pytest.mark.parametrize("number", [10.5, -1, "10", float("nan"), float("inf"), True, 10**9])
def test_a_number_that_is_not_whole_or_out_of_range_is_refused_with_what_to_give(number):
    with pytest.raises(ValueError, match=r"^rounds cannot be .*: give a whole number from 0 to 100,000,000$"):
        nt.learner("menace", seed=1).train(number)
    for name, most in (("games", "100,000,000"), ("seeds", "10,000")):
        with pytest.raises(ValueError, match=rf"^{name} cannot be .*: give a whole number from 1 to {most}$"):
            nt.race(["menace"], **{name: number})


def test_entrants_that_are_no_list_of_texts_are_refused():
    for entrants in ("menace", None, [nt.learner("menace", seed=1)], (each for each in [1])):
        with pytest.raises(ValueError, match="list of entrants"):
            nt.race(entrants)


@pytest.mark.parametrize("words", [{"form": "list"}, {"numbers": "values"}])
def test_how_a_function_is_asked_cannot_be_said_of_a_player(words: dict[str, str]):
    with pytest.raises(ValueError, match=r"^form and numbers say how a function"):
        nt.judge("perfect", **words)


def test_a_machine_is_judged_in_its_own_game_only():
    with pytest.raises(ValueError, match=r"^'menace' plays 4×3, three in a row, not Tic-tac-toe$"):
        nt.judge(nt.learner("menace", game="mnk:4,3,3", seed=1), "tictactoe")


def test_judging_a_function_keeps_the_alarm_of_the_program():
    def ring(*_):
        """Do nothing."""

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 1000)
        nt.judge(first, "hexapawn")
        assert signal.getsignal(signal.SIGALRM) is ring
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_what_is_no_text_is_refused():
    machine = nt.learner("menace", seed=1)
    for name, call in (("name", nt.learner), ("name", nt.load), ("name", machine.save), ("game", nt.game)):
        with pytest.raises(ValueError, match=rf"^{name} cannot be 5: give a text$"):
            call(5)
    with pytest.raises(ValueError, match=r"^game cannot be 5: give its name$"):
        nt.solve(None, 5)
    for name, call in (
        ("preset", lambda: nt.learner("menace", preset=5)),
        ("against", lambda: machine.curve(5)),
        ("side", lambda: nt.judge(machine, side=5)),
        ("form", lambda: nt.judge(first, form=5)),
        ("name", lambda: nt.teach(5)),
        ("preset", lambda: nt.teach("menace", preset=5)),
        ("side", lambda: nt.teach("menace", side=5)),
    ):
        with pytest.raises(ValueError, match=rf"^{name} cannot be 5: give a text$"):
            call()
    for player in (5, lambda _board, _side, _moves: 0):
        with pytest.raises(ValueError, match=r"is no function from position text to move name: nt\.judge\(…\)\.save"):
            nt.play(player, "random")


def test_what_is_no_function_or_neither_true_nor_false_is_refused_before_anything_is_done():
    machine = nt.learner("menace", seed=1)
    for call in (lambda: machine.train(1, progress=5), lambda: nt.race(["q"], games=1, seeds=1, progress=5)):
        with pytest.raises(ValueError, match=r"^progress cannot be 5: give a function$"):
            call()
    assert machine.rounds == 0
    with pytest.raises(ValueError, match=r"^replace cannot be 'no': give True or False$"):
        machine.save("mine", replace="no")


def test_a_training_that_cannot_be_changes_nothing():
    machine = nt.learner("menace", seed=1).train(5).save("mine")
    for rounds, against in (("x", "perfect"), (-5, "random"), (1, "nobody")):
        with pytest.raises(ValueError, match=r"give a whole number|no player 'nobody'"):
            machine.train(rounds, against)
    assert (machine.learner.opponent, machine.rounds, machine.saved_as) == ("self", 5, "save:mine")


AFTER_KERNEL = {"genetic": "_update_from_population", "ntuple": "_moves"}
"""What the learners that have no `play_games` do next, once the kernel has learned."""


@pytest.mark.parametrize("name", nt.learners("tictactoe"))
def test_ctrl_c_keeps_what_was_learned(name: str, monkeypatch: pytest.MonkeyPatch):
    """It comes at the worst moment: once a kernel has learned, and before the learner knows it."""
    machine = nt.learner(name, seed=1)
    method = AFTER_KERNEL.get(name, "play_games")
    learn = getattr(machine.learner, method)

    def learn_and_interrupt(*arguments: object) -> object:
        before = learn(*arguments)
        if machine.rounds > 2:
            signal.raise_signal(signal.SIGINT)
        return before

    monkeypatch.setattr(machine.learner, method, learn_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        machine.train(10_000)
    assert 0 < machine.rounds < 10_000
    at_once = nt.learner(name, seed=1).train(machine.rounds)
    assert (nt.load(machine.save("mine").saved_as).learner.memory == at_once.learner.memory).all()


def test_a_machine_is_trained_in_another_thread():
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(nt.learner("q", seed=1).train, 5).result().rounds == 5


def test_machines_games_and_results_go_to_other_processes():
    machine = nt.learner("genetic", seed=1).train(3)
    again = pickle.loads(pickle.dumps(machine))  # noqa: S301  written in the line itself
    assert (again.train(3).learner.memory == machine.train(3).learner.memory).all()
    for each in (nt.game("mnk:4,3,3"), machine.results(), nt.solve(), nt.play("random", "random")):
        assert pickle.loads(pickle.dumps(each)) == each  # noqa: S301  as above


def test_judgements_and_races_go_to_other_processes():
    """They keep what was found out, not the agent, which may be a local function."""
    for agent, game in ((lambda _board, _side, moves: moves[0], "hexapawn"), ("perfect", "tictactoe")):
        judged = nt.judge(agent, game)
        again = pickle.loads(pickle.dumps(judged))  # noqa: S301  written in the line itself
        assert (repr(again), again.results) == (repr(judged), judged.results)
    race = nt.race(["q", "perfect"], games=5, seeds=2)
    again = pickle.loads(pickle.dumps(race))  # noqa: S301  as above
    assert repr(again) == repr(race)
    assert {name: column.tolist() for name, column in again.columns().items()} == {
        name: column.tolist() for name, column in race.columns().items()
    }


def test_ctrl_c_ends_a_race_which_returns_its_results_so_far():
    def interrupt(standings):
        if not np.isnan(standings.judged[0]).all():
            signal.raise_signal(signal.SIGINT)

    race = nt.race(["q"], games=10**8, seeds=10**4, progress=interrupt)
    assert not race.finished
    assert 1 in race.columns()["games"]
    assert repr(race).endswith("Stopped. Finished machines of each entrant: 0")
    finished = nt.race(["q"], games=5, seeds=1)
    assert finished.finished
    assert repr(finished).splitlines()[1] == "1 machine each, seed 1"


def test_long_work_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    nt.race(["q"], games=5, seeds=1)
    assert not capsys.readouterr().err
    monkeypatch.setattr("cli.shared.progress.FIRST_LINE", 0.0)
    nt.race(["q"], games=5, seeds=3)
    assert "15 of 15 games" in capsys.readouterr().err
    nt.learner("genetic", seed=1).train(2)
    assert "2 of 2 generations" in capsys.readouterr().err


def test_what_there_is_is_listed():
    assert {"tictactoe", "connectfour"} <= {*nt.games()}
    assert "her" in nt.learners("hexapawn")["menace"]
    assert "her" not in nt.learners("tictactoe")["menace"]
    assert nt.learners().keys() > nt.learners("nim:3,4,5").keys()


def test_a_number_that_is_no_position_is_refused():
    for call in (nt.solve, nt.learner("menace", seed=1).policy):
        with pytest.raises(ValueError, match=r"^5\d+ is no position of Tic-tac-toe$"):
            call(5555555)


@pytest.mark.parametrize("seed", ["a", 1.5, -1, 2**63])
def test_a_seed_that_is_no_number_is_refused(seed):
    for call in (
        lambda: nt.learner("menace", seed=seed),
        lambda: nt.play("random", "random", seed=seed),
        lambda: nt.race(["menace"], seed=seed),
    ):
        with pytest.raises(ValueError, match=r"^seed cannot be .*: give a whole number from 0 to 9,"):
            call()


def test_a_machine_trains_against_one_that_is_saved():
    teacher = nt.learner("q", seed=1).train(20)
    with pytest.raises(ValueError, match=r"^<q:exact, tictactoe, .*> is not saved as it is: save it"):
        nt.learner("menace", seed=1).train(1, against=teacher)
    teacher.save("teacher")
    pupil = nt.learner("menace", seed=1).train(30, against=teacher)
    assert pupil.learner.opponent == "save:teacher"
    assert (pupil.learner.memory == nt.learner("menace", seed=1).train(30, "save:teacher").learner.memory).all()
    assert nt.learner("menace", seed=1).train(1, against=nt.load("teacher@10")).learner.opponent == "save:teacher@10"
    teacher.train(1)
    with pytest.raises(ValueError, match="not saved as it is"):
        pupil.train(1, against=teacher)


def test_a_function_becomes_an_opponent_once_what_it_plays_is_saved():
    with pytest.raises(ValueError, match=r"nt\.judge\(…\)\.save\(NAME\) .* 'save:NAME'$"):
        nt.learner("menace", game="hexapawn", seed=1).train(1, against=first)
    judged = nt.judge(first, "hexapawn").save("first")
    assert nt.judge("save:first", "hexapawn").results == judged.results
    learner = nt.learner("menace", game="hexapawn", seed=1)
    assert learner.train(5, against="save:first").learner.opponent == "save:first"


@pytest.mark.long
def test_messages_of_the_judge_name_arguments_and_how_numbers_are_read():
    def values(board, side, moves):
        return {move: board[move] + side + move for move in moves}

    with pytest.raises(ValueError, match=r"add numbers='values'; if counts, numbers='counts'$"):
        nt.judge(values)
    assert nt.judge(values, numbers="values").results == nt.judge(lambda _board, _side, moves: moves[-1]).results
    with pytest.raises(ValueError, match=r"If it sees the board so, add form='position, x-first': .* or give side$"):
        nt.judge(lambda _board: 99)
    with pytest.raises(ValueError, match="numbers cannot be 'odds'; they are chances, counts, values"):
        nt.judge(values, numbers="odds")
    listed = nt.judge(lambda board: board.index(" "), form="list, space")
    assert listed.results == nt.judge(first).results


def test_the_nearest_save_is_named():
    nt.learner("menace", seed=1).save("mine")
    with pytest.raises(Exception, match=r"^no save 'mne' in the library: nearest mine$"):
        nt.load("mne")
    with pytest.raises(Exception, match="nearest riechel"):
        nt.load("Riechl")
