"""`noughts plugins`: what other packages add to the program."""

from dataclasses import asdict

import click

from cli.shared.common import json_option, print_error, print_result
from lab.plugins import left_out
from lab.text.columns import columns
from lab.text.sanitise import plain
from learners import plugins


@click.command("plugins")
@json_option
def plugins_command(*, as_json: bool) -> None:
    """List what other packages add to the program.

    A package adds games, learners and players through entry points: see
    docs/extending.md. A plug-in that cannot be used is left out, and the list
    says why.

    \b
    Examples:
      noughts plugins
      noughts plugins --json
    """
    found = plugins()
    rows = [
        (each.kind, each.name, f"{each.package} {each.version}", f"left out: {each.problem}" if each.problem else "")
        for each in found
    ]
    document = {"plugins": [{**asdict(each), "problem": each.problem or None} for each in found]}
    table = columns([[*map(plain, row)] for row in rows], "<<<<") if found else ["no other package adds anything"]
    print_result(table, document, as_json=as_json)


def report_plugins() -> None:
    for line in left_out():
        print_error(line)
