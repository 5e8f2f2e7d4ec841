"""Library: all saves and the gallery, to inspect, rename, delete, train on, play against, export and import."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widget import Widget

from engine.game import BadText
from engine.games import parse_game
from engine.stop import Stop
from lab.board.opponent_strength import strength_text
from lab.board.opponents import level_for, save_candidate, seating_of
from lab.results.portraits import Portrait, add_losses, portrait_of, score_texts
from lab.text.sanitise import plain
from learners import kind_of, revive
from learners.core.save_ref import parse_name
from learners.players.levels import Level
from saves import gallery
from saves.library.library import DELETED_FOR, Entry
from tui.library.compare_screen import CompareScreen
from tui.library.memory_screen import MemoryScreen
from tui.library.other_dialog import OtherDialog
from tui.library.save_about import SaveAbout
from tui.library.save_files import ask_for_import, export_of
from tui.library.save_portraits import SavePortraits
from tui.library.save_table import SaveTable, SaveView, find_saves
from tui.shell.dialog import Prompt
from tui.shell.files import Export
from tui.shell.learner_facts import UNTEACHABLE
from tui.shell.parts import entitle
from tui.shell.requests import PlayAgainst, TrainOn
from tui.shell.screen import LabScreen
from tui.widgets.library_tools import LIBRARY_BINDINGS, LibraryTools, Trouble

MAX_PORTRAITS: Final = 30
"""The maximum number of saves that are shown as portraits; more are a list."""


class LibraryScreen(LabScreen):
    """Shows the saves as portraits, or as a list with facts and exact results of the save under the cursor."""

    mode = "library"
    HELP = """\
# Library

