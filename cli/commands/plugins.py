"""`noughts plugins`: what other packages add to the program."""

from dataclasses import asdict

import click

from cli.shared.common import json_option, print_error, print_result
from lab.plugins import failure, left_out
from lab.text.columns import columns
from lab.text.sanitise import plain
from learners import plugins


@click.command("plugins")
@json_option
def plugins_command(*, as_json: bool) -> None:
    """List what other packages add to the program.

    A package adds games, learners and players through entry points: see
    docs/extending.md. A plug-in that cannot be used is left out, and the list
    says why. The others are tried: games and players in a few random games,
    learners in a round of training.

    \b
    Examples:
      noughts plugins
      noughts plugins --json
    """
    found = plugins()
    tried = [(each, "" if each.problem else failure(each)) for each in found]
    rows = [
        (each.kind, each.name, f"{each.package} {each.version}", _told(each.problem, fails)) for each, fails in tried
    ]
    entries = [{**asdict(each), "problem": each.problem or None, "failure": fails or None} for each, fails in tried]
    table = columns([[*map(plain, row)] for row in rows], "<<<<") if found else ["no other package adds anything"]
    print_result(table, {"plugins": entries}, as_json=as_json)


def _told(problem: str, fails: str) -> str:
    return f"left out: {problem}" if problem else f"fails: {fails}" if fails else ""


def report_plugins() -> None:
    for line in left_out():
        print_error(line)
