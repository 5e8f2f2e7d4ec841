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
    match = BEATS_REQUIREMENT.fullmatch(words)
    if match is None or not 0 <= float(match[2]) <= 100:
        raise BadText(f"{quoted(text)} is nothing that can be required: write {REQUIREMENT_FORMS}")
    opponent = "best_responder" if match[1] == "best" else match[1]
    return Requirement(words, opponent, float(match[2]) / 100)


def non_submission_reason(path: Path) -> str:
    """Return the reason why a file in a folder is no submission; empty if it may be one."""
    if path.exists() and not path.is_file():  # a pipe, for example, would be waited for
        return "it is no file"
    names = {path.name.lower(), path.stem.lower(), path.suffix.lower()}
    for kind, known in NON_SUBMISSIONS.items():
        if not names.isdisjoint(known.split()):
            return f"it is {kind}, no agent"
    return ""


def find_agent_object(path: Path) -> tuple[str, str]:
    """Return the agent in a Python file, as `file.py:name`, and a sentence about the choice if there were others.

    The file is not run. If an object and its class have the same name, the object is taken. Raises `BadText`.
    """
    try:
        body = ast.parse(read_text(path)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        kind = "" if isinstance(error, BadText) else f"{type(error).__name__}: "
        raise BadText(f"it is no Python that can be read: {kind}{error}") from error
    defined = [node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name[0] != "_"]
    known = _known_agents([*reversed(_agent_variables(body)), *reversed(defined)])
    candidates = known or defined
    if len(candidates) == 1 or known:
        others = ", ".join(candidates[1:])
        return f"{path}:{candidates[0]}", f"{candidates[0]} is graded, not {others}" if others else ""
    choices = ""
    if defined:
        choices = f" of {', '.join(defined[:MAX_NAMED_FUNCTIONS])}{', …' if len(defined) > MAX_NAMED_FUNCTIONS else ''}"
    raise BadText(
        f"it has no function called {', '.join(AGENT_NAMES[:3])} or the like: name one{choices}, "
        f"as in {path}:{defined[-1] if defined else 'NAME'}"
    )


def _agent_variables(body: Sequence[ast.stmt]) -> list[str]:
    """Return the variables of a module that may hold an agent; see `AGENT_VARIABLES` for the results of calls."""
    names = list[str]()
    for node in body:
        if isinstance(node, ast.Assign):
            targets = [target.id for target in node.targets if isinstance(target, ast.Name)]
            is_call = isinstance(node.value, ast.Call)
            names += [name for name in targets if not is_call or _without_underscores(name) in AGENT_VARIABLES]
    return names


def _known_agents(names: Sequence[str]) -> list[str]:
    """Return those of some names that an agent may have, preferred ones first, each once."""
    known = [name for agent in AGENT_NAMES for name in names if _without_underscores(name) == agent.replace("_", "")]
    return list(dict.fromkeys(known))


def _without_underscores(name: str) -> str:
    return name.lower().replace("_", "")


def grade_agent(agent: str, game: Game, verdict: AgentResults, requirements: Sequence[Requirement]) -> Grade:
    for requirement in requirements:
        for side in verdict.answers.sides:
            failure = _failure(game, verdict, side, requirement)
            if failure:
                losing = (side, verdict.lost[side]) if side in verdict.lost else None
                return Grade(agent, passed=False, reason=f"as {game.mark(side)} {failure}", losing=losing)
    names = ", ".join(requirement.name for requirement in requirements)
    precision = ""
    if verdict.sampled is not None:
        precision = f", going by {verdict.sampled.samples:,} answers in each position"
    return Grade(agent, passed=True, reason=f"{names}: as required{precision}")


def _failure(game: Game, verdict: AgentResults, side: Side, requirement: Requirement) -> str:
    """Return why an agent does not keep a requirement as a side; empty if it does."""
    if requirement.opponent:
        return _win_failure(verdict, side, requirement)
    answers, worst = verdict.answers, verdict.scores[side.name.lower()].against["best_responder"]
    wrong = [
        f"it answers {quoted(each.moves[0])} in {game.to_text(each.position)}: not a legal move there"
        for each in answers.illegal
        if game.side(each.position) is side
    ]
    wrong += [
        f"it gives no move in {game.to_text(position)}" for position in answers.missing if game.side(position) is side
    ]
    if requirement.name == "legal" or (wrong and worst.loss):
        return wrong[0] if wrong else ""
    if worst.loss:
        share = "every game"
        if worst.loss < 1 or verdict.sampled is not None:
            *_, percents = _share(verdict, side, "best_responder", "loss")
            share = f"{percents} of the games"
        return f"it loses {share} to a player that has read its memory"
    if requirement.name == "optimal" and verdict.worth[side] > 0 and worst.win < 1:
        return "it never loses, but gives away a won game"
    return ""


def _win_failure(verdict: AgentResults, side: Side, requirement: Requirement) -> str:
    """Return why an agent does not win often enough against an opponent; empty if it does."""
    least, most, percents = _share(verdict, side, requirement.opponent, "win")
    if least >= requirement.share - 1e-9:
        return ""
    if most >= requirement.share:
        needed = percent_text(requirement.share)
        return f"it is not shown to reach {needed}: it beats {requirement.opponent} in {percents}"
    return f"it beats {requirement.opponent} in {percents} only"


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
    failures, skips = (sum(grade.passed is passed for grade in grades) for passed in (False, None))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuite name={quoteattr(plain(suite))} tests="{len(grades)}" failures="{failures}" skipped="{skips}">',
    ]
    for grade in grades:
        case = f"  <testcase name={quoteattr(plain(grade.agent))}"
        if grade.passed:
            lines.append(f"{case}/>")
        else:
            element = "skipped" if grade.passed is None else "failure"
            sentences = filter(None, (plain(grade.reason), grade.lost_game))
            lines.append(f"{case}><{element} message={quoteattr('. '.join(sentences))}/></testcase>")
    return "\n".join([*lines, "</testsuite>", ""])
