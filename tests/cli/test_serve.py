import shlex
import socket
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.commands.app import open_app
from cli.commands.serve import address, command_line
from tests.cli.cli_run import run


@pytest.fixture
def served(monkeypatch):
    """The extra, as far as it is asked for anything: what would be served, and how."""
    asked = []

    class Server:
        def __init__(self, *arguments, **options) -> None:
            asked.append((arguments, options))

        def _make_app(self):
            return self

    web = SimpleNamespace(run_app=lambda _app, **options: asked.append(options))
    monkeypatch.setitem(sys.modules, "aiohttp", SimpleNamespace(web=web))
    monkeypatch.setitem(sys.modules, "textual_serve.server", SimpleNamespace(Server=Server))
    monkeypatch.setattr("cli.commands.serve.find_spec", lambda _name: object())
    return asked


def test_without_the_extra_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr("cli.commands.serve.find_spec", lambda _name: None)
    told = run("--serve")
    assert (told.code, told.out) == (1, "")
    assert told.err == "noughts: --serve needs one more package, textual-serve: pip install '.[serve]'\n"


def test_each_browser_gets_an_app_of_its_own_on_the_library_that_was_named(served):
    told = run("--library", "a b.sqlite", "--serve", "--port", "8765")
    assert (told.code, told.err) == (0, "")
    assert "http://localhost:8765 " in told.out
    (arguments, options), how = served
    assert arguments[1:] == ("localhost", 8765)
    assert options["public_url"] == "http://localhost:8765"
    assert (how["host"], how["port"]) == ("localhost", 8765)
    start, *words = shlex.split(arguments[0])
    assert (start, words[1:]) == ("exec", ["-m", "cli", "--library", str(Path("a b.sqlite").absolute())])
    assert command_line(Path("/x")).endswith(" --library /x")


def test_a_port_that_is_taken_is_told(served):
    with socket.create_server(("localhost", 0)) as taken:
        port = taken.getsockname()[1]
        told = run("--serve", "--port", str(port))
    assert (told.code, told.out, served) == (1, "", [])
    assert told.err.startswith(f"noughts: nothing can be served at http://localhost:{port}: Address already in use")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "8000"],
        ["--host", "localhost"],
        ["--serve", "--port", "0"],
        ["--serve", "--port", "65536"],
        ["--serve", "--port", "web"],
        ["--serve", "--host", "::"],
        ["--serve", "--host", ""],
        ["--serve", "saves", "list"],
        ["--host", "localhost", "saves", "list"],
    ],
)
def test_what_cannot_be_meant_is_wrong_usage(arguments, served):
    told = run(*arguments)
    assert (told.code, told.out, served) == (2, "", [])
    assert 0 < told.err.count("\n") <= 2


def test_a_host_that_is_nobody_is_told(served):
    told = run("--serve", "--host", "no such host")
    assert (told.code, served) == (1, [])
    assert told.err.startswith("noughts: nothing can be served at http://no such host:8000: ")


def test_an_address_of_the_new_kind_is_put_in_brackets():
    assert address("::1", 8000) == "http://[::1]:8000"


def test_a_browser_is_as_good_as_a_terminal(monkeypatch):
    opened = []
    monkeypatch.setattr("tui.app.run_app", lambda *arguments, **_options: opened.append(arguments) or 0)
    monkeypatch.setattr("cli.commands.app.chosen_library_path", lambda: Path("a"))
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    assert open_app() == 0
    assert len(opened) == 1


@pytest.mark.parametrize("host", ["x" * 10_000, "a..b", "\udcff"])
def test_a_name_that_no_computer_can_have_is_told(served, host):
    told = run("--serve", "--host", host)
    assert (told.code, told.out, served) == (1, "", [])
    assert told.err.startswith("noughts: nothing can be served at http://")
