"""The X-ray in words: what a machine, or best play, thinks of each square that a person may pick next."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeVar

from engine.analysis.rating import RatedMove, is_open, rate_in_steps
from engine.connect_solver.lasting_threats import LastingThreat, lasting_threats
from engine.game import Game, Move, Position
from engine.plural import own_moves, signed_text
from engine.stop import Stop, never
from lab.advice.advice import LOOKING, rated_move_text
from lab.advice.xray import OFF, THREATS, Lens
from lab.memory.open_box import groups_of
from lab.text.numbers import percent_text
from lab.text.sanitise import plain
from learners.core.player import Player, Thought
from learners.players.searcher import stoppable
from tui.widgets.board_cursor import squares_of_move
from tui.widgets.board_shape import DISCS

INDISTINCT: Final = 0.005
"""The difference between two probabilities below which the moves count as equally likely."""
Rated = TypeVar("Rated", Thought, RatedMove)


SEVERAL: Final = "·"
"""The sign for several answers, of which none is the likeliest."""
AIR: Final = 2
"""The columns of a square that a text leaves free, so that the texts of neighbours do not run together."""


class Tone(StrEnum):
    """How good a move is; each tone has a colour on the board."""

    PLAIN = "plain"
    QUIET = "quiet"
    GOOD = "good"
    EVEN = "even"
    BAD = "bad"


@dataclass(frozen=True)
class Note:
    """The text in a square."""

    texts: tuple[str, str, str]
    """The text in three lengths, the longest first. All squares of a board show the same length, to be comparable."""
    tone: Tone = Tone.PLAIN
    share: float = 0.0
    """How strongly the background is shaded, from 0 to 1: the probability of the move."""
    answered: str = ""
    """What a machine does after the move, said in the frame while the cursor is there; empty if the squares say it."""
    squares: tuple[int, ...] = ()
    """The squares of the answer."""


NOTHING: Final = Note(("",) * 3)
Notes = Mapping[int, Note]
"""The notes by square."""


def note_texts(notes: Notes, width: int) -> dict[int, str]:
    """Return each square's text in `width` columns: the longest form with air around it, or the shortest one, cut."""
    form = -1
    for nth in range(len(NOTHING.texts)):
        if all(len(note.texts[nth]) <= width - AIR for note in notes.values()):
            form = nth
            break
    return {square: note.texts[form][:width] for square, note in notes.items()}


def notes_in_steps(
    lens: Lens, game: Game, position: Position, chosen: Sequence[int] = (), stop: Stop = never
) -> Iterator[tuple[Notes, bool]]:
    """Yield the notes of a lens, and whether better ones follow; no notes once the game is over. This may take long.

    `chosen` are the squares picked so far of a move that takes more than one. Raises `KeyError`, `Stopped`.
    """
    if lens.kind == OFF or game.outcome(position) is not None:
        yield {}, False
    elif lens.kind == THREATS:
        yield notes_of_threats(game, position), False
    elif lens.player is None:
        for rated in rate_in_steps(game, position, stop):
            yield notes_of_truth(game, position, rated, chosen), is_open(game, rated)
    elif lens.answers is None:
        player = stoppable(lens.player, stop)
        thoughts, twins = groups_of(player, position, player.thoughts(position))
        yield notes_of_mind(game, position, thoughts, chosen, twins), False
    elif lens.is_blind:
        yield {}, False
    else:
        yield from notes_of_answers(game, position, stoppable(lens.player, stop), chosen)


def notes_of_mind(
    game: Game,
    position: Position,
    thoughts: Iterable[Thought],
    chosen: Sequence[int] = (),
    twins: Mapping[Move, Move] = MappingProxyType({}),
) -> Notes:
    """Return the probability with which a machine plays a move to each square, in per cent.

    `twins` maps each move that shares its number with an earlier one to that move, whose thought stands for both.
    """
    notes = {}
    for square, group in _group_by_square(game, position, thoughts, chosen).items():
        chance = sum(thought.chance for thought in group)
        is_excluded = all(thought.excluded for thought in group)
        whole = round(100 * chance)
        texts = (percent_text(chance), f"{whole} %", f"{whole}")
        notes[square] = Note(texts, Tone.BAD if is_excluded else Tone.PLAIN, chance)
    for move, first in twins.items():
        first_note = notes.get(game.board.squares(position, first)[-1])
        if first_note is not None:
            name = game.move_label(position, first)
            note = Note((f"= {name}", f"= {name}", f"={name}"), first_note.tone, first_note.share)
            notes.setdefault(game.board.squares(position, move)[-1], note)
    return notes


def notes_of_answers(
    game: Game, position: Position, player: Player, chosen: Sequence[int] = ()
) -> Iterator[tuple[Notes, bool]]:
    """Yield the most likely answer of a machine to the move to each square, and its probability; whether more follow.

    In a large game, where each answer takes a search, those found so far are yielded.
    """
    thoughts = [Thought(move, 0.0, "", "") for move in game.moves(position)]
    groups, notes = _group_by_square(game, position, thoughts, chosen), dict[int, Note]()
    for square, group in groups.items():
        notes[square] = _answers_note(game, position, [each.move for each in group], player)
        if not game.numbered and len(notes) < len(groups):
            yield {**notes}, True
    yield notes, False


