"""Agents that leave processes behind, flood or close their pipes, or give answers that cannot be read.

The agents here sleep much longer than a test may take: what hangs as long as they do fails by its time.
"""

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from engine.game import BadText
from engine.games import GAMES
from lab.judging.agents.line_process import CHUNK_BYTES, LineProcess, Silent
from lab.judging.agents.program_agent import program_agent
from lab.judging.agents.python_agent import FIRST_ANSWER_FACTOR, python_agent
from lab.judging.child.state import find_change, kept_state
from lab.judging.notation.reply import MAX_ANSWER_BYTES, AgentFailed, Reply
from tests.waiting import wait_until

TICTACTOE = GAMES[0]
CORNER = TICTACTOE.from_text("X../.../... O")
LEAVE = """
import subprocess, sys
from pathlib import Path
left = subprocess.Popen(["sleep", "600"], start_new_session=True)
Path(__file__).with_suffix(".pid").write_text(str(left.pid))
"""
"""Starts a process that outlives the agent, and keeps its pipes open."""


@pytest.fixture(name="agent")
def _agent(tmp_path: Path) -> Iterator[Path]:
    """A file for an agent. What it leaves behind must still run at the end of the test, and is ended then."""
    yield tmp_path / "agent.py"
    left = tmp_path / "agent.pid"
    if left.exists():
        os.kill(int(left.read_text()), signal.SIGKILL)


def program(path: Path, code: str) -> list[str]:
    path.write_text(code)
    return [sys.executable, "-u", str(path)]


def test_a_program_may_leave_a_process_that_keeps_its_pipes_open(agent: Path):
    command = program(agent, LEAVE + "for line in sys.stdin: print(4)")
    with program_agent(command, "agent", TICTACTOE) as ask:
        assert ask(TICTACTOE.start) == Reply({4: 1.0}, single=True)


def test_a_program_that_ends_is_started_again_whatever_it_leaves_behind(agent: Path):
    command = program(agent, "import subprocess\nsubprocess.Popen(['sleep', '600'])\ninput()\nprint(4)")
    with program_agent(command, "agent", TICTACTOE, 60) as ask:
        for position in (TICTACTOE.start, CORNER):
            assert ask(position) == Reply({4: 1.0}, single=True)


def test_a_python_object_may_leave_a_process_that_keeps_its_pipes_open(agent: Path):
    agent.write_text(LEAVE + "def choose(position): return position.moves[-1]")
    with python_agent(f"{agent}:choose", TICTACTOE) as ask:
        assert ask(TICTACTOE.start) == Reply({8: 1.0}, single=True)


def test_a_program_that_writes_without_reading_is_refused(agent: Path):
    refused = pytest.raises(AgentFailed, match=r"writes '4.* before it is asked in")
    with refused, program_agent(program(agent, "while True: print(4)"), "agent", TICTACTOE) as ask:
        for _ in range(10_000):
            ask(TICTACTOE.start)


def test_a_flood_is_held_up_and_not_stored():
    process = LineProcess([sys.executable, "-c", "while True: print(3)"], "agent")
    try:
        for _ in range(1000):
            assert process.next_line(60) == b"3\n"
            assert len(process._unread) <= MAX_ANSWER_BYTES + CHUNK_BYTES
    finally:
        process.end()


def test_a_program_that_never_reads_is_silent_once_its_pipe_is_full():
    process = LineProcess(["sleep", "600"], "agent")
    with pytest.raises(Silent):
        process.ask("x" * 2**20, 0.05)
    process.end()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="counts processes on Linux only")
def test_who_starts_very_many_processes_is_killed_with_all_of_them(agent: Path):
    code = "import os\nwhile True: os.fork() or os.execvp('sleep', ['sleep', '600'])"
    with (
        pytest.raises(AgentFailed, match="starts more than 64 processes"),
        program_agent(program(agent, code), "agent", TICTACTOE, 60, megabytes=1000) as ask,
    ):
        ask(TICTACTOE.start)
    agent.write_text(f"def choose(*_):\n    {code.replace(chr(10), chr(10) + '    ')}")
    with (
        pytest.raises(AgentFailed, match="starts more than 64 processes"),
        python_agent(f"{agent}:choose", TICTACTOE, 60, megabytes=1000) as ask,
    ):
        ask(TICTACTOE.start)


