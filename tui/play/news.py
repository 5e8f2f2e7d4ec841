"""The latest news at the board, in a few lines: advice, the result, beads gained and lost, a reason."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from engine.analysis.debrief import debrief, decisive_mistake
from engine.game import Outcome
from engine.games import GAMES
from engine.match import Match
from engine.plural import counted_noun, signed_text
from engine.stop import Stop
from lab.board.event_sentences import effect_text, lesson_lines, seat_name
from lab.board.session import Session
from lab.board.teaching import Lesson
from lab.memory.card_filter import last_game_cells
from lab.review.debrief import decided_text
from lab.text.sanitise import plain
from learners.core.learner import BOTH, Learner
from learners.core.save_ref import short_label
from learners.menace.learner import Menace
from tui.play.board_sentences import each_reason, reason_texts, result_text, series_text
from tui.shell.filters import JOINT
from tui.shell.parts import height_of
from tui.widgets.palette import Palette

INTRODUCTION: Final = (
    "MENACE is {boxes} matchboxes, one for each position it can meet, mirrored ones shared. "
    "A bead drawn by chance is its move. When it loses, those beads go."
)
"""What a matchbox machine is, in three sentences."""
BRIEF_INTRODUCTION: Final = "{boxes} matchboxes, one for each position: a bead from it is the move."

OUTDATED: Final = "It was trained since this game began: n begins a new one."


def introduction(session: Session, *, narrow: bool) -> str:
    """Return a sentence about the machine at the board, until it has learned something; empty for any other player."""
    pupils = [each for each in session.pupils if each.spec.name == "menace" and not each.rounds]
    sentences = BRIEF_INTRODUCTION if narrow else INTRODUCTION
    return sentences.format(boxes=len(pupils[0].view.cards())) if len(pupils) == 1 else ""


def rewards_of(learner: Learner) -> tuple[int, int, int] | None:
    """Return how many beads a matchbox machine adds for each that it drew, after a win, a draw and a loss.

    `None` for any other learner, and for one whose rule takes more than three numbers.
    """
    settings = learner.settings
    if not isinstance(learner, Menace) or (settings["teaches"], settings["credit"]) != ("all", "own"):
        return None
    win, draw, loss = (int(settings[key]) for key in ("win", "draw", "loss"))
    if win <= 0 or draw < 0 or loss >= 0:
        return None
    return win, draw if learner.game.has_draws else 0, loss


def rewards_text(learner: Learner) -> str:
    """Return `rewards_of` a learner in words; empty without them."""
    rewards = rewards_of(learner)
    if rewards is None:
        return ""
    win, draw, loss = rewards
    drawn = f", a draw {draw}" if draw else ""
    return f"A win adds {counted_noun(win, 'bead')} like each one that it drew{drawn}; a loss takes {-loss} away."


def news_text(  # noqa: PLR0913  all that has happened
    session: Session,
    lessons: Sequence[Lesson],
    advice: str,
    palette: Palette,
    *,
    told: bool,
    listed: bool = False,
    room: tuple[int, int] = (0, 0),
    brief: bool = False,
    narrow: bool = False,
    toured: bool = False,
    decided: str = "",
) -> Text:
    """Return the latest news. `told` is false where a reason would reveal who wins, `listed` true above the moves.

    In lines of `room` that are free stand the reasons of the earlier moves, the newest first, and below the sentences
    about a machine that has not learned yet, during its first game. `toured` is true where the tour introduces the
    machine; `decided` is by which move a person has lost to it. With `brief`, lessons say only which beads were gained
    and lost if advice follows; with `narrow`, always, and a machine is introduced in one sentence.
    """
    outcome, has_begun, lines = session.match.outcome, len(session.match.moves) > 2, list[Text]()
    reason_room = room if narrow else None
    earlier_reasons = [] if listed else [*each_reason(session, palette, reason_room, told=told)]
    for reason in earlier_reasons:
        reason.stylize("dim")
    if outcome is not None:
        lines = _result_lines(session, outcome, palette, decided, narrow=narrow)
    for lesson in lessons:
        lines += lesson_text(lesson, palette, brief=narrow or (brief and bool(advice)), per_line=2 if narrow else 4)
    lines += _advice_lines(advice, palette)
    introduced = "" if toured or outcome is not None or advice else introduction(session, narrow=narrow)
    below: list[Text] = []
    if introduced and not has_begun:
        lines.append(Text(introduced))
    elif not lessons and outcome is None and not advice:
        texts = reason_texts(session, palette, reason_room, told=told, listed=listed)
        lines += texts[:1]
        below += texts[1:]
        earlier_reasons = earlier_reasons[1:]
        if session.current.outdated:
            lines.append(Text(OUTDATED, palette.lit))
    if session.current.practice:
        lines.append(_practice_text(session))
    if introduced:
        sentences = [introduced if has_begun else "", *map(rewards_text, session.pupils)]
        below += [Text(sentence, "dim") for sentence in sentences if sentence]
    return Text("\n").join(_fill(_fill(lines, earlier_reasons, room), below, room))


def _advice_lines(advice: str, palette: Palette) -> list[Text]:
    if not advice:
        return []
    first, *others = advice.split("\n")
    return [Text(first, palette.lit), *(Text(line, "dim") for line in others)]


def _fill(lines: list[Text], below: Sequence[Text], room: tuple[int, int]) -> list[Text]:
    """Return lines with as many of those `below` as the columns and lines of `room` have place for."""
    for line in below:
        if height_of("\n".join(map(str, [*lines, line])), room[0]) > room[1]:
            break
        lines = [*lines, line]
    return lines


def _result_lines(session: Session, outcome: Outcome, palette: Palette, decided: str, *, narrow: bool) -> list[Text]:
    """Return how the game ended, what follows, and what `decided` it."""
    keys = f"Enter: new {'series' if session.series_over else 'game'}".replace(" ", JOINT)
    if session.current.falls_short:
        keys = "Enter: try again · n: new game"
    separator = "\n" if narrow else "   "
    lines = [Text.assemble((result_text(session, outcome), "bold"), separator, (keys, palette.lit))]
    if session.length:
        lines.append(series_text(session))
    if decided:
        why_key = Text(f"d:{JOINT}why", palette.lit)
        lines.append(why_key if narrow else Text.assemble(decided, separator, why_key))
    return lines


def is_lost_by_a_move(session: Session) -> bool:
    """Return whether a person has lost to a machine on the board, in a game so small that its values are known."""
    match = session.match
    winner = None if match.outcome is None or match.resigned else match.outcome.winner
    if winner is None or session.seats[winner] is None or session.seats[winner.other] is not None:
        return False
    return session.game in GAMES and session.game.numbered


def lost_by(match: Match, stop: Stop) -> str:
    """Return the move by which a game was lost; empty if no move was a mistake. Raises `Stopped`."""
    last = decisive_mistake(debrief(match, stop), match.outcome)
    return "" if last is None else decided_text(match, last)


def _practice_text(session: Session) -> Text:
    """Return a text on the practice game: what is to be held and, at the end, whether it was."""
    aim, text = session.current.aim, Text("Practice: this game does not count.", "dim")
    if aim is None:
        return text
    if session.match.outcome is not None and not session.current.falls_short:
        return Text("You have held it.", "dim")
    return text.append(f" It began as {'a win' if aim > 0 else 'a draw'}: hold it.", "not dim bold")


def lesson_text(lesson: Lesson, palette: Palette, *, brief: bool, per_line: int) -> list[Text]:
    """Return what a save learned from a game: the beads gained and lost, and the effect on its play.

    `per_line` is the number of boxes in a line. With `brief`, return only the beads, if there are any.
    """
    learner, boxes = lesson.learner, list[Text]()
    played = last_game_cells(learner, sides=BOTH)
    changed_beads = [(change, *bead_of(learner, change.edge)) for change in lesson.changes]
    refilled = dict.fromkeys(box for change, hue, box in changed_beads if hue and change.edge not in played)
    for change, hue, box in changed_beads:
        if hue and box not in refilled:
            noun, number = box
            name = number if boxes else f"{noun.capitalize()} {number}"
            gain = signed_text(change.after - change.before)
            boxes.append(Text.assemble(name, " ", (gain, "bold"), (palette.bead(hue), palette.of_bead(hue))))
    beads = [Text("  ").join(boxes[nth : nth + per_line]) for nth in range(0, len(boxes), per_line)]
    beads += [Text(f"{noun.capitalize()} {number} was empty, and was refilled.") for noun, number in refilled]
    changes = beads or [Text(line, "dim") for line in lesson_lines([*map(plain, lesson.words)], 3)]
    if brief and beads:
        return changes
    name = plain(short_label(learner.label), 20)
    effect = effect_text(lesson.effect, brief=True).replace("It ", f"{name} ", 1)
    return [*changes, Text(effect)]


def bead_of(learner: Learner, edge: int) -> tuple[int, tuple[str, str]]:
    """Return the colour of the beads of an edge, 0 for none, and the box that holds them: its noun and its number."""
    position, move = learner.view.position_and_move(edge)
    thought = next(each for each in learner.thoughts(position) if each.move == move)
    row = int(learner.space.source[edge])
    return thought.hue, (learner.view.words.noun, learner.view.caption(row))


def board_titles(session: Session, *, awaiting: bool = False) -> list[str]:
    """Return titles of the board, the longest first: `Hexapawn · game 5 · you are W`, or who plays.

    `awaiting` is whether the players are still being loaded.
    """
    game = session.game
    people = [side for side, seat in enumerate(session.seats) if seat is None]
    if awaiting:
        player_texts = [""]
    elif len(people) == 1:
        mark = game.marks[people[0]]
        player_texts = [f"you are {mark}", f"you: {mark}"]
    elif people:
        player_texts = ["two people"]
    else:
        player_texts = [" against ".join(plain(seat_name(seat), 16) for seat in session.seats)]
    number = session.games + 1 if session.match.outcome is None else session.games
    number_text = f"game {number} of {session.length}" if session.length else f"game {number}"
    if session.current.practice:
        number_text = "practice"
    if game is GAMES[0]:
        parts = [[number_text, player_texts[0]]]
    else:
        first, *others = game.title.split(", ")
        names = [game.title, f"{first}, {others[-1]}", first] if others else [game.title]
        parts = [[game.title, number_text, player_texts[0]]]
        parts += [[name, players] for name in names for players in player_texts]
        parts.append(player_texts[:1])
    titles = (" · ".join(filter(None, each)) for each in parts)
    return [title[:1].upper() + title[1:] for title in titles]


def score_text(session: Session, *, with_draws: bool = True) -> str:
    """Return the score: `you 3 : 1 MENACE · 2 drawn`; without draws, `you 3 : 1 MENACE`."""
    order = (1, 0) if session.seats[0] is not None and session.seats[1] is None else (0, 1)
    names = [plain(seat_name(session.seats[side]), 16) for side in order]
    if session.seats == (None, None):
        names = [session.game.marks[side] for side in order]
    points = [session.points[side] for side in order]
    drawn = f" · {session.draws} drawn" if with_draws and session.game.has_draws else ""
    return f"{names[0]} {points[0]} : {points[1]} {names[1]}{drawn}"
