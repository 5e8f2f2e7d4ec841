"""What a save learned from a game, in words and as a curve."""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.evaluate import SAME
from lab.board.teaching import Effect, Lesson
from lab.text.numbers import bars, percent_text
from learners.core.learner import Learner
from learners.core.player import Player
from saves.library.library import SAVE

MAX_LINES: Final = 5
"""The maximum number of lines that the changes of one game take."""


def lesson_lines(words: Sequence[str], most: int = MAX_LINES) -> list[str]:
    """What a game changed in a memory, in at most `most` lines."""
    if not words:
        return ["nothing changed"]
    shown = list(words[: most - (len(words) > most)])
    return [*shown, f"and {len(words) - len(shown)} more"] if len(shown) < len(words) else shown


def effect_text(effect: Effect) -> str:
    """What a game changed in a learner's play: how likely it is to repeat one move of it, and all its moves."""
    if effect.ply is None:
        return "It plays as before."
    game, ply, (before, after) = effect.match.game, effect.ply, effect.again
    position, move = effect.match.positions[ply], effect.match.moves[ply]
    name = f"{game.mark(game.side(position))} {game.move_name(move)} at move {ply + 1}"
    if effect.after <= SAME:
        text = f"It will not play {name} again."
    else:
        more = "more" if effect.after > effect.before else "less"
        chances = f"{percent_text(effect.after)}, before {percent_text(effect.before)}"
        text = f"It is {more} likely to play {name}: {chances}."
    if after <= SAME < before:
        return f"{text} This game cannot happen again."
    if abs(after - before) > SAME:
        return f"{text} Chance that it repeats all its moves: {percent_text(after)}, before {percent_text(before)}."
    return text


def gained_text(lesson: Lesson) -> str:
    """How much the numbers of a memory grew: `Beads gained: +8`."""
    return f"{lesson.learner.view.words.growth_title}: {signed_text(lesson.gained)}"


def signed_text(count: int) -> str:
    """A gain or a loss: `+3`, `−1`."""
    return f"{count:+,}".replace("-", "−")


def curve_text(numbers: Sequence[int], width: int) -> str:
    """The last numbers as a curve in one line of at most `width` characters."""
    shown = numbers[-width:]
    return bars(shown, min(shown), max(shown))


def why_nobody_learns(players: Iterable[Player | None], advice: str) -> str:
    """Why none of these players can learn at the board; `advice` says what to do if another player could."""
    for player in players:
        if isinstance(player, Learner) and not player.spec.learns_records:
            name = player.label.removeprefix(SAVE)
            if not player.spec.learns:
                return f"{name} is the policy of another program: it cannot learn."
            return f"{name} never learns from a single game: it cannot learn at the board."
    return advice