def test_who_kills_its_parent_kills_no_process_that_judges(agent: Path):
    struck, usual = list[int](), signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, lambda number, _: struck.append(number))
    agent.write_text("import os\nos.kill(os.getppid(), 15)\ndef choose(position): return position.moves[-1]")
    command = program(agent.with_name("program.py"), agent.read_text() + "\nwhile input(): print(4)")
    try:
        for asked in (python_agent(f"{agent}:choose", TICTACTOE), program_agent(command, "agent", TICTACTOE, 60)):
            killed = pytest.raises(AgentFailed, match="above it was killed by signal 15")
            with killed, asked as ask:
                for _ in range(10_000):  # an answer may be there before the signal
                    ask(TICTACTOE.start)
    finally:
        signal.signal(signal.SIGTERM, usual)
    assert not struck


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="lists processes on Linux only")
def test_processes_in_a_group_of_their_own_end_with_the_agent(agent: Path, tmp_path: Path):
    agent.write_text(
        "import os, time\nchild = os.fork()\nif child == 0:\n    os.setpgid(0, 0)\n"
        f"    open({str(tmp_path / 'child')!r}, 'w').write(str(os.getpid()))\n    time.sleep(600)\n"
        "def choose(board, side, moves): return moves[0]\n"
    )
    with python_agent(f"{agent}:choose", TICTACTOE):
        wait_until(lambda: (tmp_path / "child").exists() and (tmp_path / "child").read_text())
        child = int((tmp_path / "child").read_text())
        os.kill(child, 0)

    def has_ended() -> bool:
        place = Path(f"/proc/{child}/stat")
        return not place.exists() or place.read_text().rpartition(")")[2].split()[0] == "Z"

    wait_until(has_ended)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import os, time; os.close(1); time.sleep(600)", "ended without an answer in .*: it closed its output"),
        ("import os, time; os.close(0); time.sleep(600)", "is silent"),
        ("import sys; sys.stdout.write(chr(0) * 2**20)", "characters in|before it is asked"),
    ],
)
def test_a_program_with_closed_pipes_or_an_endless_line_is_refused(agent: Path, code: str, message: str):
    with (
        pytest.raises(AgentFailed, match=message),
        program_agent(program(agent, code), "agent", TICTACTOE, 0.3 if "silent" in message else 60) as ask,
    ):
        ask(TICTACTOE.start)


