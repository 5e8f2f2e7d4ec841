"""Screens that open get their styles once, and those are the right ones."""

from asyncio import sleep, timeout

import pytest
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen

from lab.modes import KEYS
from tests.tui.piloting import DEADLINE, running, until
from tui.library.memory_screen import MemoryScreen
from tui.shell.help import HelpScreen
from tui.shell.mode_bar import ModeTab
from tui.train.screen import TrainScreen


async def opened(pilot, mode):
    pilot.app.screen.set_focus(None)
    await pilot.press(KEYS[mode])
    await until(pilot, lambda: pilot.app.screen.mode == mode and pilot.app.screen.made)


def assert_styled(app):
    """Expect of each widget that it has the styles which it would be given now."""
    for widget in list(app.screen.walk_children(with_self=True)):
        styles = widget.styles.base
        before = styles.get_rules()
        Stylesheet.apply(app.stylesheet, widget)
        assert styles.get_rules() == before, widget


@pytest.mark.parametrize("size", [(50, 15), (80, 24)])
async def test_what_opens_has_the_styles_of_its_size(size):
    async with running(size=size) as pilot:
        for mode in KEYS:
            await opened(pilot, mode)
            assert_styled(pilot.app)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen) and pilot.app.screen.focused)
        assert_styled(pilot.app)


async def test_no_picture_has_the_styles_of_another_size(monkeypatch):
    drawn, refresh = [], Screen._compositor_refresh

    def drawing(screen):
        if screen.query(ModeTab):
            drawn.append((screen._compositor.size, screen.classes, screen.query(ModeTab).last().region))
        refresh(screen)

    async with running(size=(60, 20)) as pilot:
        for mode in ("library", "train"):
            await opened(pilot, mode)
        monkeypatch.setattr(Screen, "_compositor_refresh", drawing)
        await pilot.resize_terminal(80, 24)
        await opened(pilot, "library")
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: drawn[-1][0] == (120, 40))
        assert_styled(pilot.app)
    assert {(size, classes) for size, classes, _ in drawn} == {
        ((80, 24), frozenset({"-middle", "-even"})),
        ((120, 40), frozenset({"-wide", "-tall"})),
    }
    assert len({(size, last) for size, _, last in drawn}) == 2


async def test_a_mode_that_opens_gives_no_screen_its_styles_anew(monkeypatch):
    roots = []
    update = Stylesheet.update_nodes

    def updated(self, nodes, animate=False):
        nodes = list(nodes)
        roots.append(nodes[0])
        update(self, nodes, animate)

    async with running() as pilot:
        monkeypatch.setattr(Stylesheet, "update_nodes", updated)
        for mode in ("train", "library", "play"):
            await opened(pilot, mode)
        before = pilot.app.screen
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen) and pilot.app.screen.focused)
        assert [root for root in roots if root in (pilot.app, pilot.app.screen)] == []
        assert roots.count(before) == 1  # back on it: it was not seen meanwhile


async def test_a_screen_that_is_not_there_yet_is_not_looked_at():
    async with running() as pilot:
        coming = TrainScreen()
        coming.on_screen_resume()  # as where a mode opens and is left in the same moment
        assert not coming.opened_up
        await pilot.press("t")
        await until(pilot, lambda: isinstance(pilot.app.screen, TrainScreen) and pilot.app.screen.opened_up)


async def test_a_screen_takes_keys_only_while_all_its_widgets_are_there():
    """They come one in the other, over several turns of the event loop, and go so as well."""
    async with running() as pilot:
        screen, taken = MemoryScreen("michie"), []

        async def turn():
            await sleep(0)
            taken.append(bool(screen.check_action("back", ())))
            if taken[-1]:
                screen.query_one("#search")

        pilot.app.push_screen(screen)
        async with timeout(DEADLINE):
            while not screen.opened_up:
                await turn()
            assert (taken[0], taken[-1]) == (False, True)
            screen.dismiss()
            while screen.is_running:
                await turn()
