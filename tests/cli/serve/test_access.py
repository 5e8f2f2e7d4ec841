"""Who gets in: browsers with the token, at an address of the server, from its own pages."""

import re

import pytest
from aiohttp import WSServerHandshakeError, hdrs

from tests.cli.serve.serving import browser

NAMES = ("page.css", "page.js", "xterm.css", "xterm.mjs", "addon-fit.mjs")


async def test_the_token_is_exchanged_for_a_cookie_and_leaves_the_address(server):
    async with browser(server, enters=False) as session:
        async with session.get(server.page, allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (303, "/")
            cookie = answer.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert server.page.partition("token=")[2] not in cookie
        async with session.get("/") as answer:
            assert answer.status == 200
            assert "HttpOnly" in answer.headers["Set-Cookie"]
            assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        async with session.get("/") as answer:
            assert hdrs.SET_COOKIE not in answer.headers, "the visitor is known by now"


@pytest.mark.long
async def test_a_link_on_another_site_leads_in_by_a_page_since_a_redirect_would_lose_the_cookie(server):
    headers = {"Sec-Fetch-Site": "cross-site"}
    async with browser(server, enters=False) as session, session.get(server.page, headers=headers) as answer:
        assert answer.status == 200
        assert 'url=/"' in await answer.text()
        assert "SameSite=Strict" in answer.headers["Set-Cookie"]


@pytest.mark.long
@pytest.mark.parametrize(
    "path", ["/", "/?token=wrong", "/?token=", "/?token=%C3%BC", "/static/page.js", "/ws", "/nothing"]
)
async def test_without_the_token_one_line_says_what_to_open(server, path):
    headers = {"Origin": server.address}
    async with browser(server, enters=False) as session, session.get(path, headers=headers) as answer:
        assert answer.status == 403
        assert "Open the whole address that noughts --serve has printed" in await answer.text()
        assert hdrs.SET_COOKIE not in answer.headers


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "http://localhost", "https://localhost:{port}", None]
)
async def test_a_page_from_elsewhere_opens_no_session(server, origin):
    async with browser(server) as session:
        with pytest.raises(WSServerHandshakeError) as refused:
            await session.ws_connect("/ws", origin=origin and origin.format(port=server.port))
        assert refused.value.status == 403
    assert server.apps() == []


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "host", ["evil.example:{port}", "localhost:1", "localhost", "localhost.evil.example:{port}", ""]
)
async def test_another_name_for_the_address_is_refused(server, host):
    headers = {"Host": host.format(port=server.port)}
    async with browser(server) as session:
        for path in (server.page, "/", "/ws"):
            async with session.get(path, headers=headers, allow_redirects=False) as answer:
                assert answer.status in {400, 403}
                assert hdrs.SET_COOKIE not in answer.headers


@pytest.mark.long
@pytest.mark.parametrize(
    "path",
    [
        "/static/..%2f..%2fserver.py",
        "/static/../server.py",
        "/static/",
        "/static/README.md",
        "/static/%2e%2e/log.py",
        "/x",
    ],
)
async def test_only_files_of_the_page_are_sent(server, path):
    async with browser(server) as session, session.get(path) as answer:
        assert answer.status == 404
        assert (await answer.text()).count("\n") == 1


@pytest.mark.long
async def test_everything_that_the_page_loads_comes_from_the_server(server):
    async with browser(server) as session:
        async with session.get("/") as answer:
            wanted = set(re.findall('(?:src|href)="(.*?)"', await answer.text()))
        async with session.get("/static/page.js") as answer:
            wanted |= {f"static/{name}" for name in re.findall('from "./(.*?)"', await answer.text())}
        assert wanted == {"data:,", *(f"static/{name}" for name in NAMES)}
        for name in NAMES:
            async with session.get(f"/static/{name}") as answer:
                assert answer.status == 200


@pytest.mark.long
async def test_a_made_up_visitor_names_no_folder(server):
    name = f"noughts_visitor_{server.port}"
    for cookie in ("../../etc", "x", "x" * 5000, "%2e%2e%2f" * 8):
        async with browser(server) as session:
            session.cookie_jar.clear(lambda each: each.key == name)
            with pytest.raises(WSServerHandshakeError) as refused:
                await session.ws_connect("/ws", origin=server.address, headers={"Cookie": f"{name}={cookie}"})
            assert refused.value.status in {400, 403}
    assert not (server.folder / "visitors").exists()


@pytest.mark.long
async def test_a_page_from_elsewhere_reads_nothing(server):
    async with browser(server) as session:
        for path in ("/", "/static/page.js"):
            async with session.get(path, headers={"Origin": "http://evil.example"}) as answer:
                assert answer.status == 403
