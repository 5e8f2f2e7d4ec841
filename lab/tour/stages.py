"""What the tour says at each of its stages, and when they are done. Keys stand in `ticks`."""

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from engine.game import Outcome
from lab.board.session import Session
from lab.modes import KEYS, TITLES
from lab.tour.screen_view import INSIDE, Opened, Sight
from lab.training.training_job import JobState
from lab.words.board_game import seat_name
from lab.words.learner_facts import marked, verdict
from lab.words.numbers import count_text, percent_text, rounds_text
from lab.words.sanitise import plain
from learners import parse_learner
from learners.core.learner import Learner

LONGEST: Final = 14
"""Longer names are cut, so that what is to be done has room in the narrowest terminal."""


@dataclass(frozen=True)
class Words:
    """What there is to do, and more for where there is room: what comes before that, and what comes after."""

    do: str
    before: str = ""
    after: tuple[str, ...] = ()

    def fitting(self, width: int, lines: int) -> str:
        """As much as finds room: what there is to do in any case."""
        ways = [(self.before, self.do, *self.after[:count]) for count in range(len(self.after), -1, -1)]
        texts = [" ".join(part for part in way if part) for way in ways]
        return next((text for text in texts if len(wrap(text.replace("`", ""), max(1, width))) <= lines), self.do)


@dataclass(frozen=True)
class Stage:
    """A step. `deed` tells what the person has done of it, `None` before; `news` what came of that."""

    title: str
    place: str
    words: Callable[[Sight], Words]
    """What it says where it happens."""
    deed: Callable[[Sight], object] = lambda _sight: None
    news: Callable[[Sight], str] = lambda _sight: ""


def seen(sight: Sight) -> Opened:
    if sight.opened is None:
        raise ValueError("no save is open")
    return sight.opened


def cut(name: str) -> str:
    return plain(name.replace("`", "'"), LONGEST)


def machine_of(session: Session) -> str:
    """The one machine at the board that a person plays, else nothing."""
    machines = [seat for seat in session.seats if seat is not None]
    return cut(seat_name(machines[0])) if len(machines) == 1 else ""


def play_words(sight: Sight) -> Words:
    session = sight.session
    if session is None or session.match.outcome is not None:
        return Words("`n` begins a game: play it to its end.")
    machine = machine_of(session)
    small = session.game.board.rows * session.game.board.columns <= len("123456789")
    how = "a digit picks a square" if small else "`Enter` picks a square"
    return Words(f"Play {machine or 'a game'} to the end: {how}.", after=("Losing is fine.",))


def game_over(sight: Sight) -> object:
    over = sight.session is not None and sight.session.match.outcome is not None
    return id(sight.session.match) if sight.session is not None and over else None


def result_news(sight: Sight) -> str:
    """How the game ended for the one person at the board; nothing of a game of two persons or machines."""
    session = sight.session
    outcome: Outcome | None = None if session is None else session.match.outcome
    machine = "" if session is None else machine_of(session)
    if session is None or outcome is None or not machine:
        return "That game is over."
    if outcome.winner is None:
        return f"A draw with {machine}."
    return f"You beat {machine}." if session.seats[outcome.winner] is None else f"{machine} beat you."


def train_words(sight: Sight) -> Words:
    job = sight.job
    if job is not None and job.running:
        name = cut(job.name)
        if job.paused:
            return Words("It rests: `Space` goes on, `x` ends it and keeps it.", f"{name} is in training.")
        return Words(f"{name} learns: `x` ends that and keeps it.", after=("Or wait until it is over.",))
    do = f"`g` trains: {sight.form}." if sight.form else "`g` starts the training that the form describes."
    failed = job is not None and job.view.state is JobState.FAILED
    return Words(do, "That training failed." if failed else "", ("It is kept in the library.",))


def trained(sight: Sight) -> object:
    job = sight.job
    over = job is not None and job.view.done and job.view.state in (JobState.FINISHED, JobState.STOPPED)
    return job if over else None


def trained_news(sight: Sight) -> str:
    job = sight.job
    if job is None:
        return ""
    unkept = ", but could not be kept" if job.unkept else ""
    rounds = rounds_text(job.view.done, parse_learner(job.view.snapshot.learner).spec.round_noun, short=False)
    return f"{cut(job.name)} has learned from {rounds}{unkept}."


