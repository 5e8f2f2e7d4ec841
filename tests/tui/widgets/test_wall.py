"""The wall of cards: what it shows, how the cursor moves, and that it draws only visible cards."""

import pytest
from textual.app import App
from textual.events import MouseScrollDown, MouseScrollUp

from engine.games import parse_game
from lab.memory.card_filter import last_game_cells
from learners import revive
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves import gallery
from tests.keys import click_event
from tests.saves.brains import train
from tests.tui.piloting import steadily
from tui.shell.looks import Looks
from tui.widgets.wall import Wall

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")
RIECHEL = revive(gallery.load("riechel"))
MICHIE = Menace(TICTACTOE, "michie", 1)
HER = Menace(HEXAPAWN, "her", 1)


class WallApp(App[None]):
    def __init__(self, learner, **words) -> None:
        super().__init__()
        self.looks = Looks(self, lambda _, usual: usual, lambda *_: None)
        self.learner = learner
        self.words = {"empty": "nothing"} | words
        self.selected = []

    def compose(self):
        yield Wall(id="wall")

    def on_mount(self):
        self.wall.show(self.learner, self.learner.view.cards().tolist(), **self.words)
        self.wall.focus()

    @property
    def wall(self):
        return self.query_one(Wall)

    def on_cursor_view_moved(self):
        self.selected.append(self.wall.edge)


def lines(pilot):
    wall = pilot.app.wall
    return [wall.render_line(y).text.rstrip() for y in range(wall.size.height)]


async def shown(pilot):
    await pilot.until(lambda: pilot.app.wall.size.width and pilot.app.wall.virtual_size.height > 1)


async def test_a_card_is_whole_and_the_wall_counts_its_groups():
    async with steadily(WallApp(MICHIE), (60, 24)) as pilot:
        await shown(pilot)
        seen = lines(pilot)
        assert [line[:9] for line in seen[2:7]] == ["┏━━━━━━━┓", "┃ ▃ ▃ · ┃", "┃ · ▃ · ┃", "┃ · · · ┃", "┗━━ 1 ━━┛"]
        assert pilot.app.wall.groups_text == "move 1: 1 · move 3: 12 · move 5: 108 · move 7: 183"


async def test_a_closed_card_shows_only_its_position():
    async with steadily(WallApp(MICHIE), (60, 24)) as pilot:
        await shown(pilot)
        pilot.app.wall.closed = True
        pilot.app.wall.redraw()
        await pilot.pause()
        assert not any(set(line) & set("▁▂▃▄▅▆▇█") for line in lines(pilot))
        assert any("X" in line for line in lines(pilot))


@pytest.mark.sample(1)
@pytest.mark.parametrize("learner", [HER, MICHIE, RIECHEL], ids=lambda learner: learner.preset)
async def test_the_wall_has_every_card_in_order(learner):
    async with steadily(WallApp(learner), (90, 24)) as pilot:
        await shown(pilot)
        wall = pilot.app.wall
        points = [(x, y) for y in range(wall.virtual_size.height) for x in range(wall.size.width)]
        tiles = [wall.place_at(*point) for point in points]
        assert [*dict.fromkeys(each for each in tiles if each is not None)] == [*range(len(wall.edges))]
        assert wall.edges == learner.view.cards().tolist()


async def test_of_thousands_of_cards_only_visible_ones_are_created(monkeypatch):
    made = []
    card = Failures.view_type.card
    monkeypatch.setattr(Failures.view_type, "card", lambda self, edge: made.append(edge) or card(self, edge))
    async with steadily(WallApp(RIECHEL), (120, 40)) as pilot:
        await shown(pilot)
        await pilot.pause()
        in_sight = 12 * 8
        assert len(made) < 4 * in_sight
        made.clear()
        pilot.app.wall.show(RIECHEL, pilot.app.wall.edges, empty="")
        await pilot.until(lambda: made)
        await pilot.pause()
        assert len(made) <= in_sight


