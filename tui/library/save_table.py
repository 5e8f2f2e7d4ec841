"""Saves as a list, a line each, of which only visible ones are drawn; and the base that portraits share with it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.strip import Strip

from lab.board.opponent_strength import learner_title, level_name, meter, preset_text, training_text
from lab.board.opponents import LevelKey, LevelOrReason, save_candidate
from lab.text.names import learner_name
from lab.text.numbers import decimal_percent
from lab.text.sanitise import label
from learners.players.levels import LEVEL_OPPONENTS, Level
from saves.library.library import Entry
from tui.widgets.cursor_view import CursorView
from tui.widgets.palette import theme_colour


class SaveView(CursorView):
    """Shows saves with a cursor. When it is refilled, the cursor stays on its save, or else in its place."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open", "Look inside", tooltip="shows what it remembers")]

    class Opened(CursorView.Opened):
        """Names the save, since the cursor may have moved on."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, levels: Mapping[LevelKey, LevelOrReason], *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.entries: Sequence[Entry] = ()
        self.scores: Mapping[str, str] = {}
        """The score of the games against each save, in words, by the name of the save."""
        self._levels = levels

    @property
    def count(self) -> int:
        return len(self.entries)

    @property
    def selected(self) -> Entry | None:
        return self.entries[self.cursor] if 0 <= self.cursor < len(self.entries) else None

    @property
    def saves_in_view(self) -> list[Entry]:
        """The save under the cursor, then those in and near the visible rows."""
        entries = [*self.visible_saves()]
        if self.selected is not None:
            entries.insert(0, self.selected)
        return entries

    def action_open(self) -> None:
        if self.selected is not None:
            self.post_message(self.Opened(self.selected.name))

    def visible_saves(self) -> Sequence[Entry]:
        """Return the saves in and near the visible rows."""
        raise NotImplementedError

    def fill(self, entries: Sequence[Entry], select: str | None = None) -> None:
        """Show these saves; the cursor goes to the save named `select`, if given."""
        if select is None and self.selected is not None:
            select = self.selected.name
        self.entries = entries
        places = (place for place, entry in enumerate(entries) if entry.name == select)
        self.cursor = max(0, min(next(places, self.cursor), len(entries) - 1))
        self.lay_out()
        self.call_after_refresh(self.follow)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.lay_out()


def find_saves(words: str, entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the saves that have all words in their names, learners, presets or games, in any case of letters."""
    saves, words_to_find = [], words.casefold().split()
    for entry in entries:
        text = f"{entry.name} {entry.learner} {learner_title(entry)} {entry.preset} {entry.game}".casefold()
        if all(word in text for word in words_to_find):
            saves.append(entry)
    return saves


NAME_WIDTHS: Final = (13, 30)
"""The minimum and maximum width of the name, in columns."""
LEVEL_WIDTHS: Final = (10, 16)
"""The width of the level, a word or a bar and a word, in columns."""
LOSSES: Final = "% lost to random  perfect  reader"
OPTIONAL: Final = {"changed": 10, LOSSES: len(LOSSES), "score": 12}
"""The columns that are shown if there is room, the most important first, with their widths."""
TITLES: Final = ("name", "level", LOSSES, "what it is", "score", "changed")
MIN_ABOUT, BAR_FROM = 30, 23
"""The minimum width of the description, in columns, beside optional columns, and beside the bar of the level."""
LINES_AROUND: Final = 10
"""The number of lines above and below the visible ones whose levels are computed in advance."""
PADDING: Final = 1
"""The empty columns at either side of a cell."""
HEADING, CURSOR = "save-table--heading", "save-table--cursor"


