from textual.widgets import Footer

from tests.tui.piloting import running, until
from tui.screens.train import TrainScreen


async def test_keys_are_made_anew_only_when_others_can_be_pressed():
    async with running() as pilot:
        await pilot.press("t")
        await until(pilot, lambda: isinstance(pilot.app.screen, TrainScreen))
        screen = pilot.app.screen
        line = screen.query_one(Footer)

        def told():
            return {key.description for key in line.query("FooterKey")}

        await until(pilot, lambda: told() >= {"Start", "Help", "Quit"})
        screen.query_one("#form-seed").focus()  # letters are typed into it
        await until(pilot, lambda: told() == {"Leave the field", "Help"})
        keys = list(line.children)
        screen.query_one("#form-name").focus()
        await pilot.pause()
        assert list(line.children) == keys
        screen.query_one("#start").focus()
        await until(pilot, lambda: told() >= {"Start", "Help", "Quit"})
