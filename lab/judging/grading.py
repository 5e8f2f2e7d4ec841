"""Grade submissions: whether each agent keeps what is required, in one line, with a lost game as proof."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.sax.saxutils import quoteattr

from engine.game import BadText, Game, Side, quoted
from engine.match import Match
from lab.judging.judge import AgentResults
from lab.text.numbers import percent_text
from lab.text.sanitise import plain
from saves.files import read_text

AGENT_NAMES: Final = (
    *("choose", "agent", "policy", "act", "get_move", "choose_move", "choose_action", "best_move", "get_best_move"),
    *("find_best_move", "get_computer_move", "computer_move", "ai_move", "select_action", "pick_move", "make_move"),
    *("move", "next_move", "get_next_move"),
    *("play", "minimax", "my_agent", "model", "player", "bot"),
)
"""The names that an agent may have in a Python file, in any spelling (`findBestMove`), preferred ones first; without
any, the only function or class of the file is the agent."""
MAX_NAMED_FUNCTIONS: Final = 8
"""The maximum number of functions that a message names if none was chosen."""
AGENT_VARIABLES: Final = frozenset({"agent", "policy", "myagent", "model", "player", "bot"})
"""The names under which the result of a call is an agent; under any other it is a move: `best_move = choose()`."""
BEATS_REQUIREMENT: Final = re.compile(r"beats (random|perfect|self|best) (\d+(?:\.\d+)?) ?%?")
REQUIREMENT_FORMS: Final = "never-loses, optimal, legal, or 'beats random 90 %'"


NON_SUBMISSIONS: Final = {
    "a text": ".md .markdown .txt .rst .adoc .pdf .html .htm .doc .docx .odt .rtf .tex .log readme license licence",
    "a picture": ".png .jpg .jpeg .gif .svg .webp",
    "settings": ".toml .cfg .ini .yml .yaml .lock makefile dockerfile",
    "part of a package": "__init__.py .pyc .pyo",
}
"""The files in a folder that are no submissions: by suffix, by name, or by name without the suffix."""


@dataclass(frozen=True)
class Requirement:
    name: str
    opponent: str = ""
    share: float = 0.0
    """The least share of games that the agent must win against the opponent."""


@dataclass(frozen=True)
class Grade:
    agent: str
    passed: bool | None
    """Whether the agent keeps all requirements; `None` for a file that is no submission."""
    reason: str
    losing: tuple[Side, Match] | None = None
    """A game that the agent loses as the side in the reason."""

    @property
    def lost_game(self) -> str:
        """A sentence with the game that the agent loses; empty if there is none."""
        if self.losing is None or not self.losing[1].moves:
            return ""
        side, match = self.losing
        return f"A game that it loses as {match.game.mark(side)}: {' '.join(map(match.game.move_name, match.moves))}"


def parse_requirement(text: str) -> Requirement:
    """Read a requirement. Raises `BadText`."""
    words = " ".join(text.lower().split())
    if words in ("never-loses", "optimal", "legal"):
        return Requirement(words)
    found = BEATS_REQUIREMENT.fullmatch(words)
    if found is None or not 0 <= float(found[2]) <= 100:
        raise BadText(f"{quoted(text)} is nothing that can be required: write {REQUIREMENT_FORMS}")
    return Requirement(words, {"best": "best_responder"}.get(found[1], found[1]), float(found[2]) / 100)


def non_submission_reason(path: Path) -> str:
    """Return the reason why a file in a folder is no submission; empty if it may be one."""
    if path.exists() and not path.is_file():  # a pipe, for example, would be waited for
        return "it is no file"
    names = {path.name.lower(), path.stem.lower(), path.suffix.lower()}
    return next((f"it is {what}, no agent" for what, known in NON_SUBMISSIONS.items() if names & {*known.split()}), "")


def find_agent_object(path: Path) -> tuple[str, str]:
    """Return the agent in a Python file, as `file.py:name`, and a sentence about the choice if there were others.

    The file is not run. If an object and its class have the same name, the object is taken. Raises `BadText`.
    """
    try:
        body = ast.parse(read_text(path)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        kind = "" if isinstance(error, BadText) else f"{type(error).__name__}: "
        raise BadText(f"it is no Python that can be read: {kind}{error}") from error
    made = [each.name for each in body if isinstance(each, (ast.FunctionDef, ast.ClassDef)) and each.name[0] != "_"]
    given = [
        each.id
        for node in body
        if isinstance(node, ast.Assign)
        for each in node.targets
        if isinstance(each, ast.Name)
        and (not isinstance(node.value, ast.Call) or each.id.lower().replace("_", "") in AGENT_VARIABLES)
    ]
    named = [
        each
        for name in AGENT_NAMES
        for each in (*reversed(given), *reversed(made))
        if each.lower().replace("_", "") == name.replace("_", "")
    ]
    found = [*dict.fromkeys(named)] or made
    if not found or (found is made and len(made) > 1):
        known = f"called {', '.join(AGENT_NAMES[:3])} or the like"
        names = (
            f" of {', '.join(made[:MAX_NAMED_FUNCTIONS])}{', …' if len(made) > MAX_NAMED_FUNCTIONS else ''}"
            if made
            else ""
        )
        raise BadText(f"it has no function {known}: name one{names}, as in {path}:{made[-1] if made else 'NAME'}")
    return f"{path}:{found[0]}", f"{found[0]} is graded, not {', '.join(found[1:])}" if len(found) > 1 else ""


def grade_agent(agent: str, game: Game, verdict: AgentResults, requirements: Sequence[Requirement]) -> Grade:
    for required in requirements:
        for side in verdict.answers.sides:
            failure = _failure(game, verdict, side, required)
            if failure:
                losing = (side, verdict.lost[side]) if side in verdict.lost else None
                return Grade(agent, passed=False, reason=f"as {game.mark(side)} {failure}", losing=losing)
    sampled = verdict.sampled
    seen = f", going by {sampled.samples:,} answers in each position" if sampled is not None else ""
    return Grade(agent, passed=True, reason=f"{', '.join(each.name for each in requirements)}: as required{seen}")


def _failure(game: Game, verdict: AgentResults, side: Side, required: Requirement) -> str:
    against = verdict.scores[side.name.lower()].against
    worst, answers = against["best_responder"], verdict.answers
    if required.opponent:
        won, most, words = _share(verdict, side, required.opponent, "win")
        if won >= required.share - 1e-9:
            return ""
        if most >= required.share:
            return f"it is not shown to reach {percent_text(required.share)}: it beats {required.opponent} in {words}"
        return f"it beats {required.opponent} in {words} only"
    wrong = [
        f"it answers {quoted(each.moves[0])} in {game.to_text(each.position)}: not a legal move there"
        for each in answers.illegal
        if game.side(each.position) is side
    ]
    wrong += [f"it gives no move in {game.to_text(each)}" for each in answers.missing if game.side(each) is side]
    if required.name == "legal" or (wrong and worst.loss):
        return wrong[0] if wrong else ""
    if worst.loss:
        *_, words = _share(verdict, side, "best_responder", "loss")
        share = "every game" if worst.loss == 1 and verdict.sampled is None else f"{words} of the games"
        return f"it loses {share} to a player that has read its memory"
    gives_away = required.name == "optimal" and verdict.worth[side] > 0 and worst.win < 1
    return "it never loses, but gives away a won game" if gives_away else ""


def _share(verdict: AgentResults, side: Side, opponent: str, ending: str) -> tuple[float, float, str]:
    """Return the least and greatest share of games with this ending, which differ only if sampled, and its text."""
    name = side.name.lower()
    interval = None if verdict.sampled is None else verdict.sampled.intervals[name].get(opponent)
    if interval is None:
        share = getattr(verdict.scores[name].against[opponent], ending)
        return share, share, percent_text(share)
    low, high = interval[ending]
    return low, high, f"{percent_text(low)} to {percent_text(high)}"


def junit_text(grades: Sequence[Grade], suite: str) -> str:
    """Return grades in the form of JUnit, which graders and continuous integration read."""
    failed, skipped = (sum(each.passed is passed for each in grades) for passed in (False, None))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name={quoteattr(plain(suite))} tests="{len(grades)}" failures="{failed}" skipped="{skipped}">',
    ]
    for each in grades:
        head = f"  <testcase name={quoteattr(plain(each.agent))}"
        words = quoteattr(". ".join(filter(None, (plain(each.reason), each.lost_game))))
        failure, skipping = (f"><{what} message={words}/></testcase>" for what in ("failure", "skipped"))
        lines.append(head + {True: "/>", False: failure, None: skipping}[each.passed])
    return "\n".join([*lines, "</testsuite>", ""])