def _answers_note(game: Game, position: Position, moves: Sequence[Move], player: Player) -> Note:
    """Return the note on the answers of a machine to the moves that lead to one square."""
    answers = [_answer(game, game.play(position, move), player) for move in moves]
    if len({*answers}) == 1:
        return answers[0]
    options = [game.board.option(position, move) for move in moves]
    if not all(options):
        count = f"{len(moves)} moves"
        return Note((count, count, SEVERAL), Tone.QUIET)
    long = " ".join(f"{option} {answer.texts[1]}" for option, answer in zip(options, answers, strict=True))
    return Note((long, " ".join(answer.texts[2] for answer in answers), SEVERAL), Tone.QUIET)


def _answer(game: Game, position: Position, player: Player) -> Note:
    """Return the most likely move of a machine; of several equally likely ones, only their number."""
    if game.outcome(position) is not None:
        return _answer_note(game, Note(("the game ends", "ends", "–")), "has no move left")
    thoughts = player.thoughts(position)
    best = max(thoughts, key=lambda thought: thought.chance)
    if not best.chance:
        return _answer_note(game, Note(("resigns",) * 3), "resigns")
    equal = sum(each.chance > best.chance - INDISTINCT for each in thoughts)
    if equal > 1:
        return _answer_note(game, Note((f"{equal} alike", "any", SEVERAL), Tone.QUIET), f"has {equal} equal answers")
    name = game.move_label(position, best.move)
    long = f"→ {name} {percent_text(best.chance)}" if best.chance < 1 else f"→ {name}"
    note = Note((long, f"→{name}", name), squares=squares_of_move(game, position, best.move))
    return _answer_note(game, note, f"takes {game.move_words(position, best.move)}")


def _answer_note(game: Game, note: Note, words: str) -> Note:
    """Return a note on an answer; in heaps, where an answer is no square and takes words, they are for the frame."""
    return replace(note, texts=NOTHING.texts, answered=words) if game.board.heaps else note


def notes_of_threats(game: Game, position: Position) -> Notes:
    """Return notes on lasting threats: the side and kind, as in `X odd`; `!` marks one that counts at the end."""
    by_square: dict[int, list[LastingThreat]] = {}
    for threat in lasting_threats(game, position):
        by_square.setdefault(threat.square, []).append(threat)
    side_marks = DISCS if game.board.discs else game.marks
    notes = {}
    for square, threats in by_square.items():
        marks = " ".join(f"{side_marks[each.side]}{'!' if each.counts else ''}" for each in threats)
        parity = "odd" if threats[0].is_odd else "even"
        tone = Tone.GOOD if any(each.counts for each in threats) else Tone.EVEN
        notes[square] = Note((f"{parity}: {marks}", marks, marks.replace(" ", "")), tone)
    return notes


def notes_of_truth(game: Game, position: Position, rated: Iterable[RatedMove], chosen: Sequence[int] = ()) -> Notes:
    """Return notes on the result of the best move to each square."""
    notes = {}
    for square, group in _group_by_square(game, position, rated, chosen).items():
        best = max(group, key=lambda rated_move: rated_move.merit)
        tone = {1: Tone.GOOD, 0: Tone.EVEN, -1: Tone.BAD, None: Tone.PLAIN}[best.value]
        option = game.board.option(position, best.move)
        long, (middle, short) = rated_move_text(best), _signs(best)
        notes[square] = Note((f"{option} {long}".strip(), f"{option} {middle}".strip(), f"{option}{short}"), tone)
    return notes


def _signs(rated_move: RatedMove) -> tuple[str, str]:
    """Return a rating as short signs: `+2` wins in 2 moves, `=` draws, `−2` loses in 2, `~+5` is the estimate 5."""
    match rated_move.value:
        case None:
            return f"~{signed_text(rated_move.estimate)}", "~"
        case 0:
            return "=", "="
        case worth:
            sign = "+" if worth > 0 else "−"
            return f"{sign}{own_moves(rated_move.plies) or ''}", sign


def _group_by_square(
    game: Game, position: Position, rated: Iterable[Rated], chosen: Sequence[int]
) -> dict[int, list[Rated]]:
    """Group thoughts or rated moves by the square that comes next in their moves."""
    picked = len(chosen)
    groups: dict[int, list[Rated]] = {}
    for each in rated:
        ways = [way for way in game.board.ways(position, each.move) if way[:picked] == tuple(chosen)]
        for square in {way[picked] for way in ways if len(way) > picked}:
            groups.setdefault(square, []).append(each)
    return groups


def xray_text(  # noqa: PLR0913  most have defaults
    game: Game,
    lens: Lens,
    room: int,
    seen: Collection[str] = (),
    *,
    answered: str = "",
    looking: bool = False,
    bare: bool = False,
) -> str:
    """Return what the X-ray shows and, if there is room, what its signs mean; empty if the X-ray is off.

    `seen` are the texts in the squares, `answered` what the machine does after the move under the cursor.
    """
    title = lens.title(game, bare=bare, answered=answered)
    if looking:
        title += f", {LOOKING}"
    if not title:
        return ""
    short_title, brief = title.replace("likeliest ", ""), ""
    if lens.answers is not None:
        brief = f"then it {answered}" if answered else "its answer"
    texts, legend = [], lens.legend(seen)
    if legend:
        joint = ": " if lens.answers is None else "; "
        texts += [f"X-ray: {title}, {legend}", f"{title}{joint}{legend}", f"{title}{joint}{legend.partition(',')[0]}"]
    if any(text == SEVERAL or "moves" in text for text in seen):  # other signs explain themselves
        texts += [f"{short_title}; {legend}", f"{brief}; {legend}"]
    texts += [f"X-ray: {title}", title, short_title]
    if brief:
        texts.append(brief)
    return next((text for text in texts if len(text) <= room), plain(texts[-1], room))
