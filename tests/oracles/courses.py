"""Courses on the string rules: each game is followed by a naive machine, which must be free to play its moves."""

from itertools import count

from tests.oracles.failures import NaiveReasoner
from tests.oracles.generator import Generator
from tests.oracles.menace import MACHINES, NaiveMenace, ways_to_see
from tests.oracles.remembering import met
from tests.oracles.rules import DRAW, RULES, read

Moves = list[str]


class FollowingReasoner:
    """A failure-based reasoner that plays what it is told, if it may."""

    def __init__(self, name: str, mark: str, preset: str) -> None:
        self.rules, self.mark = RULES[name], mark
        self.reasoner = NaiveReasoner(self.rules, preset, Generator(1, 2))

    def allowed(self, position: str) -> set[str]:
        return set(self.reasoner.open_moves(position) or self.rules.moves(position))

    def follow(self, moves: Moves) -> None:
        rules, position, turns = self.rules, self.rules.start, []
        for move in moves:
            if not self.reasoner.open_moves(position):
                self.reasoner.find_all_recorded(turns)
            if read(position)[1] == self.mark:
                assert move in self.allowed(position), (position, move)
            turns.append((position, move))
            position = rules.play(position, move)
        outcome = rules.outcome(position)
        assert outcome is not None, position
        if outcome != DRAW:
            self.reasoner.record([turn for turn in turns if read(turn[0])[1] != outcome][-1])


class FollowingMenace:
    """A matchbox machine that plays what it is told, if it has a bead for it."""

    def __init__(self, name: str, mark: str, preset: str) -> None:
        self.rules, self.mark, self.name = RULES[name], mark, name
        machine = {**MACHINES[preset], "sides": [self.rules.marks.index(mark)]}
        self.machine = NaiveMenace(name, machine, Generator(1, 2))

    def box(self, position: str) -> dict[str, int]:
        key = ways_to_see(self.name, position)[0][0]
        return self.machine.boxes.setdefault(key, self.machine.new_box(position))

    def allowed(self, position: str) -> set[str]:
        side, moves = self.rules.marks.index(self.mark), self.rules.moves(position)
        if not self.machine.decides(position, side):
            return set(moves)
        box = self.box(position)
        if not any(box.values()) and self.machine.machine["empty"] == "refill":
            box = self.machine.new_box(position)
        return {move for move in moves if box[self.machine.bead(position, move)]}

    def follow(self, moves: Moves) -> None:
        rules, position, opened, side = self.rules, self.rules.start, [], self.rules.marks.index(self.mark)
        for move in moves:
            if read(position)[1] == self.mark:
                assert move in self.allowed(position), (position, move)
                if self.machine.decides(position, side):
                    opened.append((self.box(position), self.machine.bead(position, move)))
            position = rules.play(position, move)
        outcome = rules.outcome(position)
        if outcome is None:
            assert read(position)[1] == self.mark, position
            assert not self.allowed(position), position
            outcome = rules.other(self.mark)
        for box, bead in opened[-1:] if self.machine.machine["last only"] else opened:
            self.machine.move_beads(box, bead, self.machine.change(side, outcome))


def verify(pupil: FollowingReasoner | FollowingMenace, games: list[Moves]) -> None:
    """Follow a course; raises `AssertionError` if the machine would not play so, or can lose afterwards."""
    for moves in games:
        pupil.follow(moves)
    met(pupil.rules, pupil.mark, {}, pupil.allowed, symmetric=False)


Failures = frozenset[tuple[str, str]]


def told(name: str, mark: str, preset: str, failures: Failures) -> FollowingReasoner:
    """A reasoner that has recorded these failures."""
    pupil = FollowingReasoner(name, mark, preset)
    pupil.reasoner.failures = dict.fromkeys(failures, 1)
    return pupil


def lines(pupil: FollowingReasoner) -> list[Moves]:
    """All games that the pupil may play."""
    rules, ended = pupil.rules, []
    waiting: list[tuple[str, Moves]] = [(rules.start, [])]
    while waiting:
        position, moves = waiting.pop()
        if rules.outcome(position) is not None:
            ended.append(moves)
            continue
        open_moves = pupil.allowed(position) if read(position)[1] == pupil.mark else set(rules.moves(position))
        waiting += [(rules.play(position, move), [*moves, move]) for move in sorted(open_moves)]
    return ended


def fewest_games(name: str, mark: str, preset: str) -> int:
    """The length of the shortest course of a reasoner, by trying all courses of none, one, two … games."""
    states: set[Failures] = {frozenset()}
    for games in count():
        if any(holds(told(name, mark, preset, failures)) for failures in states):
            return games
        later = set()
        for failures in states:
            for moves in lines(told(name, mark, preset, failures)):
                pupil = told(name, mark, preset, failures)
                pupil.follow(moves)
                later.add(frozenset(turn for turn in pupil.reasoner.failures if read(turn[0])[1] == mark))
        states = later
    raise AssertionError


def holds(pupil: FollowingReasoner) -> bool:
    """Whether the pupil never loses."""
    try:
        met(pupil.rules, pupil.mark, {}, pupil.allowed, symmetric=False)
    except AssertionError:
        return False
    return True
