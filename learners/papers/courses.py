"""The shortest courses: how many games teach each machine never to lose, if a teacher chooses all luck."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final

from engine.evaluate import best_response
from engine.game import Side
from engine.games.hexapawn import THREE_BY_THREE as HEXAPAWN
from engine.games.tictactoe import TICTACTOE
from engine.stop import Stop, Stopped
from learners import parse_learner
from learners.courses.course import SEED, Course, Pupil, play_course, shipped
from learners.papers.report import UNPRINTED, Finding, FindingTable, PaperResult, Source
from learners.papers.running import Paper, PaperTask, ReportShare

SOURCE: Final = Source(
    "courses",
    "The shortest course that teaches a machine never to lose",
    "found here; no source prints these figures",
    "How many games a machine must play until nobody beats it, if a teacher chooses its opponent's moves and its luck.",
    topic="shortest courses, found here",
)
STRIKING: Final = (
    Pupil("menace", "her", HEXAPAWN, Side.SECOND),
    Pupil("failures", "literal", TICTACTOE, Side.FIRST),
    Pupil("failures", "literal", TICTACTOE, Side.SECOND),
    Pupil("failures", "riechel-2007", TICTACTOE, Side.FIRST),
    Pupil("failures", "riechel-2007", TICTACTOE, Side.SECOND),
)
"""Machines that strike the last move of a lost game."""
STRIKE: Final = "Machines that strike moves"
OTHERS: Final = "Other machines"


def loss_after(course: Course, report: ReportShare, stop: Stop) -> float:
    """Play a course; return the machine's chance to lose then to a player that reads its memory. Raises `Stopped`."""
    learner = parse_learner(course.learner)(course.game, course.preset, SEED, course.settings)
    for taught in play_course(learner, course):
        if stop():
            raise Stopped
        report(taught.number / course.length)
    return max(best_response(learner.space, side, learner.policy()).loss for side in course.games)


def _bounded(what: str, found: int, bound: int) -> Finding:
    return Finding(what, UNPRINTED, (found,) if found == bound else f"at most {found:,}, at least {bound:,}")


def findings_of(pupil: Pupil, report: ReportShare, stop: Stop) -> list[Finding]:
    course, game = shipped()[pupil], pupil.game
    name = f"{pupil.learner}:{pupil.preset}, {game.title}, {game.mark(pupil.side)}"
    if loss_after(course, report, stop):
        raise ValueError(f"{name} can lose after its course")
    findings = [_bounded(f"{name}: games", course.length, course.bound)]
    if course.aims:
        findings.append(_bounded(f"{name}: moves to strike", course.aims, course.least_aims))
    return findings


def _tasks(_seed: int) -> list[PaperTask[list[Finding]]]:
    striking = [each for each in shipped() if each in STRIKING]
    others = [each for each in shipped() if each not in STRIKING]
    return [
        PaperTask(what, shipped()[pupil].length, partial(findings_of, pupil))
        for what, pupils in ((STRIKE, striking), (OTHERS, others))
        for pupil in pupils
    ]


def _tables(found: Mapping[str, Sequence[list[Finding]]], _seed: int) -> PaperResult:
    about = {STRIKE: "a number alone is a proved minimum", OTHERS: "the best courses that were found"}
    tables = (FindingTable(what, about[what], tuple(chain(*findings))) for what, findings in found.items())
    return tuple(tables), ()


def courses() -> Paper[list[Finding]]:
    return Paper(SOURCE, _tasks, _tables)
