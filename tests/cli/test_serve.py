import pytest

from cli.commands.app import open_app
from cli.commands.serve import HOST, PORT, VISITORS
from cli.serve.access import address
from tests.cli.cli_run import refused, run


@pytest.fixture
def plans(monkeypatch):
    """The plans of the servers that would have been started."""
    plans = []
    monkeypatch.setattr("cli.serve.server.run", lambda plan, _announce: plans.append(plan) or 2)
    return plans


def test_without_the_extra_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr("cli.commands.serve.find_spec", lambda _name: None)
    refused("noughts: --serve needs one more package, aiohttp: pip install '.[serve]'\n", "--serve")


def test_the_options_are_passed_on(plans):
    options = ["--serve", "--port", "8765", "--host", "lab", "--visitors", "3", "--same-library"]
    assert run("--library", "a b.sqlite", *options).code == 130
    (plan,) = plans
    assert (plan.library.name, plan.host, plan.port) == ("a b.sqlite", "lab", 8765)
    assert (plan.visitors, plan.same_library) == (3, True)


def test_options_that_are_not_given_have_defaults(plans):
    assert run("--serve").code == 130
    (plan,) = plans
    assert (plan.host, plan.port, plan.visitors, plan.same_library) == (HOST, PORT, VISITORS, False)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "8000"],
        ["--same-library"],
        ["--serve", "--port", "65536"],
        ["--serve", "--port", "web"],
        ["--serve", "--visitors", "0"],
        ["--serve", "--host", "::"],
        ["--serve", "--host", ""],
        ["--serve", "saves", "list"],
        ["--host", "localhost", "saves", "list"],
    ],
)
def test_contradictory_options_are_usage_errors(arguments, plans):
    ran = run(*arguments)
    assert (ran.code, ran.out, plans) == (2, "", [])
    assert 0 < ran.err.count("\n") <= 2


@pytest.mark.parametrize("host", ["no such host", "x" * 10_000, "a..b", "\udcff"])
def test_an_impossible_host_name_is_reported(host):
    refused("noughts: nothing can be served at http://", "--serve", "--host", host)


def test_an_ipv6_address_is_put_in_brackets():
    assert address("::1", 8000) == "http://[::1]:8000"


def test_the_app_opens_in_a_browser_without_a_terminal(monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr("tui.app.run_app", lambda *arguments, **_options: opened.append(arguments) or 0)
    monkeypatch.setattr("cli.commands.app.chosen_library_path", lambda: tmp_path)
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    assert open_app() == 0
    assert len(opened) == 1
