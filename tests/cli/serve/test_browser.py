"""The page in a real browser: Playwright's own Chromium, or one that is installed."""

import shutil
import sys

import pytest

from tests.cli.serve.serving import GAMES, is_running, trained, until

playwright = pytest.importorskip("playwright.async_api", reason="needs Playwright: pip install '.[browser]'")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
SCREEN = ".xterm-rows"


@pytest.fixture
async def chromium():
    async with playwright.async_playwright() as started:
        names = (started.chromium.executable_path, "chromium", "chromium-browser")
        found = next(filter(None, map(shutil.which, names)), None)
        if found is None:
            pytest.skip("needs Chromium: playwright install chromium, or apt install chromium")
        browser = await started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        await browser.close()


async def visit(chromium, server, *, context=None):
    """A page that shows the app. Requests to other hosts are recorded, and errors in the page."""
    context = context or await chromium.new_context(viewport={"width": 1200, "height": 800})
    page = await context.new_page()
    page.trouble = []
    page.on("pageerror", lambda error: page.trouble.append(str(error)))
    page.on("console", lambda message: message.type == "error" and page.trouble.append(message.text))
    page.on("request", lambda ask: ask.url.startswith(server.address) or page.trouble.append(ask.url))
    await page.goto(server.page)
    await shows(page, "Library")
    return page


async def shows(page, text):
    await playwright.expect(page.locator(SCREEN)).to_contain_text(text, timeout=60_000)


async def test_the_page_takes_the_keys_at_once_and_needs_nothing_from_elsewhere(chromium, server):
    page = await visit(chromium, server)
    await page.keyboard.press("5")
    await shows(page, "1. b2")
    assert page.url == f"{server.address}/"
    assert page.trouble == []


async def test_a_click_plays_the_square_below_it_and_no_other(chromium, server):
    page = await visit(chromium, server)
    await page.mouse.click(20, 700)
    await page.mouse.click(310, 390)
    await shows(page, "1. b2")


async def test_a_lost_connection_says_so(chromium, server):
    page = await visit(chromium, server)
    server.process.kill()
    await playwright.expect(page.locator("#notice")).to_contain_text("Connection lost", timeout=60_000)


async def begin_training(page):
    await page.keyboard.press("t")
    await shows(page, "learner")
    for _ in range(6):  # from the button to the number of games
        await page.keyboard.press("Tab")
    await shows(page, "Leave the field")
    await page.keyboard.type(str(GAMES))
    await shows(page, str(GAMES))
    await page.keyboard.press("Escape")
    await shows(page, "One step")
    await page.keyboard.press("g")
    await shows(page, "X wins")


async def test_a_tab_closed_in_mid_training_keeps_it_and_a_reload_finds_it(chromium, server):
    context = await chromium.new_context(viewport={"width": 1200, "height": 800})
    page = await visit(chromium, server, context=context)
    await begin_training(page)
    (app,) = server.apps()
    await page.close()
    await until(lambda: not is_running(app))
    ((name, games),) = trained(server.folder)[0].items()
    assert games < GAMES
    page = await visit(chromium, server, context=context)
    await page.keyboard.press("l")
    await shows(page, name)
    await page.reload()
    await shows(page, "Play")
    await page.keyboard.press("l")
    await shows(page, name)


async def test_an_app_that_ends_says_so_and_a_key_starts_it_again(chromium, server):
    page = await visit(chromium, server)
    await page.keyboard.press("q")
    notice = page.locator("#notice")
    await playwright.expect(notice).to_contain_text("Session ended", timeout=60_000)
    while await notice.is_visible():  # keys count after half a second
        await page.keyboard.press("a")
    await shows(page, "Library")


async def test_two_visitors_do_not_see_each_other(chromium, server):
    one, other = [await visit(chromium, server) for _ in range(2)]
    await one.keyboard.press("5")
    await shows(one, "1. b2")
    await playwright.expect(other.locator(SCREEN)).not_to_contain_text("1. b2")
    assert len(server.apps()) == 2
    assert len(list(server.folder.glob("visitors/*"))) == 2


async def test_a_page_of_another_origin_gets_nowhere(chromium, server):
    page = await visit(chromium, server)
    apps = server.apps()
    stranger = await page.context.new_page()
    await stranger.goto("data:text/html,stranger")
    script = """async (address) => {
        const socket = new WebSocket(address.replace("http", "ws") + "/ws");
        const opened = await new Promise((done) => {
            socket.onopen = () => done("opened"); socket.onerror = () => done("refused");
        });
        const read = await fetch(address + "/", { credentials: "include" }).then(() => "read", () => "refused");
        const frame = document.createElement("iframe");
        frame.src = address + "/";
        document.body.append(frame);
        await new Promise((done) => { frame.onload = done; });
        return [opened, read];
    }"""
    assert await stranger.evaluate(script, server.address) == ["refused", "refused"]
    assert server.apps() == apps
