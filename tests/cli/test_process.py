"""The command line as its own process: what only a real start, pipe, terminal or signal can show."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from time import sleep

import pytest

from cli.shared.signals import REPEAT_DELAY, insist_on_interrupts, interrupt_on_signals
from tests.waiting import LIMIT, wait_until

ROOT = Path(__file__).parents[2]
HEAVY = {"textual", "rich", "numpy", "numba", "sqlite3"}


def start(*arguments: str, program: Sequence[str] = ("-m", "noughts"), **options) -> subprocess.Popen[bytes]:
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([sys.executable, *program, *arguments], cwd=ROOT, **pipes)


def finish(process: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    out, err = process.communicate(timeout=LIMIT)
    return process.returncode, out, err


def imported_after(*arguments: str) -> set[str]:
    code = (
        "import sys; from cli.__main__ import main\n"
        "main(sys.argv[1:])\n"
        "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, check=True)
    return set(done.stderr.decode().split()) & HEAVY


@pytest.mark.parametrize("arguments", [["play", "--help"]])
def test_help_imports_nothing_heavy(arguments):
    assert imported_after(*arguments) == set()


def test_commands_that_train_nothing_compile_nothing():
    assert imported_after("evaluate", "save:riechel", "--json") <= {"numpy", "sqlite3"}


@pytest.mark.long
def test_a_reader_that_closes_the_pipe_causes_no_traceback():
    with start("play", "--plain", "--second", "human", stdin=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"help\n" * 100)
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


@pytest.mark.long
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
@pytest.mark.parametrize("arguments", ["train failures --games 10", "play --plain", "saves list"])
def test_a_closed_stream_causes_no_traceback(closed, arguments):
    command = f'exec "$0" -m noughts {arguments} {closed}'
    run = ["sh", "-c", command, sys.executable]
    done = subprocess.run(run, cwd=ROOT, input=b"quit\n", capture_output=True, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@pytest.mark.long
def test_text_that_is_not_utf8_is_refused_as_a_move():
    process = start("play", "--plain", "--second", "human", stdin=subprocess.PIPE)
    out, err = process.communicate(b"\xff\xfe\n\x00\n" + b"x" * 100_000, timeout=LIMIT)
    assert (process.returncode, err) == (0, b"")
    assert out.count(b"is not a move of Tic-tac-toe") == 2 + 100


def on_a_terminal(*arguments: str, until: bytes, **options) -> tuple[subprocess.Popen[bytes], int, bytes]:
    """Start a process with a pseudo-terminal as standard input and error, and wait until it has written some text."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    process = start(*arguments, stdin=theirs, stderr=theirs, env=environment, **options)
    os.close(theirs)
    shown = b""
    while until not in shown:
        shown += os.read(ours, 65536)
    return process, ours, shown


def rest(terminal: int) -> bytes:
    shown = b""
    try:
        while more := os.read(terminal, 65536):
            shown += more
    except OSError:  # on Linux the end of a pseudo-terminal is an error
        pass
    os.close(terminal)
    return shown


@pytest.mark.long
def test_the_progress_bar_goes_to_the_terminal_and_only_json_to_standard_output():
    process, terminal, shown = on_a_terminal("train", "failures", "--games", "4000000", "--json", until=b"of 4M games")
    shown += rest(terminal)
    assert "━" in shown.decode(errors="replace")
    assert b"/s, 0:0" in shown
    out = finish(process)[1]
    assert json.loads(out)["games"] == 4_000_000
    assert (process.returncode, out.count(b"\n")) == (0, 1)


def test_ctrl_c_stops_a_training_and_saves_it():
    process, terminal, _ = on_a_terminal(
        "train", "failures", "--games", "100000000", "--save", "a", "--json", until=b"of 100M games"
    )
    process.send_signal(signal.SIGINT)
    assert "noughts: stopping: saving what was learned …" in rest(terminal).decode()
    told = json.loads(finish(process)[1])
    assert process.returncode == 130
    saves = json.loads(finish(start("saves", "list", "--json"))[1])["saves"]
    assert [(save["name"], save["games"]) for save in saves[:1]] == [("a", told["games"])]
    assert 0 < told["games"] < 100_000_000


TRAINING = ("train", "failures", "--games", "100000000")


@pytest.mark.parametrize("module", ["cli.__main__", pytest.param("numba", marks=pytest.mark.long)])
def test_sigterm_during_an_import_is_reported(module):
    code = (
        "import os, signal, sys, noughts.__main__ as noughts\n"
        "class Striker:\n"
        "    def find_spec(name, path=None, target=None):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGTERM)\n"
        "sys.meta_path.insert(0, Striker)\n"
        "noughts.run()"
    )
    code, out, err = finish(start(*TRAINING, program=("-c", code)))
    assert (code, out) == (143, b"")
    assert err in {b"noughts: ended by SIGTERM\n", b"noughts: stopped before the first game: nothing was learned\n"}


