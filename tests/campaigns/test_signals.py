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

from tests.campaigns.signal_runs import (
    Count,
    close_terminal,
    interrupt_command,
    running_program,
    send_signal,
    suspend_and_resume,
)
from tests.campaigns.terminal_sessions import Job, running_fork_server

STOPS = 5
"""How often one program is stopped and continued."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(scope="session")
def server():
    with running_fork_server() as process:
        yield process


def at_full_size(*values: object) -> object:
    """A case for the campaign alone: in `make test`, tests/tui/shell/test_terminal.py covers the same."""
    return pytest.param(*values, marks=pytest.mark.campaign(minutes=1))


@contextmanager
def counting(report_line):
    """Report the counts of a test at its end; fail if there was a fault."""
    count = Count()
    yield count
    report_line(
        f"{count.signals:,} signals, {count.in_saves:,} of them during a save: {len(count.faults)} faults; ended after "
        f"{median(count.seconds):.2f} s, at most {max(count.seconds):.2f} s "
        f"({median(count.cpu):.2f} and {max(count.cpu):.2f} s of processor)"
    )
    assert count.faults == []


@pytest.mark.long
@pytest.mark.parametrize(("number", "times"), [(signal.SIGINT, 1), *(at_full_size(number, 20) for number in ENDING)])
def test_after_any_signal_the_terminal_is_restored_and_the_training_saved(number, times, server, folder, report_line):
    with counting(report_line) as count:
        for step in range(times):
            with running_program(server, folder, count, f"{number.name} {step}") as run:
                run.bring_to_any()
                send_signal(run, number)
        for step in range(times // 8):
            with running_program(server, folder, count, f"train {number.name} {step}", command=True) as run:
                interrupt_command(run, number)


@pytest.mark.long
@pytest.mark.parametrize("times", [1, at_full_size(20)])
def test_after_the_terminal_is_closed_the_training_is_saved(times, server, folder, report_line):
    with counting(report_line) as count:
        for step in range(times):
            with running_program(server, folder, count, f"closed {step}") as run:
                run.bring_to_any()
                close_terminal(run)


@pytest.mark.long
@pytest.mark.parametrize("times", [1, at_full_size(20)])
def test_a_suspended_app_returns_the_terminal_and_can_be_resumed(times, server, folder, report_line):
    with counting(report_line) as count:
        for step in range(-(-times // STOPS)):
            with running_program(server, folder, count, f"stopped {step}", job=True) as run:
                suspend_and_resume(run, min(STOPS, times))


@pytest.mark.long
@pytest.mark.parametrize("name", ["in a shell 1", "alone 1"])
def test_a_signal_reaches_a_program_that_has_just_started(name, server, folder):
    with running_program(server, folder, count := Count(), name) as run:
        send_signal(run, signal.SIGTERM)
    assert run.name.count(name.removesuffix(" 1")) == 2
    assert count.faults == []


def test_a_signal_can_come_before_the_end_of_the_program_is_reported(server, folder):
    with running_program(server, folder, count := Count(), "ended") as run:
        process = run.session.process
        process.kill()
        while Path(f"/proc/{process.pid}").exists():
            sleep(0.01)
        assert process.returncode is None
        run.signal_group(signal.SIGTERM)
        assert process.processor_seconds() > 0
        assert process.returncode == -signal.SIGKILL
    assert count.faults == []


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("broken", "found"),
    [("exits at once", "not restored"), ("never saves", "saved []"), ("ends slowly", "ended after")],
)
def test_a_broken_program_is_detected(broken, found, server, folder):
    count = Count()
    with running_program(server, folder, count, "broken", broken=broken) as run:
        run.bring_to("training")
        run.wait_for_games()
        send_signal(run, signal.SIGTERM)
    assert any(found in fault for fault in count.faults), count.faults


def test_a_command_to_a_program_that_has_ended_is_ignored():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.send(b"began 1\n")
        job = Job(ours)
        theirs.send(b"ended 0 0.1\n")
        theirs.close()
        job.send_command("bg")
    assert job.returncode == 0
