"""`noughts certify`: write a strategy that anyone can verify without this program."""

from dataclasses import replace as replace_
from pathlib import Path

import click

from cli.shared import common
from cli.shared.agents import AskOptions, add_ask_options, identify_agent, open_agent
from cli.shared.progress import asking_bar
from cli.shared.streams import is_stream, require_one_document, require_writable, write_output
from engine.game import BadText, Game
from engine.notation import parse_sides
from lab.judging.asking.ask_all import NOT_FIXED, ask_all
from lab.judging.certificate import certificate_text, checker_text, claims_of
from lab.text.sanitise import plain
from saves.errors import LibraryError
from saves.files import write_text
from saves.paths import path_text

CHECKER = "check.py"


@click.command()
@click.argument("policy", metavar="POLICY")
@common.path_option("--out", help="The certificate to write; - is standard output, without the checker.", required=True)
@common.game_option_of("a save")
@add_ask_options()
@click.option(
    "--side", metavar="SIDE", help=f"The side that is certified: {common.SIDE_WORDS}.  [default: those it plays]"
)
@common.replace_option
@common.library_and_json
def certify(  # noqa: PLR0913  one parameter an option
    policy: str, out: Path, game: Game | None, *, options: AskOptions, side: str | None, replace: bool, as_json: bool
) -> None:
    """Write a strategy that never loses, and its checker.

    POLICY is a save, a player, a file, or an agent, as in judge. The checker,
    check.py, is one short file without any dependency: it walks all games of
    the strategy, and needs nothing of Noughts.

    \b
    Examples:
      noughts certify perfect --out perfect.cert
      python check.py perfect.cert
    """
    require_one_document(out, as_json=as_json)
    if out.name == CHECKER:
        name = plain(path_text(out))
        raise LibraryError(f"{name} is the name of the checker: choose another name for the certificate")
    require_writable(out, replace=replace)
    checker = out.with_name(CHECKER)
    has_checker = checker.is_file() and checker.read_bytes() == checker_text().encode()
    if not (has_checker or is_stream(out)):
        require_writable(checker, replace=replace)
    label, rules = identify_agent(policy, game, options)
    if not rules.numbered:
        raise BadText(f"{rules.title} is too large for a strategy as text")
    sides = None if side is None else parse_sides(rules, side)
    if sides is not None:
        options = replace_(options, sides=sides)
    with open_agent(label, rules, options) as agent, asking_bar() as report:
        answers = ask_all(rules, agent, sides or agent.sides, report=report, fixed=True)
    if answers.histories is not None:
        raise BadText(NOT_FIXED)
    text = certificate_text(rules, answers.policy, answers.sides)
    if is_stream(out):
        write_output(text)
        return
    if not has_checker:
        write_text(checker, checker_text(), replace=replace)
    write_text(out, text, replace=replace)
    claims, condition = claims_of(text), "" if answers.is_certain else " if it always answers the same"
    common.print_result(
        [
            *(f"As {mark} it {claim}{condition}" for mark, claim in claims.items()),
            f"Wrote {plain(path_text(out))}. Verify it without Noughts: python {CHECKER} {plain(out.name)}",
        ],
        {
            "file": str(out),
            "checker": str(checker),
            "claims": claims,
            "certain": answers.is_certain,
            "entries": text.count("\n") - 4 - len(claims),
        },
        as_json=as_json,
    )
