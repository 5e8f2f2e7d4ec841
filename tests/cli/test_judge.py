"""`noughts judge`: agents of other programs."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.commands.grade import NOT_RESET
from cli.commands.judge import STOPPED
from cli.shared.sampled_results import report_sampled
from engine.evaluate import OPPONENTS
from engine.game import BadText, Side
from engine.games import GAMES
from engine.solve import perfect_edges
from engine.space import RUNNING
from engine.spaces import space_of
from lab.judging import verdict_text
from lab.judging.agents.form_trials import TRIALS
from lab.judging.agents.python_agent import IGNORES
from lab.judging.asking.answers import Answers
from lab.judging.asking.ask_all import ask_all
from lab.judging.grading import Grade
from lab.judging.mending import Mend
from tests.cli.cli_run import as_json, refused, run

GUIDE = (Path(__file__).parents[2] / "docs" / "judging.md").read_text()
SAMPLED = ("--game", "connectfour", "--samples", "2")
FIRST = "def choose(board, side, moves): return moves[0]"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("first.py").write_text(FIRST)
    Path("hang.py").write_text("def choose(position):\n    while True: pass")
    return tmp_path


@pytest.mark.long
def test_the_example_of_the_guide_is_judged_as_it_says():
    code, shown = re.findall(r"```(?:python)?\n(LINES.*?|\$ noughts judge rules.*?)```", GUIDE, re.DOTALL)
    Path("rules.py").write_text(code)
    _, _, expected = shown.partition("\n")
    assert run("judge", "rules.py:choose").out == expected


@pytest.mark.parametrize("after", [50, 4000])
def test_ctrl_c_ends_a_sample_with_a_verdict_if_each_position_was_asked_twice(
    monkeypatch: pytest.MonkeyPatch, after: int
):
    def struck(*given: Any) -> Answers:  # noqa: ANN401  as the command calls it
        return ask_all(*given[:-1], lambda told: told.asked >= after and signal.raise_signal(signal.SIGINT))

    monkeypatch.setattr("lab.judging.asking.ask_all.ROUND_SECONDS", 0.0)
    monkeypatch.setattr("cli.commands.judge.ask_all", struck)
    Path("random_moves.py").write_text("import random\ndef choose(board, side, moves): return random.choice(moves)")
    ran = run("judge", "random_moves.py:choose", "--side", "first")
    assert ran.code == 130
    if after == 50:
        assert (ran.out, ran.err) == ("", f"noughts: {STOPPED}\n")
    else:
        assert "times in each position" in ran.out
        assert verdict_text.STOPPED in ran.out


@pytest.mark.long
def test_the_example_of_a_large_game_is_judged_as_the_guide_says():
    shown, expected = re.search(r"\$ noughts (judge first.*?)\n(.*?)```", GUIDE, re.DOTALL).groups()
    assert run(*shown.split()).out == expected


def test_json_is_that_of_evaluate_with_the_losing_game():
    ran = run("judge", "first.py:choose", "--json")
    told = json.loads(ran.out)
    assert ran.code == 0
    assert list(told)[:4] == ["player", "game", "first", "second"]
    assert list(told["first"]) == [*OPPONENTS, "decisions", "perfect_moves", "losing_pairs", "exploitability"]
    assert (told["form"], told["convention"]) == ("function(board, side, moves), tuple, 012", None)
    assert (told["exact"], told["histories"]) == (True, False)
    assert told["value"] == {"exploitability": {"first": 1.0, "second": 1.0}, "nash_conv": 2.0}
    assert told["losing_game"] == ["a2", "a3", "b2", "b3", "c2"]
    assert (told["losing_side"], told["illegal"], told["missing"], told["sampled"]) == ("second", [], [], None)
    assert told["optimal"] == {"first": False, "second": False}


def test_a_file_of_one_side_is_judged_as_that_side():
    Path("x.csv").write_text("position,move\n.../.../... X,b2\n")
    told = as_json("judge", "x.csv")
    assert "untrained" not in told["first"]
    assert told["second"]["untrained"] is True
    boards = "O../.X./... .O./.X./... ..O/.X./... .../OX./... .../.XO/... .../.X./O.. .../.X./.O. .../.X./..O"
    assert told["missing"] == [f"{board} X" for board in boards.split()]
    assert told["losing_game"] == ["b2", "a3"]
    Path("doubt.csv").write_text("position,move\n---------,5\n")
    assert "--as" in run("judge", "doubt.csv").err
    assert "squares from 1" in run("judge", "doubt.csv", "--as", "from-1").out.splitlines()[2]
    assert "Saved as x: noughts play --first save:x\n" in run("judge", "x.csv", "--save", "x").out


@pytest.mark.usefixtures("asked_briefly")
def test_an_agent_is_kept_played_raced_and_compared():
    kept = run("judge", "first.py:choose", "--save", "my agent")
    assert "Saved as my agent: noughts play --second 'save:my agent'\n" in kept.out
    scores = [as_json(*words) for words in (("evaluate", "my agent"), ("judge", "first.py:choose"))]
    assert scores[0]["first"] == scores[1]["first"]
    assert run("judge", "first.py:choose", "--save", "my agent").code == 1
    assert run("judge", "first.py:choose", "--save", "my agent", "--replace").code == 0
    raced = as_json("race", "save:my agent", "perfect", "q", "--seeds", "2", "--games", "100")
    assert [entrant["entrant"] for entrant in raced["entrants"]] == ["save:my agent", "perfect", "q:exact"]
    line = raced["entrants"][0]["loss_random"]["both"]["median"]
    assert line == [pytest.approx((0.177083 + 0.522222) / 2, abs=0.002)] * len(raced["marks"])
    assert run("saves", "diff", "my agent", "riechel").code == 0
    assert "does not learn" in run("train", "--from", "my agent").err
    assert run("saves", "export", "my agent", "a.json").code == 0
    assert run("saves", "import", "a.json").code == 0


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing-like-this"], "a program or a player"),
        (["none.csv"], "cannot be read"),
        (["first.py:nope"], "no 'nope'"),
        (["first.py:choose", "--game", "connectfour", "--save", "x"], "too large to keep the moves of an agent"),
        (["p.csv", "--game", "connectfour"], "too large for one: give a Python object"),
        (["first.py:choose", "--show", "--json"], "give one of them"),
        (["perfect", "--show"], "it never loses"),
        (["first.py:choose", "--samples", "0"], "samples"),
        (["sh -c 'exit 3'"], "exit code 3"),
        (["hang.py:choose", "--time-limit", "0.1"], "it is silent in O../.../XOX X: no answer within 2 s"),
        (["hang.py:choose", "--time-limit", "0.1", "--game", "connectfour"], "is silent in "),
    ],
)
def test_agents_that_cannot_be_judged_are_reported_in_two_lines(words: list[str], message: str):
    ran = run("judge", *words)
    assert ran.code in {1, 2}
    assert message in ran.err
    assert len(ran.err.splitlines()) <= 2


@pytest.mark.parametrize("limit", ["nan", "-nan", "inf", "-1", "0", "1e400", "five"])
def test_a_time_limit_is_a_finite_time(limit: str):
    ran = run("judge", "perfect", "--time-limit", limit)
    assert ran.code == 2
    assert "'--time-limit'" in ran.err
    assert len(ran.err.splitlines()) == 2


def test_an_agent_of_a_large_game_is_judged_by_samples():
    told = as_json("judge", "first.py:choose", *SAMPLED)
    assert list(told) == [
        *("player", "game", "form", "sampled", "known_positions", "played_positions", "losing_side", "losing_game"),
        *("illegal", "missing", "asked", "save", "notes"),
    ]
    assert (told["illegal"], told["missing"], told["save"]) == ([], [], None)
    assert told["sampled"]["games"] == 2
    assert told["known_positions"]["kept"]["of"] == 600
    assert told["asked"] > 600
    assert set(told["losing_game"]) <= set("abcdefg")
    lines = "for line in iter(input, ''): print('abcdefg'[line.index('.')], flush=True)"
    asked = as_json("judge", f'{sys.executable} -c "{lines}"', *SAMPLED)
    assert (told["notes"], asked["notes"]) == ([IGNORES.format(TRIALS)], [])
    assert {**asked, **{each: told[each] for each in ("player", "form", "notes")}} == told


def test_a_player_of_a_large_game_has_the_results_of_evaluate(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(report_sampled, "__defaults__", (tuple(Side), 2))
    told = as_json("judge", "random", *SAMPLED)
    expected = as_json("evaluate", "random", "--game", "connectfour")
    assert {key: told[key] for key in expected} == expected
    assert told["asked"] is None
    one = as_json("judge", "random", *SAMPLED, "--side", "second")
    assert "first" not in one["sampled"]
    assert one["sampled"]["second"] == expected["sampled"]["second"]


@pytest.mark.long
def test_the_report_on_an_agent_of_a_large_game_names_its_flaws():
    Path("first.py").write_text("def choose(board, side, moves): return 9 if sum(board) == 0 else None")
    told = run("judge", "first.py:choose", "--game", "connectfour", "--samples", "1").out
    assert "off by 100 % at most" in told
    assert "\n\nConnect Four is too large for exact results: 1 game each" in told
    assert re.search(r"The shortest game that it lost, as X: . . . .; then it has no legal answer; the first 4", told)
    assert "which counts as a loss: " in told


@pytest.mark.long
def test_a_shell_script_is_judged(tmp_path: Path):
    (script,) = re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
    path = tmp_path / "agent.sh"
    path.write_text(script)
    path.chmod(0o755)
    told, expected = (
        as_json("judge", text, "--side", "first", "--samples", "1") for text in (str(path), "first.py:choose")
    )
    assert told["first"] == expected["first"]


RULES = re.search(r"```python\n(LINES.*?)```", GUIDE, re.DOTALL).group(1)
HOSTILE = {
    "kill.py": "import os\ndef choose(board, side, moves): os.kill(os.getpid(), 9)",
    "grow.py": "data = bytearray(10**11)\ndef choose(board, side, moves): return moves[0]",
    "flood.py": "import sys\ndef choose(board, side, moves):\n    print('x' * 10**6, file=sys.stderr); return moves[0]",
    "fork.py": "import os\ndef choose(*_):\n    while True: os.fork() or os.execvp('sleep', ['sleep', '600'])",
    "syntax.py": "def choose(",
    "table.csv": "position,move\n\x1b[31m,b2\n",
}


def test_without_the_solver_nothing_is_asked_to_be_mended(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    Path("a.py").write_text("open('asked', 'w').close()\ndef choose(board, side, moves): return moves[0]\n")
    refused("this needs the solver HiGHS", "judge", "a.py:choose", "--mend")
    assert not Path("asked").exists()


@pytest.mark.usefixtures("asked_briefly")
def test_the_guide_s_agent_is_mended_by_exactly_six_answers():
    Path("rules.py").write_text(RULES)
    told = as_json("judge", "rules.py:choose", "--mend")["mend"]
    assert (told["entries"], told["bound"], told["proved"], len(told["positions"])) == (6, 6, True, 6)
    answers = {each["position"]: each["move"] for each in told["positions"]}
    Path("mended.py").write_text(
        RULES.replace("def choose", "def rules") + f"ANSWERS = {answers}\n" + "def choose(board, side, moves):\n"
        "    rows = [''.join('.XO'[each] for each in board[start:start + 3]) for start in (0, 3, 6)]\n"
        "    return ANSWERS.get('/'.join(rows) + ' ' + 'XO'[side - 1]) or rules(board, side, moves)\n"
    )
    assert as_json("judge", "mended.py:choose")["optimal"] == {"first": True, "second": True}


def test_a_verdict_is_not_lost_with_what_would_mend_it(monkeypatch: pytest.MonkeyPatch):
    def ends(error: BaseException | None) -> None:
        if error is not None:
            raise error
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("engine.smallest.integer_program.has_solver", lambda: True)
    for error, code, words in (
        (None, 130, "stopped: it is judged"),
        (BadText("no way to mend it"), 1, "no way to mend"),
    ):
        monkeypatch.setattr("lab.judging.mending.mend", lambda *_, error=error, **_options: ends(error))
        ran = run("judge", "random", "--mend")
        assert (ran.code, "As O it loses" in ran.out, words in ran.err) == (code, True, True)
    refused("leave out --mend", "judge", "random", "--game", "connectfour", "--mend")


@pytest.mark.usefixtures("asked_briefly")
def test_what_mends_a_sampled_agent_goes_by_the_answers_seen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("engine.smallest.integer_program.has_solver", lambda: True)
    monkeypatch.setattr("lab.judging.mending.mend", lambda *_, **_options: Mend({}, 0, ()))
    Path("a.py").write_text("from random import choice\ndef choose(board, side, moves): return choice(moves)\n")
    told = run("judge", "a.py:choose", "--game", "hexapawn", "--mend", "--samples", "2").out
    assert "Nothing needs to be mended: it never loses, going by 2 answers in each position" in told
    assert "never loses\n" in run("judge", "perfect", "--mend").out


@pytest.mark.usefixtures("asked_briefly")
def test_submissions_are_graded_and_hostile_ones_do_not_end_the_run():
    Path("folder").mkdir()
    Path("folder/rules.py").write_text(RULES)
    for name, text in HOSTILE.items():
        (Path("folder") / name).write_text(text)
    ran = run("grade", "folder", "--as", "X", "--junit", "g.xml", "--json")
    told = {Path(each["agent"]).name: each for each in json.loads(ran.out)}
    assert ran.code == 1
    assert sorted(told) == sorted([*HOSTILE, "rules.py"])
    assert [name for name, each in told.items() if each["passed"]] == ["rules.py"]
    assert all("\x1b" not in each["reason"] and len(each["reason"].splitlines()) == 1 for each in told.values())
    assert Path("g.xml").read_text().count("<failure") == len(HOSTILE)
    assert run("grade", "folder/rules.py", "--as", "first").code == 0
    lost = as_json("grade", "folder/rules.py", "--as", "O", code=1)
    assert lost[0]["losing_side"] == "second"
    assert lost[0]["losing_game"] == ["c2", "b2", "a1", "a3", "c1", "c3", "b1"]


@pytest.mark.long
def test_a_submission_that_hangs_fails_when_its_time_is_over():
    Path("hang.py").write_text("import time\ndef choose(board, side, moves): time.sleep(600)")
    (told,) = as_json("grade", "hang.py", "--as", "X", "--time-limit", "1", code=1)
    assert (told["passed"], "no answer within" in told["reason"]) == (False, True)


def test_a_submission_with_a_state_that_was_not_asked_in_all_games_fails(monkeypatch: pytest.MonkeyPatch):
    Path("counts.py").write_text(
        f"calls = 0\n{RULES}".replace("moves):\n", "moves):\n    global calls\n    calls += 1\n", 1)
    )
    (told,) = as_json("grade", "counts.py", "--as", "X")
    assert (told["passed"], NOT_RESET.format("calls") in told["reason"]) == (True, False)
    monkeypatch.setattr("lab.judging.asking.in_games.LONG_SECONDS", (0, 0))
    (told,) = as_json("grade", "counts.py", "--as", "X", code=1)
    assert (told["passed"], told["reason"]) == (False, NOT_RESET.format("calls"))


def test_a_table_of_one_side_passes_as_that_side_only_and_the_lost_game_is_of_the_side_of_the_reason():
    rows = [".../.../... X,b2", "X../.../... O,b2"]
    for side, row in zip("XO", rows, strict=True):
        Path("one.csv").write_text(f"position,move\n{row}\n")
        (told,) = as_json("grade", "one.csv", "--require", "beats random 0 %")
        assert (told["passed"], told["reason"].split(". ")[1]) == (True, f"Only its play as {side} is graded")
    Path("corner.csv").write_text("position,move\n" + "\n".join(rows) + "\n")
    Path("g.xml").touch()  # it is replaced
    (told,) = as_json("grade", "corner.csv", "--junit", "g.xml", code=1)
    assert told["reason"].startswith("as X it gives no move")
    assert (told["losing_side"], told["losing_game"]) == ("first", ["b2", "a3"])
    assert "A game that it loses as X: b2 a3" in Path("g.xml").read_text()


def test_an_empty_folder_is_no_class_that_passed():
    Path("class").mkdir()
    assert run("grade", "class").code == 1


def test_a_submission_that_is_not_there_is_a_wrong_usage_before_any_is_run():
    Path("a.py").write_text("open('asked', 'w').close()\n" + FIRST)
    for name in ("gone", "gone/", "gone.csv", "gone.py", "gone.py:choose", "gone --fast"):
        refused(f"'{name}' does not exist", "grade", "a.py", name, code=2, most=3)
    assert not Path("asked").exists()


@pytest.mark.usefixtures("asked_briefly")
def test_a_grade_says_which_options_had_no_effect_on_a_submission():
    Path("a.py").write_text(FIRST)
    for options in (("--form", "list"), ("--missing", "random")):
        (told,) = as_json("grade", "perfect", *options)
        assert told["passed"]
        assert "no table and no Python object" in told["reason"]
    (told,) = as_json("grade", "a.py", "--require", "legal", "--missing", "random")
    assert told["passed"]
    assert "no table: --missing had no effect" in told["reason"]
    refused("leave out --missing", "judge", "a.py", "--missing", "random")


def test_ctrl_c_keeps_the_grades_so_far(monkeypatch: pytest.MonkeyPatch):
    def struck(name: str, *_given: object, **_options: object) -> Grade:
        if name == "class/b.py":
            signal.raise_signal(signal.SIGINT)
        return Grade(name, passed=True, reason="as required")

    monkeypatch.setattr("cli.commands.grade.grade_submission", struck)
    Path("class").mkdir()
    for name in "abc":
        Path(f"class/{name}.py").write_text(FIRST)
    ran = run("grade", "class")
    assert (ran.code, ran.err) == (130, "noughts: stopped: 1 of 3 are graded\n")
    assert ran.out == "pass  class/a.py  as required\n1 of 1 passed\n"


@pytest.mark.usefixtures("asked_briefly")
def test_the_files_of_folders_in_a_folder_are_graded_and_a_lost_link_is_not_left_out():
    for folder in ("class/anna", "class/ben", "class/__pycache__", "class/.git"):
        Path(folder).mkdir(parents=True)
        Path(folder, "agent.py").write_text(RULES)
    Path("class/gone.py").symlink_to("nowhere.py")
    grades = {each["agent"]: each["passed"] for each in as_json("grade", "class", "--as", "X", code=1)}
    assert grades == {"class/anna/agent.py": True, "class/ben/agent.py": True, "class/gone.py": False}


def test_links_that_lead_back_and_pipes_are_skipped():
    Path("class/anna").mkdir(parents=True)
    Path("class/anna/agent.py").write_text(RULES)
    Path("class/anna/all").symlink_to("..")
    for name in ("pipe", "pipe.py", "pipe.csv"):
        os.mkfifo(Path("class", name))
    told = {each["agent"]: each["passed"] for each in as_json("grade", "class", "--as", "X")}
    skipped = dict.fromkeys(["class/anna/all", "class/pipe", "class/pipe.csv", "class/pipe.py"])
    assert told == {"class/anna/agent.py": True, **skipped}
    assert run("grade", "class/pipe").code == 1


def test_what_is_plainly_no_submission_is_skipped_with_a_reason():
    Path("class").mkdir()
    Path("class/README.md").touch()
    assert run("grade", "class").code == run("grade", "class/README.md").code == 1
    Path("class/agent.py").write_text(RULES)
    ran = run("grade", "class", "--as", "X", "--junit", "g.xml", "--json")
    text, agent = json.loads(ran.out)
    assert (ran.code, Path("g.xml").read_text().count("<skipped"), agent["passed"]) == (0, 1, True)
    assert (text["passed"], text["reason"]) == (None, "skipped: it is a text, no agent")


def test_submissions_are_read_as_the_options_of_judge_say():
    game, table = GAMES[0], dict[str, dict[str, float]]()
    space = space_of(game)
    perfect = perfect_edges(space)
    for position in space.position[(space.outcome == RUNNING) & (space.side == Side.FIRST)].tolist():
        edges = sorted(space.edges(position), key=lambda edge: not perfect[edge])
        table[game.to_text(position)] = {game.move_name(int(space.move[edge])): 0.7 for edge in edges}
    Path("p.json").write_text(json.dumps(table))

    def grade(*options: str) -> tuple[bool, str]:
        (told,) = json.loads(run("grade", "p.json", "--as", "X", "--json", *options).out)
        return told["passed"], told["reason"]

    assert grade()[1].endswith("not to 1")
    assert grade("--values", "--ties", "first") == (True, "never-loses: as required")
    assert not grade("--values")[0]
    assert "it loses" in grade("--counts")[1]


def test_judge_finds_the_agent_in_a_python_file_as_grade_does():
    text = RULES.replace("def choose(", "def findBestMove(")
    text += "\n\ndef minimax(board, depth, turn):\n    return 0\n"
    Path("many.py").write_text(text + "\n\nbestMove = findBestMove([0] * 9, 1, [*range(9)])\n")
    found = as_json("judge", "many.py", "--side", "first")
    assert (found["player"], found["optimal"]["first"]) == ("many.py:findBestMove", True)
    (told,) = as_json("grade", "many.py", "--as", "X")
    assert told["passed"]
    assert told["reason"].endswith(". findBestMove is graded, not minimax")


def test_what_a_person_says_always_answers_the_same_is_optimal_without_an_if():
    drawing = RULES.replace("def choose(", "import random\n\ndef rules(")
    drawing += "\n\ndef choose(board, side, moves):\n    random.random()\n    return rules(board, side, moves)\n"
    Path("draws.py").write_text(drawing)
    asked = ("judge", "draws.py", "--side", "first", "--json")
    assert json.loads(run(*asked, "--samples", "1").out)["optimal"] == {"first": None}
    told = json.loads(run(*asked, "--deterministic").out)
    assert (told["optimal"], told["exact"]) == ({"first": True}, True)
    (told,) = as_json("grade", "draws.py", "--as", "X", "--deterministic")
    assert (told["passed"], told["reason"]) == (True, "never-loses: as required")


def test_a_submission_cannot_fill_the_disk():
    Path("large.py").write_text(
        "def choose(board, side, moves):\n    with open('large.bin', 'wb') as file:\n"
        "        file.seek(10**9)\n        file.write(b'x')\n    return moves[0]\n"
    )
    (told,) = as_json("grade", "large.py", "--memory", "900", code=1)
    assert "File too large" in told["reason"]
    assert Path("large.bin").stat().st_size == 0


@pytest.mark.usefixtures("asked_briefly")
def test_advice_on_a_submission_names_the_options_of_grade_and_an_import_has_the_time_of_all():
    Path("first.py").write_text("def choose(board):\n    return [*board].index(0)\n")
    (told,) = as_json("grade", "first.py", "--form", "list, 012", code=1)
    assert "if it looks at them, --form says" in told["reason"]
    Path("first.py").write_text("def choose(board, side, moves):\n    return 0\n")
    (told,) = as_json("grade", "first.py", "--as", "O", code=1)
    assert told["reason"].startswith("as O it answers '0' in X../.../... O: not a legal move there")
    Path("first.py").write_text("def choose(board): pass\nwhile True: pass\n")
    (told,) = as_json("grade", "first.py", "--total-time", "1", code=1)
    assert "cannot be imported within 1 s" in told["reason"]


def test_a_class_is_judged_by_an_object_made_without_arguments_and_that_is_said():
    text = RULES + "\n\nclass Agent:\n    def __init__(self, last=False): self.last = last\n"
    text += "    def act(self, board, side, moves): return moves[-1] if self.last else choose(board, side, moves)\n"
    Path("classes.py").write_text(text + "\nlast = Agent(last=True)\n")
    for name, optimal in (("Agent", True), ("last", False)):
        found = as_json("judge", f"classes.py:{name}", "--side", "first")
        assert found["optimal"]["first"] is optimal
        note = "An object of Agent is judged, made without arguments; classes has also last"
        assert (note in found["notes"]) is optimal


def test_to_judge_a_table_no_learner_is_imported():
    Path("first.csv").write_text("position,move\n.../.../... X,b2\n")
    command = [sys.executable, "-X", "importtime", "-m", "noughts", "judge", "first.csv"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "lab.judging.files.tables" in ran.stderr
    assert "learners" not in ran.stderr


@pytest.mark.usefixtures("asked_briefly")
def test_a_certificate_of_an_agent_that_may_change_carries_the_condition():
    Path("keeps.py").write_text("kept = []\n" + RULES.replace("moves):\n", "moves):\n    kept.append(board)\n", 1))
    for name, condition in (("keeps.py", " if it always answers the same"), ("rules.py", "")):
        Path("rules.py").write_text(RULES)
        told = run("certify", name, "--side", "X", "--out", f"{name}.cert").out.splitlines()[0]
        assert told == f"As X it never loses{condition}"


def test_a_certificate_is_verified_without_this_program():
    assert run("certify", "perfect", "--out", "p.cert", "--side", "second").code == 0
    check = [sys.executable, "-I", "-S", "check.py"]
    found = subprocess.run([*check, "p.cert"], capture_output=True, text=True, check=False)
    assert found.returncode == 0
    assert "as O it never loses" in found.stdout
    assert len(Path("check.py").read_text().splitlines()) <= 60
    ran = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "name a certificate: python check.py FILE\n")
    random = run("certify", "random", "--out", "r.cert")
    assert random.code == 1
    assert "it can lose" in random.err
    assert not Path("r.cert").exists()


@pytest.mark.parametrize("other", [b"mine", b"\xff"])
def test_what_is_written_in_two_files_is_written_in_both_or_none(other):
    Path("check.py").write_bytes(other)
    Path("r.py").write_bytes(other)
    refused("already exists", "certify", "perfect", "--out", "p.cert")
    refused("is the name of the checker", "certify", "perfect", "--out", "check.py", "--replace")
    refused("already exists", "saves", "export", "riechel", "r.csv", "--openspiel")
    assert not Path("p.cert").exists()
    assert not Path("r.csv").exists()
    assert Path("check.py").read_bytes() == Path("r.py").read_bytes() == other


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("the folder", ("grade", "a.py", "--junit", "none/grades.xml")),
        ("comes with the program", ("judge", "a.py", "--save", "riechel", "--replace")),
    ],
)
def test_what_cannot_be_written_is_not_computed(words: str, asked: tuple[str, ...]):
    Path("a.py").write_text("open('asked', 'w').close()\ndef choose(board, side, moves): return moves[0]\n")
    refused(words, *asked)
    assert not Path("asked").exists()


def test_the_policy_of_a_save_is_written_and_judged_the_same():
    assert run("saves", "export", "riechel", "r.csv").code == 0
    told, expected = (as_json("judge", each) for each in ("r.csv", "save:riechel"))
    for side in ("first", "second"):
        for opponent in ("random", "best_responder"):
            assert told[side][opponent] == pytest.approx(expected[side][opponent])


PEERS = Path(__file__).parents[2] / ".venv-bench" / "bin" / "python"
NASH_CONV = """
from open_spiel.python.algorithms.exploitability import nash_conv
from s import GAME, policy
print(nash_conv(GAME, policy))
"""


@pytest.mark.long
@pytest.mark.skipif(not PEERS.exists(), reason="make long installs OpenSpiel into .venv-bench")
def test_openspiel_plays_a_written_policy_and_finds_it_as_exploitable():
    assert run("saves", "export", "riechel", "s.csv", "--openspiel").code == 0
    found = subprocess.run([PEERS, "-c", NASH_CONV], capture_output=True, text=True, check=True)
    expected = as_json("judge", "save:riechel")["value"]["nash_conv"]
    assert float(found.stdout) == pytest.approx(expected, abs=1e-11)
