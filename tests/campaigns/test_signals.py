"""At any signal the app ends within a second, restores the terminal, and saves what it has learned.

Ctrl+Z suspends it and returns the terminal; it can be resumed. A command saves what it has learned as well.
"""

import signal
import socket
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import sleep

import pytest

from tests.campaigns.signal_runs import Count, closed, interrupted_command, stopped, struck, tended
from tests.campaigns.terminal_sessions import Job, warm

STOPS = 5
"""How often one program is stopped and continued."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(scope="session")
def warmth():
    with warm() as process:
        yield process


def whole(*values: object) -> object:
    """At full size only, since tests/tui/shell/test_terminal.py covers the others as well."""
    return pytest.param(*values, marks=pytest.mark.campaign(minutes=1))


@contextmanager
def counted(tell):
    """The counts of a test, reported at its end; there may be no fault."""
    count = Count()
    yield count
    tell(
        f"{count.signals:,} signals, {count.in_saves:,} of them in a save: {len(count.faults)} faults; gone after "
        f"{median(count.seconds):.2f} s, at most {max(count.seconds):.2f} s "
        f"({median(count.cpu):.2f} and {max(count.cpu):.2f} s of processor)"
    )
    assert count.faults == []


@pytest.mark.long
@pytest.mark.parametrize(("number", "times"), [(signal.SIGINT, 1), *(whole(number, 20) for number in ENDING)])
def test_after_any_signal_the_terminal_is_restored_and_the_training_saved(number, times, warmth, folder, tell):
    with counted(tell) as count:
        for step in range(times):
            with tended(warmth, folder, count, f"{number.name} {step}") as run:
                run.come_to_any()
                struck(run, number)
        for step in range(times // 8):
            with tended(warmth, folder, count, f"train {number.name} {step}", command=True) as run:
                interrupted_command(run, number)


@pytest.mark.long
@pytest.mark.parametrize("times", [1, whole(20)])
def test_after_the_terminal_is_closed_the_training_is_saved(times, warmth, folder, tell):
    with counted(tell) as count:
        for step in range(times):
            with tended(warmth, folder, count, f"closed {step}") as run:
                run.come_to_any()
                closed(run)


@pytest.mark.long
@pytest.mark.parametrize("times", [1, whole(20)])
def test_a_suspended_app_returns_the_terminal_and_can_be_resumed(times, warmth, folder, tell):
    with counted(tell) as count:
        for step in range(-(-times // STOPS)):
            with tended(warmth, folder, count, f"stopped {step}", job=True) as run:
                stopped(run, min(STOPS, times))


@pytest.mark.long
@pytest.mark.parametrize("name", ["in a shell 1", "alone 1"])
def test_a_signal_reaches_a_program_that_has_just_started(name, warmth, folder):
    with tended(warmth, folder, count := Count(), name) as run:
        struck(run, signal.SIGTERM)
    assert run.name.count(name.removesuffix(" 1")) == 2
    assert count.faults == []


def test_a_signal_can_come_before_the_end_of_the_program_is_reported(warmth, folder):
    with tended(warmth, folder, count := Count(), "ended") as run:
        process = run.session.process
        process.kill()
        while Path(f"/proc/{process.pid}").exists():
            sleep(0.01)
        assert process.returncode is None
        run.strike(signal.SIGTERM)
        assert process.taken() > 0
        assert process.returncode == -signal.SIGKILL
    assert count.faults == []


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("broken", "found"),
    [("rude", "not restored"), ("forgetful", "kept []"), ("slow", "gone after")],
)
def test_a_broken_program_is_detected(broken, found, warmth, folder):
    count = Count()
    with tended(warmth, folder, count, "broken", broken=broken) as run:
        run.come_to("training")
        run.come_to_games()
        struck(run, signal.SIGTERM)
    assert any(found in fault for fault in count.faults), count.faults


def test_an_order_to_a_program_that_has_ended_is_ignored():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.send(b"began 1\n")
        job = Job(ours)
        theirs.send(b"ended 0 0.1\n")
        theirs.close()
        job.order("bg")
    assert job.returncode == 0
