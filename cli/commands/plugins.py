"""`noughts plugins`: what other packages add to the program."""

from dataclasses import asdict

import click

from cli.shared.common import json_option, print_error, print_result
from lab.plugins import find_failure, left_out_lines
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
    rows, entries = [], []
    for plugin in plugins():
        failure_text = "" if plugin.problem else find_failure(plugin)
        state = ""
        if plugin.problem:
            state = f"left out: {plugin.problem}"
        elif failure_text:
            state = f"fails: {failure_text}"
        rows.append([plain(text) for text in (plugin.kind, plugin.name, f"{plugin.package} {plugin.version}", state)])
        entries.append({**asdict(plugin), "problem": plugin.problem or None, "failure": failure_text or None})
    lines = columns(rows, "<<<<") if rows else ["no other package adds anything"]
    print_result(lines, {"plugins": entries}, as_json=as_json)


def report_plugins() -> None:
    for line in left_out_lines():
        print_error(line)
