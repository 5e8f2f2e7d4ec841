"""The warnings that the server prints."""

import io
import logging
import sys

from cli.serve.log import LineHandler

RECORD = logging.LogRecord("noughts", logging.WARNING, "", 0, "a\x1b[2J page\nwas closed", (), None)


def test_a_message_is_one_line_without_control_characters(capsys):
    LineHandler().emit(RECORD)
    said = capsys.readouterr().err
    assert said.startswith("noughts: a")
    assert said.endswith("page was closed\n")
    assert "\x1b" not in said


def test_of_messages_at_once_one_is_printed_and_the_next_counts_the_others(capsys, monkeypatch):
    now = 100.0
    monkeypatch.setattr("cli.serve.log.monotonic", lambda: now)
    lines = LineHandler()
    for _ in range(5):
        lines.emit(RECORD)
    now += 2
    lines.emit(RECORD)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert said[1].endswith("(and 4 more messages)")


class Gone(io.StringIO):
    def write(self, _text: str) -> int:
        raise BrokenPipeError


def test_a_terminal_that_is_gone_stops_no_session(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Gone())
    LineHandler().emit(RECORD)