def shelf_words(sight: Sight) -> Words:
    own = "" if sight.job is None or sight.job.name not in sight.shelf else sight.job.name
    if own and own != sight.chosen:
        return Words(f"The arrows go to {cut(own)}, `Enter` looks inside.")
    return Words(f"`Enter` looks inside {cut(sight.chosen) or 'a save'}.", after=("The arrows choose another.",))


def wall_words(sight: Sight) -> Words:
    save = seen(sight)
    words = save.then.learner.view.words
    if not save.cards:
        return Words("Nothing is on its wall: `F2` goes on.")
    things = f"{count_text(save.cards)} {words.counted(save.cards)}"
    return Words(
        f"The arrows go over its {things}.",
        after=("That is all it knows: little boards, and what it holds of the moves on each.",),
    )


def looked(sight: Sight) -> object:
    return True if sight.opened is not None and sight.opened.moved else None


def rewind_words(sight: Sight) -> Words:
    save = seen(sight)
    first, now = save.past.moments[0], save.past.now
    if first == now:
        return Words("No earlier moment of it is known: `F2` goes on.")
    if save.then.rounds == now:
        return Words(
            "Press `,` to go back to when it knew less.",
            after=("The bars at the bottom tell how much it lost to perfect play, from its first moment to today.",),
        )
    if save.then.rounds == first:
        return Words("Press `.` to come back to today, moment by moment.", "This is how it began.")
    return Words("`,` goes further back, `.` comes on to today.")


def at_today(sight: Sight) -> object:
    """Done by going back and coming on again: so also wherever no earlier moment is shown."""
    save = sight.opened
    return None if save is not None and save.then.rounds != save.past.now else True


def tally_text(learner: Learner) -> str:
    """How its games ended, as it counted them."""
    endings = learner.view.endings(learner.stats())
    return ", ".join(f"{count_text(count)} {label.format(*learner.game.marks)}" for label, count in endings.items())


def truth_words(sight: Sight) -> Words:
    """Of the save as it is today, whichever moment is shown: how good it looks, and who still beats it."""
    save = seen(sight)
    today = save.past.at(save.past.now)
    game = today.learner.game
    before = f"Its tally{'' if save.then.rounds == today.rounds else ' today'}: {tally_text(today.learner)}."
    after = "Computed, not played." if not save.covered else "`Escape` shows the figures."
    loss, mark = max(
        ((results.against["best_responder"].loss, mark) for mark, results in marked(game, today.exact)),
        key=lambda each: each[0],
    )
    if not loss:
        return Words(verdict(game, today.exact), before, (after,))
    do = f"A best responder beats it in {percent_text(loss)} of games as {mark}."
    return Words(do, before, ("It knows this memory.", after))


def last_words(_sight: Sight) -> Words:
    return Words(
        "`v` in the Library plays against a save, `?` helps anywhere.",
        after=(
            f"`{KEYS['race']}` lets learners race.",
            f"`{KEYS['papers']}` re-runs the papers behind them.",
            f"`{KEYS['tree']}` shows the tree of each game.",
        ),
    )


STAGES: Final = (
    Stage("lose to something", "play", play_words, game_over, result_news),
    Stage("train your own", "train", train_words, trained, trained_news),
    Stage("look inside it", INSIDE, wall_words, looked),
    Stage("rewind it", INSIDE, rewind_words, at_today),
    Stage("meet the truth", INSIDE, truth_words),
    Stage("where to go now", "", last_words),
)


def words_of(stage: Stage, sight: Sight) -> Words:
    """What a stage says wherever the person is: elsewhere, how to come to where it happens."""
    if stage.place in ("", sight.place):
        return stage.words(sight)
    if stage.place != INSIDE:
        if sight.mode == stage.place:
            return Words("`Escape` goes back.")
        return Words(f"`{KEYS[stage.place]}` opens {TITLES[stage.place]}.")
    if sight.mode != "library":
        return Words(f"`{KEYS['library']}` opens the Library, `Enter` there looks inside a save.")
    return Words("`Escape` goes back.") if sight.above else shelf_words(sight)
