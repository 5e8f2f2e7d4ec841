"""The dialogs of Play: to choose an opponent, a side and the length of a series, or one of several moves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from types import MappingProxyType
from typing import ClassVar, Final, NamedTuple

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Button, Label, Select, Static

from engine.game import Game, Move, Position, Side
from engine.games import known_games, parse_game
from engine.stop import Stop, Stopped
from lab.board.opponent_strength import candidate_name, player_sentence, strength_text
from lab.board.opponents import (
    SEATS,
    Candidate,
    LevelOrReason,
    Levels,
    best_seat,
    candidates,
    candidates_to_sort,
    first_opponent,
    first_without_level,
    level_for,
    only_side,
    seat_of,
    seating_against,
    sort_by_strength,
)
from lab.board.own_level import OwnLevel, mark_nearest, own_level
from lab.board.seating import Seating, Sides
from lab.text.sanitise import plain
from learners.core.learner import PERSON
from learners.core.save_ref import without_checkpoint
from saves import gallery
from saves.errors import LibraryError
from saves.library.library import Entry, Library
from tui.play.opponent_list import BEATEN, OpponentList
from tui.shell.background import ignore
from tui.shell.dialog import Question, dialog_frame
from tui.shell.parts import ChoiceList, Prose, Tick, entitle
from tui.widgets.palette import Palette, palette_of

WATCH: Final = "watch"
"""The value in the list of sides that means: watch two machines."""
LENGTHS: Final = (("no end", 0), ("3 games", 3), ("5 games", 5), ("10 games", 10))
MAX_NAME_LENGTH: Final = 30
"""The maximum number of characters of a name in the title."""
LINES_AROUND: Final = 15
"""The lines of the dialog that are not of the list, where there is room."""
MIN_LIST_LINES: Final = 15
"""The minimum number of lines for the list, where there is room."""
SHOW_INTERVAL: Final = 0.1
"""Seconds between two updates of the list while levels are computed."""


class Opposition(NamedTuple):
    """What the library knows of the opponents."""

    entries: list[Entry]
    beaten: Mapping[str, frozenset[str]] = MappingProxyType({})
    """The opponents that a person has beaten, by game."""
    problem: str = ""
    """Why the library could not be read; the saves are then those that come with the program."""


def read_opposition(library: Library, game: Game) -> Opposition:
    """Read what a library knows; `game` is the game at the board. This may take long."""
    try:
        return Opposition(
            library.entries(), {each.name: library.games.beaten_opponents(each) for each in known_games(game)}
        )
    except LibraryError as error:
        return Opposition([*gallery.entries()], problem=str(error))


class PlayersDialog(Question[Seating | None]):
    """Asks for an opponent, or for two machines to watch; its result is the seating, or `None` after Escape."""

    CSS = """
    PlayersDialog {
        & > .dialog { width: 78; max-width: 97%; height: 92%; }
        &.-wide > .dialog { width: 90; }
        &.-low > .dialog { padding: 0 1; height: 100%; max-height: 100%; }
        & .players-line { height: 1; }
        & #players-label { width: 10; color: $text-muted; }
        & #players-game { width: 24; }
        &.-tall #players-list { margin: 1 0; }
        & #players-about { height: 5; padding-top: 1; }
        &.-tall #players-about { padding-top: 0; height: 4; }
        &.-tall.-wide #players-about { height: 3; }
        & #players-choices Label { width: auto; color: $text-muted; margin-right: 1; }
        & #players-side { width: 16; margin-right: 3; }
        & #players-series { width: 14; }
        & #players-foot Tick { width: 1fr; background: transparent; }
        & #players-choices, & #players-foot { margin-top: 1; }
        &.-even > .dialog { padding: 0 2; }
        & #players-foot Button { margin-left: 2; min-width: 10; }
    }
    """

    def __init__(self, seating: Seating, known: Opposition, proposed: str = "") -> None:
        """Start with `seating`; if `proposed`, the label of an opponent, is given, the cursor starts there."""
        super().__init__()
        self.seating, self.known, self.proposed = seating, known, proposed
        self.own: dict[str, OwnLevel | None] = {}
        """The person's level by game, as far as it is known."""
        self.wish = seat_of(seating) or WATCH
        """The side that the person wants; it is kept while the opponent under the cursor allows only the other one."""
        self._seat = self.wish
        """The seat that is shown."""
        self._side_chosen = False
        """Whether the person chose a side in this dialog."""
        self.watched: Candidate | None = None
        """The machine chosen for the first side, if two machines play."""
        self._unsorted: list[Candidate] = []
        """The players whose levels are computed in advance: the next time, the list is sorted by them."""
        self._computing = False
        at_board = {seating.first, seating.second}
        present = [each for each in candidates(seating.game, known.entries) if each.label in at_board]
        self._learns = seating.learning or not any(each.learns for each in present)
        """Whether a machine that can learn does so unless the person decides otherwise: if none sits there, it does."""
        self.levels: Levels = self.app.levels  # type: ignore[attr-defined]
        """The levels computed so far, including those of earlier dialogs."""
        self.opponents = OpponentList(self.levels, id="players-list")
        machines = [label for label in (seating.first, seating.second) if label != PERSON]
        self.opponents.present = without_checkpoint(machines[-1]) if machines else ""

    @property
    def library(self) -> Library:
        library: Library = self.app.library  # type: ignore[attr-defined]
        return library

    def compose(self) -> ComposeResult:
        seating = self.seating
        with dialog_frame("Choose your opponent"):
            with Horizontal(classes="players-line"):
                yield Label("Game", id="players-label")
                games = [(game.title, game.name) for game in known_games(seating.game)]
                yield ChoiceList(games, value=seating.game.name, id="players-game")
            yield self.opponents
            yield Prose("", id="players-about", markup=False)
            with Horizontal(classes="players-line", id="players-choices"):
                yield Label("Your side", classes="of-side")
                yield ChoiceList(
                    _sides(seating.game, palette_of(self)), value=self.wish, id="players-side", classes="of-side"
                )
                yield Label("Series")
                lengths = [length for _, length in LENGTHS]
                yield ChoiceList(LENGTHS, value=seating.length if seating.length in lengths else 0, id="players-series")
            with Horizontal(classes="players-line", id="players-foot"):
                yield Tick("It learns from our games", self._learns, id="players-learn", compact=True)
                yield Button("Play", variant="primary", id="players-play", compact=True)
                yield Button("Back", id="players-back", compact=True)

    def on_mount(self) -> None:
        self.opponents.focus()
        first, second = self.seating.first, self.seating.second
        self.offer(self.proposed or (second if first == PERSON else first))
        if self.known.problem:
            self.warn(self.known.problem)

    @property
    def game(self) -> Game:
        return parse_game(str(self.query_one("#players-game", Select).value))

    @property
    def watching(self) -> bool:
        return self.wish == WATCH

    @property
    def selected(self) -> Candidate | None:
        return self.opponents.selected

    def offer(self, label: str | None = None) -> None:
        """List all players of the game, sorted by the levels known so far; move the cursor to `label`."""
        self.opponents.beaten = self.known.beaten.get(self.game.name, frozenset())
        if self.game.name not in self.own:
            self.own[self.game.name] = None
            find, mark = partial(own_level, self.library.games, self.game), partial(self.mark_own_level, self.game)
            # `read_opposition` has said what is wrong with the library
            self.run_in_background(f"own level at {self.game.name}", find, mark, ignore)
        everybody = mark_nearest(candidates(self.game, self.known.entries), self.own[self.game.name])
        if self.watching:
            everybody = [each for each in everybody if not each.is_person]
        chosen = self.selected
        if not label and (chosen is None or chosen.label not in {each.label for each in everybody}):
            label = first_opponent(self.game, everybody)
        self._unsorted = candidates_to_sort(everybody)
        self.query_one(".dialog").styles.max_height = LINES_AROUND + max(len(everybody), MIN_LIST_LINES)
        self.opponents.show(sort_by_strength(everybody, self.levels), label)
        self.update_texts()
        self.compute_levels()

    def mark_own_level(self, game: Game, level: OwnLevel | None) -> None:
        self.own[game.name] = level
        if level is not None:
            self.opponents.show(mark_nearest(self.opponents.everybody, self.own.get(self.game.name)))

    def update_texts(self) -> None:
        """Update the texts: what to choose, and how strong the opponent under the cursor is."""
        chosen, game = self.selected, self.game
        title = "Choose your opponent"
        asks_next = self.watching and not self.watched
        if asks_next:
            title = f"Who plays {game.mark(Side.FIRST)}?"
        elif self.watched is not None and self.watching:
            opponent = plain(candidate_name(self.watched), MAX_NAME_LENGTH)
            title = f"Who plays {game.mark(Side.SECOND)} against {opponent}?"
        verb = "goes on" if asks_next else "plays"
        title += f" · {self.opponents.cursor + 1} of {self.opponents.count}"
        for each in self.query("#players-choices .of-side"):
            each.visible = chosen is None or not chosen.is_person
        entitle(self.query_one(".dialog"), title, f"Enter {verb} · `Tab`: side, series, game · `Esc` back")
        self.query_one("#players-play", Button).label = "Next" if asks_next else "Play"
        self.query_one("#players-learn", Tick).visible = bool(self.pupils)
        self.query_one("#players-about", Static).update("" if chosen is None else self._about(chosen))
        self._offer_sides(None if chosen is None or self.watching else self.levels.get(chosen.key))

    def _offer_sides(self, known: LevelOrReason | None) -> None:
        """Offer all sides; if the opponent, whose level is `known`, plays one side only, offer the other side.

        Unless the person has chosen a side, the opponent gets the side that it was trained for.
        """
        only = only_side(known)
        select, sides = self.query_one("#players-side", ChoiceList), _sides(self.game, palette_of(self), only)
        wish = self.wish if self._side_chosen else best_seat(self.wish, known)
        self._seat = wish if only is None else sides[0][1]
        with select.prevent(Select.Changed):  # the person did not change it
            select.refill(sides, self._seat)

    def _about(self, chosen: Candidate) -> Text:
        known = self.levels.get(chosen.key)
        only = only_side(known)
        about = "" if self.has_class("-narrow") else player_sentence(chosen)
        text = f"{about} {strength_text(self.game, chosen, known)}".lstrip()
        if chosen.label in self.opponents.beaten:
            text = f"{BEATEN} You have beaten it. {text}"
        if only is not None and about:
            yours = "" if self.watching else f": you play {self.game.mark(only.other)}"
            text += f" It plays {self.game.mark(only)} only{yours}."
        return palette_of(self).draw_marks(Text(text), self.game)

    @property
    def pupils(self) -> list[Candidate]:
        """The chosen machines that can learn while they play."""
        return [each for each in (self.watched, self.selected) if each is not None and each.learns]

    def compute_levels(self) -> None:
        """Start to compute missing levels, unless that is already in progress."""
        if not self._computing and self.next_without_level() is not None:
            self._computing = True
            self.run_in_steps("levels", self._compute_missing_levels, self.show_levels)

    def next_without_level(self) -> Candidate | None:
        """Return the player whose level to compute next: first those in and near view, then those to be sorted."""
        return first_without_level([*self.opponents.near, *self._unsorted], self.levels)

    def _compute_missing_levels(self, stop: Stop) -> Iterator[bool]:
        """Compute missing levels; yield now and then whether all are known."""
        last_shown = monotonic()
        candidate = self.next_without_level()
        while candidate is not None and not stop():
            try:
                level = level_for(self.library, candidate, partial(self._gives_way, candidate, stop))
                self.levels[candidate.key] = level
            except Stopped:
                if stop():
                    raise
            if monotonic() - last_shown > SHOW_INTERVAL or candidate is self.selected:
                yield False
                last_shown = monotonic()
            candidate = self.next_without_level()
        yield True

    def _gives_way(self, wanted: Candidate, stop: Stop) -> bool:
        """Return whether to stop a computation, at the latest for the player under the cursor: some take a minute."""
        if stop():
            return True
        chosen = self.selected
        return first_without_level([] if chosen is None else [chosen], self.levels) not in (None, wanted)

    def show_levels(self, done: bool) -> None:  # noqa: FBT001  from a thread
        """Show the levels computed so far. The order stays: a line must not move while a person chooses it."""
        self.opponents.refresh()
        self.update_texts()
        if done:
            self._computing = False
            self.compute_levels()

    @on(Select.Changed, "#players-game")
    def change_game(self) -> None:
        self.watched = None
        self.offer()
        self.opponents.focus()

    @on(Select.Changed, "#players-side")
    def change_side(self, event: Select.Changed) -> None:
        if event.value == self._seat or event.value != event.select.value:  # there is a later change already
            return
        self.wish = self._seat = str(event.value)
        self._side_chosen = True
        self.watched = None
        self.offer()

    @on(OpponentList.Moved)
    def show_selected(self) -> None:
        self.update_texts()
        self.compute_levels()

    @on(OpponentList.Opened)
    @on(Button.Pressed, "#players-play")
    def play(self) -> None:
        """Play against the opponent under the cursor; if two machines play, ask for the second one first."""
        chosen = self.selected
        if chosen is None:
            return
        if self.watching and self.watched is None:
            self.watched = chosen
            self.update_texts()
            self.opponents.focus()
        else:
            self.dismiss(self._seating(chosen))

    def _seating(self, chosen: Candidate) -> Seating:
        length = int(str(self.query_one("#players-series", Select).value))
        learning = self.query_one("#players-learn", Tick).value if self.pupils else self.seating.learning
        if self.watched is not None:
            seating = Seating(self.game, self.watched.label, chosen.label)
        else:
            known = self.levels.get(chosen.key)
            wish = self.wish if self._side_chosen else best_seat(self.wish, known)
            seating = seating_against(self.game, wish, chosen.label, only_side(known))
            seating = replace(seating, suits=known is None and not self._side_chosen)  # perhaps it was not tried yet
        return replace(seating, length=length, learning=learning)

    @on(Button.Pressed, "#players-back")
    def action_back(self) -> None:
        """Close the dialog, or go back from the second machine to the first."""
        if self.watched is None:
            self.dismiss(None)
        else:
            self.watched = None
            self.update_texts()


