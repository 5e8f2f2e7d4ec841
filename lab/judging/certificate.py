"""Certificates: strategies as text that a program of a few lines can verify without Noughts.

The head states the rules and the claim. An entry follows for each position that the side can meet if it follows the
strategy: the position, and the moves that it may play there. `certificate_check.py`, a file without any dependency,
walks all games of the strategy. The last line of a certificate is a digest of the text, so that a changed entry is
noticed even if the changed strategy is as good.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import resources
from typing import Final

from engine.evaluate import Policy, best_response, faced_decisions
from engine.game import BadText, Game, Outcome, Side
from engine.grid_game import GridGame
from engine.spaces import space_of
from lab.judging.certificate_check import check

HEAD: Final = "noughts certificate 1"
CLAIMS: Final = ("wins every game", "never loses")


def certificate_text(game: Game, policy: Policy, sides: Sequence[Side]) -> str:
    """Return the certificate of a policy as `sides`. Raises `BadText` if the policy loses, or for other rules.

    The checker has verified the certificate, since a game of another package may have rules that the checker lacks.
    """
    if not isinstance(game, GridGame) or not game.places_pieces or not game.in_a_row or game.marks != ("X", "O"):
        raise BadText(f"{game.title} cannot be certified: the checker knows games of pieces in a row only")
    space, claims, entries = space_of(game), list[str](), list[str]()
    for side in sides:
        worst = best_response(space, side, policy)
        if worst.loss:
            raise BadText(f"as {game.mark(side)} it can lose: noughts judge shows how")
        claims.append(f"{game.mark(side)} {CLAIMS[0] if worst.win == 1 else CLAIMS[1]}")
        for row in faced_decisions(space, side, policy).nonzero()[0].tolist():
            edges = space.edges_from(row)
            moves = " ".join(game.move_name(int(space.move[edge])) for edge in edges if policy[edge] > 0)
            entries.append(f"{game.to_text(int(space.position[row]))} {moves}")
    misere = game.outcome(game.pack(game.lines[0], 0, Side.SECOND)) is Outcome.SECOND_WINS  # who completes a row loses
    size = f"columns {game.board.columns} rows {game.board.rows} row {game.in_a_row}"
    rules = f"{size} falls {int(game.falls)} misere {int(misere)}"
    lines = [HEAD, f"game {game.name}", rules, *(f"claim {claim}" for claim in claims), *entries]
    body = "\n".join(lines) + "\n"
    text = f"{body}sha256 {sha256(body.encode()).hexdigest()}\n"
    try:
        check(text)
    except (ValueError, LookupError, StopIteration) as error:
        raise BadText(f"{game.title} cannot be certified: the checker does not know its rules: {error}") from error
    return text


def checker_text() -> str:
    """Return the program that checks certificates."""
    return resources.files("lab.judging").joinpath("certificate_check.py").read_text("utf-8")


def claims_of(text: str) -> Mapping[str, str]:
    """Return the claims of a certificate, by the mark of the side."""
    lines = [line.split(" ", 2) for line in text.splitlines() if line.startswith("claim ")]
    return {mark: claim for _, mark, claim in lines}