class SaveTable(SaveView):
    """Lists saves, one in each row below a heading that stays."""

    DEFAULT_CSS = """
    SaveTable {
        & > .save-table--heading { background: $panel; color: $foreground; text-style: bold; }
        & > .save-table--cursor { background: $block-cursor-blurred-background; }
        &:focus > .save-table--cursor {
            background: $block-cursor-background; color: $block-cursor-foreground; text-style: $block-cursor-text-style;
        }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {HEADING, CURSOR}
    heading = 1
    _drawn: dict[int, tuple[LevelOrReason | None, Text]]

    def lay_out(self) -> None:
        self._drawn = {}
        self._column_widths = self._choose_columns()
        super().lay_out()

    def visible_saves(self) -> Sequence[Entry]:
        top = self.scroll_offset.y
        return self.entries[max(0, top - LINES_AROUND) : top + self.size.height + LINES_AROUND]

    def render_line(self, y: int) -> Strip:
        place, width = y - 1 + self.scroll_offset.y, self.size.width
        ground = self.visual_style.rich_style
        if y == 0:
            text = self._row({title: Text(title) for title in self._column_widths})
            ground = self.get_component_rich_style(HEADING)
        elif place >= len(self.entries):
            return Strip.blank(width, ground)
        else:
            text = self.row(place)
            if place == self.cursor:
                ground = self.get_component_rich_style(CURSOR)
                if self.has_focus:
                    text = Text(text.plain, no_wrap=True)  # no colour of its own has enough contrast there
        strip = Strip(text.render(self.app.console)).adjust_cell_length(width)
        return strip.apply_style(ground)

    def row(self, place: int) -> Text:
        """Return a line of the list, as it is drawn; kept until its level changes."""
        entry = self.entries[place]
        level = self._levels.get(save_candidate(entry).key)
        if place in self._drawn:
            drawn_level, line = self._drawn[place]
            if drawn_level is level:
                return line
        line = self._row(self._cells(entry))
        self._drawn[place] = level, line
        return line

    def _row(self, texts: dict[str, Text]) -> Text:
        line = Text(no_wrap=True)
        for column, width in self._column_widths.items():
            text = texts[column]
            text.truncate(width, overflow="ellipsis", pad=True)
            line.append(" " * PADDING).append_text(text).append(" " * PADDING)
        return line

    def _cells(self, entry: Entry) -> dict[str, Text]:
        changed = Text("built in", "dim")
        if not entry.gallery:
            changed = Text(day_text(entry.updated, datetime.now().astimezone()))
        return {
            "name": label(entry.name, 60),
            "level": self._level_text(entry),
            LOSSES: Text(self._losses_text(entry)),
            "what it is": label(self._about_text(entry), 100),
            "score": Text(self.scores.get(entry.name, "")),
            "changed": changed,
        }

    def _losses_text(self, entry: Entry) -> str:
        level = self._levels.get(save_candidate(entry).key)
        if not isinstance(level, Level):
            return ""
        random, perfect, reader = (decimal_percent(level.losses[each]) for each in LEVEL_OPPONENTS)
        return f"{random:>16}{perfect:>9}{reader:>8}"

    def _about_text(self, entry: Entry) -> str:
        if entry.trouble:
            return f"{entry.learner}: {entry.trouble}"
        facts = training_text(entry), preset_text(entry)
        return learner_name(learner_title(entry), *facts, room=self._column_widths["what it is"])

    def _level_text(self, entry: Entry) -> Text:
        candidate = save_candidate(entry)
        level = self._levels.get(candidate.key)
        has_bar = self._column_widths["level"] == max(LEVEL_WIDTHS)
        bar = Text(f"{meter(level)} " if has_bar else "", theme_colour(self, "role-good"), no_wrap=True)
        return bar.append(level_name(candidate, level), "not bold")

    def _choose_columns(self) -> dict[str, int]:
        """Return the titles of the columns that fit, with their widths."""
        short, long = LEVEL_WIDTHS
        room = self.size.width - 1 - long - 3 * 2 * PADDING
        minimum, maximum = NAME_WIDTHS
        longest = max((len(entry.name) for entry in self.entries), default=maximum)
        name = max(minimum, min(maximum, room // 3, longest))
        about, widths = room - name, dict[str, int]()
        for title, width in OPTIONAL.items():
            if about - width - 2 * PADDING >= MIN_ABOUT and (title != "score" or self.scores):
                about -= width + 2 * PADDING
                widths[title] = width
        level = long if about >= BAR_FROM else short
        widths |= {"name": name, "level": level, "what it is": max(1, about + long - level)}
        return {title: widths[title] for title in TITLES if title in widths}


def day_text(then: datetime, now: datetime) -> str:
    """Return a day: `today`, `yesterday`, `3 days ago`, or its date."""
    days = (now.date() - then.astimezone().date()).days
    if not 0 <= days < 7:
        return f"{then.astimezone():%Y-%m-%d}"
    return {0: "today", 1: "yesterday"}.get(days, f"{days} days ago")