def _sides(game: Game, palette: Palette, only: Side | None = None) -> list[tuple[Text, str]]:
    """Return the choices in the list of sides: the sides of a person, and to watch two machines.

    If the opponent plays `only` one side, the person's side is the other one.
    """
    first, second = game.marks
    names = {
        "first": f"{first} first",
        "second": f"{second} second",
        "alternate": "alternate",
        "random": "at random",
        WATCH: "none: watch",
    }
    seats = [name for name, seat in SEATS.items() if only is None or seat == (Sides.FIXED, only.other)]
    return [(palette.draw_marks(Text(names[seat]), game), seat) for seat in (*seats, WATCH)]


class MoveDialog(Question[Move | None]):
    """Asks for the option of a move, by key or button; its result is the move, or `None` after Escape."""

    CSS = """
    MoveDialog {
        align: right middle; background: transparent;
        & > .dialog { width: 26; padding: 1; margin-right: 1; }
        & .dialog-buttons Button { min-width: 5; margin: 0 1; }
        & .dialog-buttons { align-horizontal: center; }
        & Button:focus { color: $button-color-foreground; background: $primary; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, game: Game, position: Position, moves: Sequence[Move]) -> None:
        super().__init__()
        self._moves = {game.board.option(position, move): move for move in moves}
        square = game.board.squares(position, moves[0])[-1]
        self._question = f"{' or '.join(self._moves)} on {game.board.grid.name(square)}?"

    def compose(self) -> ComposeResult:
        with dialog_frame(self._question), Horizontal(classes="dialog-buttons"):
            for option in self._moves:
                yield Button(option, name=option, compact=True)
            yield Button("Back", id="back", compact=True)

    def on_key(self, event: events.Key) -> None:
        for option, move in self._moves.items():
            if event.character is not None and event.character.upper() == option.upper():
                event.stop()
                self.dismiss(move)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(self._moves.get(event.button.name or ""))
