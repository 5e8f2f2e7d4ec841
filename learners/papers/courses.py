"""The shortest courses: how many games teach each machine never to lose, if a teacher chooses all luck."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from engine.evaluate import best_response
from engine.stop import Stop, Stopped
from learners import parse_learner
from learners.courses.course import SEED, Course, Pupil, play_course, shipped_courses
from learners.papers.report import UNPRINTED, Finding, FindingTable, PaperResult, Source
from learners.papers.running import Paper, PaperPart, ReportShare

SOURCE: Final = Source(
    "courses",
    "The shortest course that teaches a machine never to lose",
    "found here; no source prints these figures",
    "How many games a machine must play until nobody beats it, if a teacher chooses its opponent's moves and its luck.",
    topic="shortest courses, found here",
)


def loss_after(course: Course, report: ReportShare, stop: Stop) -> float:
    """Play a course; return the machine's chance to lose then to a player that reads its memory. Raises `Stopped`."""
    learner = parse_learner(course.learner)(course.game, course.preset, SEED, course.settings)
    for taught in play_course(learner, course):
        if stop():
            raise Stopped
        report(taught.number / course.length)
    return max(best_response(learner.space, side, learner.policy()).loss for side in course.games)


def _bounded_finding(what: str, count: int, bound: int) -> Finding:
    if count == bound:
        return Finding(what, UNPRINTED, (count,))
    return Finding(what, UNPRINTED, f"at most {count:,}, at least {bound:,}")


def _name(pupil: Pupil) -> str:
    return f"{pupil.learner}:{pupil.preset}, {pupil.game.title}, {pupil.game.mark(pupil.side)}"


def findings_of(pupil: Pupil, _seed: int, report: ReportShare, stop: Stop) -> list[Finding]:
    course, name = shipped_courses()[pupil], _name(pupil)
    if loss_after(course, report, stop):
        raise ValueError(f"{name} can lose after its course")
    findings = [_bounded_finding(f"{name}: games", course.length, course.bound)]
    if course.strikes:
        findings.append(_bounded_finding(f"{name}: moves to strike", course.strikes, course.least_strikes))
    return findings


def _tables(results: Mapping[str, Sequence[list[Finding]]], _seed: int) -> PaperResult:
    striking, others = list[Finding](), list[Finding]()
    for pupil, course in shipped_courses().items():
        findings = results[_name(pupil)][0]
        if course.strikes:
            striking += findings
        else:
            others += findings
    return (
        FindingTable.of("Machines that strike moves", "a number alone is a proved minimum", *striking),
        FindingTable.of("Other machines", "the best courses that were found", *others),
    ), ()


def courses() -> Paper[list[Finding]]:
    parts = [
        PaperPart(_name(pupil), partial(findings_of, pupil), course.length)
        for pupil, course in shipped_courses().items()
    ]
    return Paper(SOURCE, parts, _tables)