@pytest.mark.long
def test_a_signal_whose_exception_python_drops_ends_a_training_all_the_same():
    code = (
        "import os, signal, noughts.__main__ as noughts\n"
        "from learners.failures.learner import Failures\n"
        "class Dying:\n"
        "    def __del__(self): os.kill(os.getpid(), signal.SIGTERM)\n"
        "Failures.train = lambda *_: Dying() and 0\n"
        "noughts.run()"
    )
    nothing = b"noughts: stopped before the first game: nothing was learned\n"
    assert finish(start(*TRAINING, program=("-c", code))) == (143, b"", nothing)


@pytest.mark.long
@pytest.mark.parametrize("arguments", [["train", "failures", "--games", "200000"], ["saves", "show", "riechel"]])
def test_without_a_terminal_no_control_byte_is_written(arguments):
    code, out, err = finish(start(*arguments))
    assert (code, err) == (0, b"")
    assert all(byte >= ord(" ") or byte == ord("\n") for byte in out)


@pytest.mark.long
def test_output_that_cannot_be_written_is_reported():
    with Path("/dev/full").open("wb") as full:
        process = start("saves", "list", stdout=full)
        code, _, err = finish(process)
    assert (code, err.count(b"\n")) == (1, 1)
    assert err.startswith(b"noughts: standard output cannot be written: No space left on device. ")


@pytest.mark.long
def test_a_second_signal_at_exit_changes_nothing():
    code = (
        "import atexit, os, signal\n"
        "from cli.__main__ import run\n"
        "atexit.register(os.kill, os.getpid(), signal.SIGINT)\n"
        "run()"
    )
    arguments = ("train", "failures", "--games", "100000000", "--json")
    process, terminal, shown = on_a_terminal(*arguments, until=b"of 100M games", program=("-c", code))
    process.send_signal(signal.SIGINT)
    shown += rest(terminal)
    out = finish(process)[1]
    assert process.returncode == 130
    assert 0 < json.loads(out)["games"] < 100_000_000
    assert b"Traceback" not in shown
    assert b"KeyboardInterrupt" not in shown


@pytest.mark.long
@pytest.mark.parametrize(("number", "lines"), [(signal.SIGTERM, {1}), (signal.SIGINT, {0, 1})])
def test_a_signal_at_any_moment_ends_without_a_traceback(number, lines):
    code = "import noughts.__main__ as noughts; noughts.end_at_signals(); print(flush=True); noughts.run()"
    for delay in (Random(seed).uniform(0, 0.5) for seed in range(30)):
        process = start(*TRAINING, program=("-c", code))
        process.stdout.readline()
        sleep(delay)
        process.send_signal(number)
        status, out, err = finish(process)
        assert status == 128 + number, (delay, err)
        assert err.count(b"\n") in lines or b"Stopped after" in out, (delay, err, out)
        assert b"Traceback" not in err
        assert b"KeyboardInterrupt" not in err


def raise_instead_of_the_interrupt() -> None:
    try:
        signal.raise_signal(signal.SIGTERM)
    except KeyboardInterrupt:
        raise ImportError("numba._devicearray failed to import") from None


def test_an_error_that_replaces_the_interrupt_counts_as_the_signal():
    with pytest.raises(KeyboardInterrupt), interrupt_on_signals():
        raise_instead_of_the_interrupt()


def test_an_error_without_a_signal_is_raised():
    with pytest.raises(ImportError, match="no module"), interrupt_on_signals():
        raise ImportError("no module")


def lose_an_interrupt(ended: list[bool]) -> None:
    with suppress(KeyboardInterrupt):  # as numpy does, in a callback
        signal.raise_signal(signal.SIGINT)
    try:
        wait_until(lambda: False)
    finally:
        sleep(3 * REPEAT_DELAY)
        ended.append(True)


def test_an_interrupt_that_is_lost_comes_again_but_not_while_the_block_ends():
    ended: list[bool] = []
    with pytest.raises(KeyboardInterrupt), insist_on_interrupts():
        lose_an_interrupt(ended)
    assert ended


@pytest.mark.parametrize("left", [18, 200])
def test_a_compiled_module_that_a_full_disk_has_cut_off_is_named(tmp_path, left):
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-m", "noughts", "locate"]
    assert subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False).returncode == 0
    (compiled,) = tmp_path.rglob("locate.*.pyc")
    compiled.write_bytes(compiled.read_bytes()[:left])
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.split("\n")[-3:-1] == [
        "noughts: a file that Python has compiled is cut off, as on a full disk",
        f"Delete the folders __pycache__ in {tmp_path}, and try again",
    ]