HOSTILE = """
import os, signal, subprocess, sys, time
class Raises:
    def __init__(self, name): self.name = name
    def __getattribute__(self, name):
        if name == object.__getattribute__(self, "name"): raise SystemExit("no " + name)
        return object.__getattribute__(self, name)
class Unwritable:
    def __repr__(self): raise KeyboardInterrupt
class Huge:
    def __repr__(self): return "x" * 10**7
class Endless(dict):
    def items(self):
        while True: yield 4, 0.0
class Raising(list):
    def __iter__(self): raise RuntimeError("no numbers")
class Unreadable(Exception):
    def __str__(self): raise RuntimeError
class Nameless(type):
    @property
    def __name__(cls): raise RuntimeError
class WithoutName(Exception, metaclass=Nameless): pass
def unwritable(position): return Unwritable()
def huge(position): return Huge()
def endless(position): return Endless()
def raising(position): return Raising([1])
def attribute(position): return Raises("tolist")
def unreadable(position): raise Unreadable
def nameless(position): raise WithoutName
def interrupt(position): raise KeyboardInterrupt
def long_number(position): return 10 ** 5000
def long_text(position): return "9" * 10**7
def large(position): return {4: 10 ** 400}
def nan(position): return [float("nan")] * 9
def infinite(position): return {4: float("inf")}
def nested(position):
    found = []
    for _ in range(100_000): found = [found]
    return found
def bytes_(position): return b"b2"
def generator(position): return (move for move in position.moves)
def truth(position): return {4: True}
def half_a_letter(position): return chr(0xD800)
def forks(position):
    os.fork()
    return position.moves[-1]
def closes_stdout(position):
    sys.stdout.close()
    return position.moves[-1]
def closes_all(position):
    os.closerange(3, 100)
    return 4
def write_everywhere(line):
    for pipe in range(3, 10):
        try: os.write(pipe, line)
        except OSError: pass
    return 4
def forges(position): return write_everywhere(b"4\\n")
def forges_nothing(position): return write_everywhere(b'{"replies": []}\\n')
def forges_depth(position): return write_everywhere(b"[" * 9000 + b"\\n")
def forges_error(position): return write_everywhere(b'{"error": {"a": 1}}\\n')
def ignores_signals(position):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
    time.sleep(600)
def floods(position):
    while True: os.write(2, b"x" * 100)
def digits(position): return "9" * 400
def patches(position):
    import builtins, json
    json.dumps = json.loads = builtins.print = None
    return position.moves[-1]
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("unwritable", "X: Unwritable is not a move"),
        ("huge", "X: Huge is not a move"),
        ("endless", "more than 10,000 numbers"),
        ("raising", "RuntimeError: no numbers"),
        ("attribute", "SystemExit: no tolist"),
        ("unreadable", "fails in .*: Unreadable"),
        ("nameless", "fail(s|ed) in"),
        ("interrupt", "fails in .*: KeyboardInterrupt"),
        ("long_number", "ValueError: a number"),
        ("long_text", "more than 10,000 characters"),
        ("large", "infinite"),
        ("nan", r"'nan' is not a number \(NaN\)"),
        ("infinite", "'inf' is infinite"),
        ("nested", "in .*/.* ."),
        ("bytes_", "is not a move"),
        ("generator", "is not a move"),
        ("truth", "'True' is not a number"),
        ("half_a_letter", "is not a move"),
        ("digits", "not a legal move there"),
        ("closes_all", "ended without an answer in .*: "),
        ("forges", "it writes into the pipe that carries its answers"),
        ("forges_nothing", "it writes into the pipe that carries its answers"),
        ("forges_depth", "it writes into the pipe that carries its answers"),
        ("forges_error", "it writes into the pipe that carries its answers"),
        ("ignores_signals", "is silent"),
        ("floods", "is silent"),
    ],
)
def test_an_answer_that_cannot_be_read_is_refused_in_two_lines(
    agent: Path, name: str, message: str, capfd: pytest.CaptureFixture[str]
):
    agent.write_text(HOSTILE)
    limit = 0.3 if "silent" in message else 60
    with pytest.raises(BadText, match=message) as error, python_agent(f"{agent}:{name}", TICTACTOE, limit) as ask:
        ask(TICTACTOE.start)
    assert len(str(error.value).splitlines()) <= 2
    assert len(str(error.value)) < 500
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("name", ["forks", "closes_stdout", "patches"])
def test_what_an_agent_does_besides_answering_does_not_matter(agent: Path, name: str):
    agent.write_text(HOSTILE)
    with python_agent(f"{agent}:{name}", TICTACTOE) as ask:
        for position in (TICTACTOE.start, TICTACTOE.from_text("XO./.../... X")):
            assert ask(position) == Reply({8: 1.0}, single=True)


def test_an_import_that_sleeps_or_forks_ends(agent: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lab.judging.agents.python_agent.IMPORT_SECONDS", 0.3)
    agent.write_text("import time; time.sleep(600)")
    with pytest.raises(AgentFailed, match="cannot be imported within"), python_agent(f"{agent}:a", TICTACTOE, 0.3):
        pass
    monkeypatch.undo()
    agent.write_text("import os\nos.fork()\ndef choose(position): return position.moves[-1]")
    with python_agent(f"{agent}:choose", TICTACTOE) as ask:
        assert ask(TICTACTOE.start) == Reply({8: 1.0}, single=True)


def test_only_the_first_position_that_is_asked_has_more_time(agent: Path, monkeypatch: pytest.MonkeyPatch):
    asked, ask = list[tuple[str, float]](), LineProcess.ask

    def timed(process: LineProcess, line: str, patience: float, *most: int) -> bytes:
        question = json.loads(line)
        asked.extend([(question["text"], patience)] if "text" in question and "seconds" not in question else [])
        return ask(process, line, patience, *most)

    monkeypatch.setattr(LineProcess, "ask", timed)
    agent.write_text("def choose(board, side, moves): return moves[-1]")
    with python_agent(f"{agent}:choose", TICTACTOE, 20.0) as one:
        for position in (CORNER, TICTACTOE.start, CORNER):
            one(position)
    corner, start = map(TICTACTOE.to_text, (CORNER, TICTACTOE.start))
    assert asked == [(corner, 20.0 * FIRST_ANSWER_FACTOR), (start, 20.0), (corner, 20.0 * FIRST_ANSWER_FACTOR)]


KEEPS = """
class Times:
    asked = 0
class Player:
    def __init__(self):
        self.past, self.table, self.times, self.first, self.rest = [], {"a": [1]}, Times, (1, [2]), iter(())
def choose():
    return kept
kept, player = 3, Player()
def counting(count):
    def choose():
        nonlocal count
        count += 1
    return choose
counted = counting(0)
"""


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("pass", None),
        ("player.rest = player.rest", None),
        ("kept += 1", "kept"),
        ("player.past.append(object())", "past"),
        ("player.table['a'][0] = 2", "a"),
        ("player.table['b'] = 1", ""),
        ("Times.asked += 1", "asked"),
        ("player.first[1].pop()", "first"),
        ("counted()", "cell"),
        ("more = 1", ""),
        ("del kept", "kept"),
    ],
)
def test_what_an_agent_keeps_is_compared_by_place(code: str, changed: str | None):
    module = ModuleType("agent")
    exec(KEEPS, vars(module))  # noqa: S102  the code above
    agent = module.player
    before = kept_state(agent, module)
    exec(code, vars(module))  # noqa: S102  as above
    assert find_change(before, kept_state(agent, module)) == changed


def test_no_control_character_that_an_agent_prints_reaches_a_terminal(agent: Path, capfd: pytest.CaptureFixture[str]):
    agent.write_text("print('\\x1b[2J\\té\\r\\x9b\\r\\n' * 100_000)\ndef choose(board, side, moves): return moves[0]\n")
    with python_agent(f"{agent}:choose", TICTACTOE) as ask:
        assert ask(TICTACTOE.start) == Reply({0: 1.0}, single=True)
    assert capfd.readouterr().err == "[2J\té\n\n" * 100_000 + "\n"