async def test_keys_move_the_cursor_and_scroll_to_it():
    async with steadily(WallApp(RIECHEL), (80, 24)) as pilot:
        await shown(pilot)
        wall, per_row = pilot.app.wall, pilot.app.wall._per_row
        for key, cursor in (
            ("left", 0),
            ("up", 0),
            ("right", 1),
            ("down", 1 + per_row),
            ("pagedown", 1 + per_row * (1 + 24 // 5)),
            ("pageup", 1 + per_row),
            ("up", 1),
            ("end", len(wall.edges) - 1),
            ("down", len(wall.edges) - 1),
            ("right", len(wall.edges) - 1),
        ):
            await pilot.press(key)
            assert wall.cursor == cursor, key
            top = wall._cursor_row * wall._height
            assert wall.scroll_offset.y <= top <= wall.scroll_offset.y + 5 * (wall.size.height // 5 - 1)
            assert wall.scroll_offset.y % 5 == 0
        assert any("6,622" in line for line in lines(pilot))
        await pilot.press("home")
        assert wall.cursor == wall.scroll_offset.y == 0
        assert pilot.app.selected[-1] == wall.edges[0]


async def test_up_and_down_keep_the_column_across_groups():
    async with steadily(WallApp(MICHIE), (60, 24)) as pilot:
        await shown(pilot)
        wall = pilot.app.wall
        await pilot.press("down", "right", "right")
        assert wall.cursor == wall._per_row + 2
        await pilot.press("up")
        assert wall.cursor == 2
        await pilot.press("down")
        assert wall.cursor == wall._per_row + 2


async def test_a_click_goes_to_the_card_under_it_and_to_none_beside():
    async with steadily(WallApp(RIECHEL), (80, 24)) as pilot:
        await shown(pilot)
        wall = pilot.app.wall
        await pilot.click(Wall, offset=(wall._slot + 6, 8))
        assert wall.cursor == wall._per_row + 1
        before = len(pilot.app.selected)
        await pilot.click(Wall, offset=(wall.size.width - 1, 1))
        assert len(pilot.app.selected) == before, "right of the last card"
        await pilot.press("end")
        wall.on_click(click_event(wall, wall.size.width - 1, wall.size.height - 2))
        assert wall.cursor == len(wall.edges) - 1


async def test_boxes_of_the_last_game_stand_out_with_the_bead_that_was_drawn():
    learner = revive(train(Menace(TICTACTOE, "scroggs", 3), 1))
    learner.last_game = (4, 0)
    async with steadily(WallApp(learner, lit=last_game_cells(learner)), (80, 24)) as pilot:
        await shown(pilot)
        drawn = pilot.app.wall.box(learner, 0)
        assert drawn.lit
        assert [square.hue for square in drawn.squares if square.drawn] == [5]


async def test_a_number_that_changed_stands_out_for_a_moment():
    async with steadily(WallApp(MICHIE), (60, 24)) as pilot:
        await shown(pilot)
        wall, cell = pilot.app.wall, int(MICHIE.cell[4])
        wall.flash(frozenset([cell]))
        assert [square.changed for square in wall.box(MICHIE, 0).squares].count(True) == 1
        await pilot.until(lambda: not wall.changed)


async def test_nothing_flashes_where_motion_is_reduced():
    app = WallApp(MICHIE)
    app.animation_level = "none"
    async with steadily(app, (60, 24)) as pilot:
        await shown(pilot)
        pilot.app.wall.flash(frozenset([int(MICHIE.cell[4])]))
        assert not pilot.app.wall.changed


async def test_a_wall_without_cards_says_so():
    async with steadily(WallApp(Failures(TICTACTOE, "literal", 1), empty="No failure yet"), (60, 24)) as pilot:
        await pilot.until(lambda: lines(pilot)[0].strip() == "No failure yet")
        await pilot.press("down", "end", "pageup")
        await pilot.click(Wall)
        assert pilot.app.selected == []
        assert pilot.app.wall.edge is None


async def test_the_cursor_stays_on_its_card_when_others_are_added_or_removed():
    async with steadily(WallApp(RIECHEL), (60, 24)) as pilot:
        await shown(pilot)
        wall, edges = pilot.app.wall, pilot.app.wall.edges
        await pilot.press("right", "right")
        wall.show(RIECHEL, edges[2:10], empty="")
        assert wall.edge == edges[2]
        wall.show(RIECHEL, edges[5:10], empty="")
        assert wall.edge == edges[5]
        wall.show(HER, HER.view.cards().tolist(), empty="")
        await pilot.until(lambda: "B B B" in "\n".join(lines(pilot)))
        assert wall.cursor == 0


async def test_the_wheel_scrolls_by_rows_and_no_card_is_cut_in_half():
    async with steadily(WallApp(RIECHEL), (80, 23)) as pilot:
        await shown(pilot)
        wall = pilot.app.wall
        for kind, first in ((MouseScrollDown, 1), (MouseScrollDown, 2), (MouseScrollUp, 1)):
            wall.post_message(kind(wall, 5, 5, 0, 0, 0, False, False, False))
            await pilot.until(lambda first=first: wall.scroll_offset.y == 5 * first)
        assert all(not line.strip() for line in (*lines(pilot)[:2], *lines(pilot)[22:]))