All saves, the newest first, and after them the gallery that comes with Noughts. A portrait shows the level of a save,
from harmless to perfect, and the share of games from which that follows: what it loses on average to random play, to
perfect play, and to a reader, a player that has read its memory. The curve shows how this share fell during its
training; beside it are the boxes that it uses most. In the frame below stand its training, the games between you, won
and lost, and the day of its last change. **Enter** looks inside a save. **f** shows all saves as a list, with the
figures of the one under the cursor; a narrow terminal and more than 30 saves always show the list. **/** finds saves by
words in their names, learners and games. **z** compares a save with another. **u** restores the save that was deleted
last. Files: `.json` holds everything, `.txt` is the text format of Riechel's paper. **K** backs up the whole library.
If the library is damaged, **V** sets it aside and recovers what can be read.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Look inside", tooltip="shows what it remembers", show=True),
        Binding("v", "play", "Play", tooltip="plays against it"),
        Binding("T", "go_on", "Train on", tooltip="goes on with its training"),
        Binding("z", "compare", "Compare", tooltip="compares it with another"),
        Binding("R", "rename", "Rename", tooltip="gives it another name"),
        Binding("delete,backspace", "delete", "Delete", tooltip="deletes it; u brings it back", key_display="Del"),
        Binding("u", "undelete", "Undo", tooltip="restores what was deleted"),
        Binding("slash", "find", "Find", tooltip="lists saves by some words", key_display="/"),
        Binding("f", "figures", "Figures", tooltip="shows the exact results, or hides them"),
        Binding("I", "import", "Import", tooltip="reads a save from a file"),
        *LIBRARY_BINDINGS,
    ]

    def __init__(self) -> None:
        super().__init__()
        self.entries: Sequence[Entry] = ()
        """All saves, including those that are not listed."""
        self.words = ""
        """The words that a listed save must have; empty for all saves."""
        self.trouble = ""
        """The reason why the library cannot be read; empty if it can."""
        self.deleted: list[str] = []
        """The names of saves that were deleted on this screen and not restored, in order."""
        self.figures = False
        """Whether the user wants to see the figures of the save under the cursor."""
        self._is_computing = False
        self._awaited: str | None = None
        """The name of a save to which the cursor moves once it is listed."""

    def body(self) -> Iterable[Widget]:
        with Vertical(id="library"):
            yield Trouble()
            with Container(id="library-halves"):
                with Vertical(id="library-list"):
                    yield SavePortraits(self.lab.levels, self.lab.portraits, id="portraits")
                    yield SaveTable(self.lab.levels, id="saves")
                yield SaveAbout(self.lab.library)

    @property
    def is_long(self) -> bool:
        """Whether there are more saves than are shown as portraits."""
        return len(self.query_one(SaveTable).entries) > MAX_PORTRAITS

    @property
    def is_list(self) -> bool:
        """Whether the saves are shown as a list."""
        is_small = self.has_class("-narrow") or self.has_class("-cramped")
        return self.figures or self.is_long or is_small

    @property
    def is_framed(self) -> bool:
        """Whether a frame around the saves says which they are."""
        return self.is_list or bool(self.words)

    @property
    def table(self) -> SaveView:
        return self.query_one(SaveTable) if self.is_list else self.query_one(SavePortraits)

    @property
    def selected(self) -> Entry | None:
        return self.table.selected

    def draw(self) -> None:
        self.show(self.entries, self.trouble)
        self.call_after_refresh(self.show_strength)

    def set_up(self) -> None:
        self.tools = LibraryTools(self)
        super().set_up()
        self.show((), "")  # arranged before the library has been read
        self.reload()

    def on_screen_resume(self) -> None:
        if self.is_ready:
            self.reload()

    def show_changes(self) -> None:
        if self.is_ready:
            if self.tools.has_changed():
                self.reload()
            self.compute_levels()

    def reload(self) -> None:
        """Reload the list; the cursor stays on its save, or moves to the awaited one."""
        library = self.lab.library

        def read(_: Stop) -> tuple[Sequence[Entry], Mapping[str, str]]:
            self.tools.mark_read()
            return library.entries(), score_texts(library)

        self.run_in_background(
            "entries",
            read,
            lambda result: self.show(result[0], "", result[1]),
            lambda trouble: self.show([*gallery.entries()], trouble, {}),
        )

    def show(self, entries: Sequence[Entry], trouble: str, scores: Mapping[str, str] | None = None) -> None:
        """Show these saves, as far as they have the words looked for; without `scores`, those shown stay."""
        self.entries, self.trouble = entries, trouble
        listed = find_saves(self.words, entries)
        if not listed or (self._awaited and all(entry.name != self._awaited for entry in listed)):
            self.words, listed = "", entries
        portraits, table = self.query_one(SavePortraits), self.query_one(SaveTable)
        if scores is not None:
            portraits.scores = table.scores = scores
        selected = portraits.selected if portraits.display else table.selected
        name = self._awaited
        if name is None and selected is not None:
            name = selected.name
        table.fill(listed, name)  # first: its length says which of the two is shown
        portraits.fill(() if self.is_list else listed, name)
        portraits.display, table.display = not self.is_list, self.is_list
        self.set_class(self.is_list, "-listing")
        self.set_class(self.is_long and self.has_class("-vast"), "-aside")
        if not self.focused or not self.focused.display:
            self.table.focus()
        if self.selected is not None and self.selected.name == self._awaited:
            self._awaited = None
        self.query_one(Trouble).show(trouble)
        self.query_one("#library-list").set_class(self.is_framed, "panel")
        self.refresh_bindings()
        self.show_strength()

    def compute_levels(self) -> None:
        """Compute missing levels of the visible saves, and what visible portraits show, in the background."""
        if not self._is_computing and self._find_next_step():
            self._is_computing = True
            self.run_in_steps("levels", self._compute, lambda _: self.show_strength())

    def _find_next_step(self) -> Callable[[Stop], None] | None:
        """Return what to compute next: first the boxes of all visible saves that are drawn, then curves and levels."""
        entries, levels, portraits = self.table.saves_in_view, self.lab.levels, self.lab.portraits
        drawn_entries = self._portrayed_saves() if self.is_list else entries
        for entry in drawn_entries:
            if save_candidate(entry).key not in portraits:
                return partial(self._find_boxes, entry)
        for entry in entries:
            portrait = portraits.get(save_candidate(entry).key)
            if entry in drawn_entries and isinstance(portrait, Portrait) and not portrait.is_complete:
                return partial(self._find_curve, entry, portrait)
            if save_candidate(entry).key not in levels:
                return partial(self._find_level, entry)
        return None

    def _find_boxes(self, entry: Entry, _: Stop) -> None:
        self.lab.portraits[save_candidate(entry).key] = portrait_of(self.lab.library, entry)

    def _find_curve(self, entry: Entry, portrait: Portrait, stop: Stop) -> None:
        self.lab.portraits[save_candidate(entry).key] = add_losses(self.lab.library, entry.name, portrait, stop)

    def _find_level(self, entry: Entry, stop: Stop) -> None:
        candidate = save_candidate(entry)
        self.lab.levels[candidate.key] = level_for(self.lab.library, candidate, stop)

    def _compute(self, stop: Stop) -> Iterator[None]:
        """Compute missing levels and portraits, step by step."""
        try:
            while not stop():
                step = self._find_next_step()
                if step is None:
                    return
                step(stop)
                yield
        finally:
            self._is_computing = False

    @on(SaveView.Moved)
    def show_strength(self) -> None:
        """Show the levels computed so far, and in a sentence how strong the save under the cursor is."""
        if not self.is_ready:
            return
        self.table.refresh()
        entry, text, level = self.selected, "", None
        if entry is not None:
            candidate = save_candidate(entry)
            try:
                level = self.lab.levels.get(candidate.key)
                text = plain(entry.trouble) or strength_text(parse_game(entry.game), candidate, level)
            except BadText as error:
                text = plain(str(error))
        portrait = None
        for each in self._portrayed_saves():
            portrait = self.lab.portraits.get(save_candidate(each).key)
        about = self.query_one(SaveAbout)
        about.show(entry.name if entry else "", text, portrait if isinstance(portrait, Portrait) else None)
        if entry is not None and self.shows_figures:
            about.find_figures(entry.name, save_candidate(entry).key)
        about.set_class(level is None or isinstance(level, Level), "-exact")  # its figures say what the text says
        self._entitle_list()

    def _entitle_list(self) -> None:
        frame = self.query_one("#library-list")
        place = self.table.place_text if self.selected else ""
        if not self.is_framed:
            entitle(frame, "")
        elif self.words:
            entitle(frame, f"Saves with {self.words}", f"{place} · `/` finds others" if place else "")
        else:
            entitle(frame, "Saves", place)

    @property
    def shows_figures(self) -> bool:
        """Whether figures are shown: if the user wants them, or if they are beside a long list."""
        return self.figures or self.has_class("-aside")

    def _portrayed_saves(self) -> Sequence[Entry]:
        """Return the save that is drawn below its figures, if there is room."""
        if self.selected is None or not self.shows_figures or not self.has_class("-tall"):
            return []
        return [self.selected]

    def action_figures(self) -> None:
        """Show the list with the figures of the save under the cursor, or the portraits again."""
        self.figures = not self.figures
        self.query_one("#library").set_class(self.figures, "-figures")
        self.draw()

    @work(exit_on_error=False)
    async def action_find(self) -> None:
        """List only the saves with some words; without words, show all again."""

        def check(words: str) -> str:
            if not find_saves(words, self.entries):
                raise BadText("No save has all of these words in its name, learner, preset or game.")
            return words.strip()

        words = await self.ask(Prompt("Find saves by words · an empty line shows all", self.words, check, verb="Find"))
        if words is not None:
            self.words = words
            self.draw()

    @work(thread=True, exclusive=True, group="change", exit_on_error=False)
    def attempt(self, action: Callable[[], str | None], select: str | None = None) -> None:
        """Run a change of the library in a thread, show the message that it returns or its error, and reload the list.

        The cursor then moves to the save named `select`, if given.
        """
        self._awaited = None
        with self.lab.warning():
            report = action()
            if report:
                self.app.call_from_thread(self.app.notify, plain(report, 300), markup=False)
            self._awaited = select
        self.reload()

    def action_open(self) -> None:
        self.table.action_open()

    @on(SaveView.Opened)
    @work(exit_on_error=False)
    async def look_inside(self, message: SaveView.Opened) -> None:
        await self.ask(MemoryScreen(message.name))

    @work(exit_on_error=False)
    async def action_compare(self) -> None:
        entry = self.selected
        if entry is None:
            return
        other = await self.ask(OtherDialog(entry.name, entry.game, {}))
        if other is not None:
            await self.ask(CompareScreen(entry.name, str(other)))

    def action_play(self) -> None:
        """Play against a save; if it was trained for one side only, take the other side."""
        if self.selected is not None:
            library, name = self.lab.library, self.selected.name
            self.run_in_background("seat", lambda _: PlayAgainst(seating_of(revive(library.load(name)), name)), self.go)

    def action_go_on(self) -> None:
        entry = self.own_selection("trained on; export it and import it under your own name")
        if entry is None:
            return

        def load(_: Stop) -> TrainOn:
            snapshot = self.lab.library.load(entry.name)
            if not kind_of(snapshot).spec.learns:
                raise BadText(f"{entry.name}: {UNTEACHABLE}")
            return TrainOn(entry.name, snapshot)

        self.run_in_background("seat", load, self.go)

    def undo_target(self) -> str | None:
        return f"deletion of {plain(self.deleted[-1], 24)}" if self.deleted else None

    def own_selection(self, change: str) -> Entry | None:
        """Return the selected save; if it belongs to the gallery, `None`, with a warning that it cannot be changed.

        `change` completes the warning, as in `renamed`.
        """
        entry = self.selected
        if entry is not None and entry.gallery:
            self.lab.warn(f"{entry.name} belongs to the gallery and cannot be {change}.")
            return None
        return entry

    @work(exit_on_error=False)
    async def action_rename(self) -> None:
        entry = self.own_selection("renamed")
        if entry is None:
            return
        new_name = await self.ask(Prompt(f"Rename {entry.name}", entry.name, parse_name, verb="Rename"))
        if new_name is not None and new_name != entry.name:
            self.attempt(lambda: self.lab.library.rename(entry.name, new_name), select=new_name)

    def action_delete(self) -> None:
        entry = self.own_selection("deleted")
        if entry is None:
            return

        def delete() -> str:
            self.lab.library.delete(entry.name)
            self.deleted.append(entry.name)
            days = DELETED_FOR.days
            return f"{entry.name} is deleted. u brings it back; for {days} days, so does noughts saves undelete."

        self.attempt(delete)

    def action_undelete(self) -> None:
        if not self.deleted:
            self.lab.warn("Nothing was deleted in this session. For earlier ones: noughts saves list --deleted")
            return
        name = self.deleted[-1]

        def undelete() -> str:
            self.lab.library.undelete(name)
            self.deleted.remove(name)
            return f"{name} is restored."

        self.attempt(undelete, select=name)

    def current_export(self) -> Export | None:
        """Return the export of the save under the cursor."""
        return None if self.selected is None else export_of(self.lab.library, self.selected.name)

    @work(exit_on_error=False)
    async def action_import(self) -> None:
        read_file = await ask_for_import(self)
        if read_file is not None:
            self.attempt(read_file)

    def action_back_up(self) -> None:
        self.tools.back_up()

    def action_recover(self) -> None:
        self.tools.recover()
