"""The app in a pseudo-terminal: what it draws, and in what state it leaves the terminal."""

import os
import re
import signal
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from lab.training.training_job import FULL_SPEED
from saves.paths import settings_path
from saves.settings import change_settings
from tests.tui.piloting import saved
from tests.tui.terminal import COLUMNS, DEADLINE, ROWS, RUBBISH, opened
from tests.waiting import wait_until

ALL = 100_000_000
"""The games of a training that is ended early."""
MANY = 100_000
"""The least number of games that it has played by then."""


@contextmanager
def training():
    """An app that trains at full speed, started by keys, for longer than the test takes."""
    change_settings(settings_path(), {"pace": FULL_SPEED.label})
    with opened() as terminal:
        terminal.type("t")
        terminal.until("games    100,000", "failures", "Press g or Start.")
        terminal.fill_in("games", str(ALL))
        terminal.until(f"games    {ALL}")
        terminal.type("\r")
        terminal.until_true(lambda shown: games_played(shown) > MANY, "it does not train")
        yield terminal


def games_played(shown):
    """The number of games of the training, as the screen shows it."""
    return max((int(games.replace(",", "")) for games in re.findall(r"\bgame ([\d,]+) of", shown)), default=0)


def until_played(terminal):
    """Type a move until it is played: what is typed while other input is discarded is lost."""

    def played():
        terminal.type("5")
        terminal.read(0.5)
        return "moves are recorded" in terminal.screen

    wait_until(played, state=lambda: terminal.screen, step=0)


def test_a_move_is_played_and_q_restores_the_terminal():
    with opened() as terminal:
        terminal.type("5")
        terminal.until("moves are recorded", "your move")
        terminal.type("q")
        terminal.assert_ends(0)


@pytest.mark.long
def test_keys_beyond_unicode_and_reports_of_presses_are_ignored():
    with opened() as terminal:
        for report in ("1114112", "97;1:1", "55296", "97;5;1114112", "9" * 20):
            terminal.type(f"\x1b[{report}u")
            terminal.until_quiet()
        terminal.type("5")
        terminal.until("moves are recorded")
        terminal.type("q")
        terminal.assert_ends(0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("data", "times"),
    [
        pytest.param(b"w", 1_000_000, id="a megabyte pasted without the marks of a paste"),
        pytest.param(b"\x1b[O\x1b[I", 2000, id="a window that loses and gets the focus"),
    ],
)
def test_input_that_comes_too_fast_leaves_the_app_responsive(data, times):
    with opened() as terminal:
        left = data * times
        os.set_blocking(terminal.ours, False)
        while left:
            with suppress(BlockingIOError):
                left = left[os.write(terminal.ours, left[:4096]) :]
            with suppress(BlockingIOError):
                terminal.read(0.002)
        os.set_blocking(terminal.ours, True)
        until_played(terminal)


@pytest.mark.long
@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xff\xe95\xc3\x28\x80", id="bytes that are not UTF-8"),
        pytest.param(b"\x1b[48;24;80;0;0t\x1b[<0;30;8M\x1b[<0;30;8m", id="a click in a window of zero pixels"),
        pytest.param(b"\x1b[48;9999999;9999999;1;1t", id="a size that takes all memory"),
    ],
)
def test_input_that_cannot_be_parsed_is_ignored(data):
    with opened() as terminal:
        os.write(terminal.ours, data)
        until_played(terminal)
        terminal.type("q")
        terminal.assert_ends(0)


@pytest.mark.long
def test_with_the_locale_c_the_terminal_gets_ascii_only(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    with opened() as terminal:
        terminal.until("--+--")
        terminal.type("5")
        terminal.until("moves are recorded", "your move", "##")
        terminal.type("q")
        terminal.end()
        assert terminal.written.isascii()


@pytest.mark.long
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_during_a_training_saves_it_and_restores_the_terminal(number, code):
    with training() as terminal:
        assert saved() == {}
        terminal.process.send_signal(number)
        terminal.assert_ends(code)
    assert MANY < saved()["failures"] < ALL


@pytest.mark.long
@pytest.mark.parametrize("pause", [0.001, 0.0], ids=["many", "more than it could answer"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_further_signals_do_not_change_how_the_app_ends(number, code, pause):
    with opened() as terminal:

        def ended_by_signals() -> bool:
            terminal.process.send_signal(number)
            terminal.read(pause)
            return terminal.process.poll() is not None

        wait_until(ended_by_signals, state=lambda: terminal.screen, step=0)
        terminal.assert_ends(code)


@pytest.mark.long
@pytest.mark.parametrize(
    ("sent", "code"), [((signal.SIGHUP, signal.SIGCONT), 129), ((), 0)], ids=["with SIGHUP", "without a signal"]
)
def test_closing_the_window_during_a_training_saves_it_and_leaves_no_process(sent, code):
    with training() as terminal:
        terminal.hang_up(*sent)
        assert terminal.process.wait(DEADLINE) == code
    assert MANY < saved()["failures"] < ALL


@pytest.mark.long
def test_two_interrupts_at_once_restore_the_terminal_and_save_what_was_learned():
    with training() as terminal:
        for _ in range(2):
            terminal.process.send_signal(signal.SIGINT)
            terminal.read(0.02)
        terminal.assert_ends(130)
    assert MANY < saved()["failures"] < ALL


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGCONT, signal.SIGTSTP], ids=["continued", "stopped"])
def test_sigcont_without_a_stop_and_sigtstp_in_an_orphaned_group_have_no_effect(number):
    with opened() as terminal:
        terminal.take_size(COLUMNS, ROWS)
        terminal.process.send_signal(number)
        terminal.until("NOUGHTS", "your move", gone=RUBBISH)
        terminal.type("q")
        terminal.assert_ends(0)


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for the workers in /proc")
@pytest.mark.parametrize("end", ["q", signal.SIGTERM, signal.SIGHUP])
def test_no_process_of_a_sweep_outlives_the_app(end):
    with opened() as terminal:
        terminal.type("a")
        terminal.until("Press g or Start.", "W Sweep")
        terminal.type("W")
        terminal.until("9 points × 20 machines", "columns")  # the form as well: Race has games in another line
        terminal.fill_in("games", "9000000")
        terminal.type("\r")
        wait_until(lambda: terminal.read(0.05) is not None and workers_of(terminal.process.pid))
        workers = workers_of(terminal.process.pid)
        if isinstance(end, str):
            terminal.type(end)
        else:
            terminal.process.send_signal(end)
        terminal.assert_ends(0 if isinstance(end, str) else 128 + end)
        wait_until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


def workers_of(parent):
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(folder.name))
    return found


@pytest.mark.long
def test_the_screen_is_drawn_again_after_a_change_of_size_that_is_undone_at_once():
    with opened() as terminal:
        terminal.until("n New game")
        terminal.take_size(60, 20)
        terminal.resize(COLUMNS, ROWS)
        terminal.until("n New game", gone=RUBBISH)
        terminal.type("?")
        terminal.until("Pick the square")
        terminal.take_size(60, 20)
        terminal.resize(COLUMNS, ROWS)
        terminal.until("Pick the square", gone=RUBBISH)


@pytest.mark.long
def test_no_text_has_the_colour_of_its_background():
    with opened() as terminal:
        for key, texts in (("t", "Press g or Start."), ("p", "your move")):
            terminal.type(key)
            terminal.until(texts)
        assert "your move" in terminal.written
        assert terminal.in_the_colour_of_its_ground() == set()
