"""The capacity of a server: 1, 10 and 30 visitors who train at once, and then leave at once."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from time import monotonic

import pytest

from saves.library.library import Library
from tests.cli.serve.serving import browser, is_running, page, serving, train, until

MAX_MEMORY = 200 * 2**20
"""The most bytes for each visitor, and for the server."""
ASKED = 6
"""How many of the visitors press a key while all train, one after the other."""


def memory(pid: int) -> int:
    """The memory of a process in bytes, with a share of its shared pages."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


@pytest.mark.campaign
@pytest.mark.parametrize("visitors", [1, 10, 30])
async def test_visitors_who_train(tmp_path, report_line, visitors):
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving(tmp_path))
        sessions = [await stack.enter_async_context(browser(server)) for _ in range(visitors)]
        begun = monotonic()

        async def open_page(session):
            opened = page(server, session, columns=120, rows=40)
            shown = await opened.__aenter__()
            return opened, shown, monotonic() - begun

        opened = await asyncio.gather(*map(open_page, sessions))
        first = sorted(seconds for _, _, seconds in opened)

        async def train_at_full_speed(shown):
            await train(shown)
            await shown.press(">" * 10)
            await shown.shows("full speed")

        await asyncio.gather(*(train_at_full_speed(shown) for _, shown, _ in opened))
        answers = []
        for _, shown, _ in opened[:: -(-visitors // ASKED)]:
            shown.text = ""
            asked = monotonic()
            await shown.press("p")
            await shown.shows("your move")
            answers.append(monotonic() - asked)
        apps = server.apps()
        used = sum(map(memory, [server.process.pid, *apps]))
        left = monotonic()
        await asyncio.gather(*(each.__aexit__(None, None, None) for each, _, _ in opened))
        await until(lambda: not any(map(is_running, apps)))
        left = monotonic() - left
    saved = [
        any(not entry.gallery for entry in Library(each).entries())
        for each in tmp_path.glob("visitors/*/library.sqlite")
    ]
    report_line(
        f"{visitors} at once: first screen after {first[0]:.1f} to {first[-1]:.1f} s, an answer while all train after "
        f"{max(answers):.2f} s at most, {used / 2**20:,.0f} MiB, all saved and ended after {left:.1f} s"
    )
    assert len(apps) == visitors
    assert used < MAX_MEMORY * (visitors + 1)
    assert saved == [True] * visitors
    assert (tmp_path / "errors.txt").read_text() == ""
