"""The shortest courses: how many games teach each machine never to lose, if a teacher chooses all luck."""

from typing import Final

from engine.evaluate import best_response
from engine.game import Side
from engine.games import parse_game
from learners import parse_learner
from learners.courses.course import Course, new_pupil, play_course
from learners.courses.shipped import Pupil, shipped
from learners.papers.figures import UNPRINTED, Finding, FindingTable, Source
from learners.papers.running import Paper, paper_without_chance

SOURCE: Final = Source(
    "courses",
    "The shortest course that teaches a machine never to lose",
    "found here; no source prints these figures",
    "How many games a machine must play until nobody beats it, if a teacher chooses its opponent's moves and its luck.",
    topic="shortest courses, found here",
)
STRIKING: Final = (
    Pupil("menace", "her", "hexapawn", Side.SECOND),
    Pupil("failures", "literal", "tictactoe", Side.FIRST),
    Pupil("failures", "literal", "tictactoe", Side.SECOND),
    Pupil("failures", "riechel-2007", "tictactoe", Side.FIRST),
    Pupil("failures", "riechel-2007", "tictactoe", Side.SECOND),
)
"""Machines that strike the last move of a lost game."""


def loss_after(course: Course) -> float:
    """Play a course on the machine itself; return its chance to lose then to a player that has read its memory."""
    game = parse_game(course.game)
    learner = new_pupil(parse_learner(course.learner), game, course.preset, course.settings)
    for _ in play_course(learner, course):
        pass
    return max(best_response(learner.space, side, learner.policy()).loss for side in course.games)


def _bounded(what: str, found: int, bound: int) -> Finding:
    return Finding(what, UNPRINTED, (found,) if found == bound else f"at most {found:,}, at least {bound:,}")


def _findings(pupil: Pupil, course: Course) -> list[Finding]:
    game = parse_game(pupil.game)
    name = f"{pupil.learner}:{pupil.preset}, {game.title}, {game.mark(pupil.side)}"
    loss = loss_after(course)
    if loss:
        raise ValueError(f"{name} can lose after its course")
    findings = [_bounded(f"{name}: games", course.length, course.bound)]
    if course.aims:
        findings.append(_bounded(f"{name}: moves to strike", course.aims, course.least_aims))
    return findings


def striking() -> FindingTable:
    """Return the table of the machines that strike moves."""
    findings = [each for pupil in STRIKING for each in _findings(pupil, shipped()[pupil])]
    return FindingTable("Machines that strike moves", "a number alone is a proved minimum", tuple(findings))


def others() -> FindingTable:
    """Return the table of the other machines."""
    findings = [
        each for pupil, course in shipped().items() if pupil not in STRIKING for each in _findings(pupil, course)
    ]
    return FindingTable("Other machines", "the best courses that were found", tuple(findings))


def courses() -> Paper[FindingTable]:
    """Return the paper. It involves no chance: it plays the courses that come with the program."""
    return paper_without_chance(SOURCE, {"machines that strike moves": striking, "other machines": others})
