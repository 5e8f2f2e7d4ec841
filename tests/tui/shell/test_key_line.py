import gc
from weakref import ref

from textual.widgets import Footer

from tests.tui.piloting import running, until
from tui.train.screen import TrainScreen

FREE = {"Start", "Help", "Quit"}
TYPING = {"Leave the field", "Help"}


async def come_to_train(pilot):
    await pilot.press("t")
    await until(pilot, lambda: isinstance(pilot.app.screen, TrainScreen))
    return pilot.app.screen, pilot.app.screen.query_one(Footer)


def told(line):
    return {key.description for key in line.query("FooterKey")}


async def test_keys_are_made_anew_only_when_others_can_be_pressed():
    async with running() as pilot:
        screen, line = await come_to_train(pilot)
        await until(pilot, lambda: told(line) >= FREE)
        screen.query_one("#form-seed").focus()  # letters are typed into it
        await until(pilot, lambda: told(line) == TYPING)
        keys = list(line.children)
        screen.query_one("#form-name").focus()
        await pilot.pause()
        assert list(line.children) == keys
        screen.query_one("#start").focus()
        await until(pilot, lambda: told(line) >= FREE)


async def test_keys_that_are_gone_are_kept_by_nobody():
    async with running() as pilot:
        screen, line = await come_to_train(pilot)
        await until(pilot, lambda: told(line) >= FREE)
        gone = [ref(key) for key in line.children]
        for _ in range(3):
            screen.query_one("#form-seed").focus()
            await until(pilot, lambda: told(line) == TYPING)
            screen.query_one("#start").focus()
            await until(pilot, lambda: told(line) >= FREE)
        gc.collect()
        assert not [each() for each in gone if each() is not None]
