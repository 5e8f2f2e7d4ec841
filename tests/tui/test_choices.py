from saves.paths import settings_path
from saves.settings import load_settings, save_settings
from tests.tui.piloting import make_app, running, until


async def test_a_choice_holds_at_once_and_is_written_beside_those_of_another_program():
    save_settings(settings_path(), {"hints": "none"})
    async with running() as pilot:
        assert (pilot.app.choice("hints", "some"), pilot.app.choice("bar", "off")) == ("none", "off")
        save_settings(settings_path(), {"hints": "many", "theirs": "1"})
        pilot.app.choose("bar", "on")
        pilot.app.choose("bar", "wide")
        assert pilot.app.choice("bar", "off") == "wide"
        kept = {"hints": "many", "theirs": "1", "bar": "wide"}
        await until(pilot, lambda: load_settings(settings_path()) == kept)
        assert pilot.app.choice("hints", "some") == "none"  # until the program starts again
    assert make_app().choice("hints", "some") == "many"


def test_a_choice_of_the_last_moment_is_written_at_the_end():
    app = make_app()
    app._unwritten.append(("bar", "on"))
    app.keep_training()
    assert (load_settings(settings_path()), app.trouble) == ({"bar": "on"}, "")
    settings_path().write_text("{not json")
    app._unwritten.append(("bar", "off"))
    app.keep_training()
    assert "settings.json" in app.trouble
    assert settings_path().read_text() == "{not json"
