"""The capacity of a server: 1, 10 and 30 visitors who train at once, and then leave at once."""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest

from tests.cli.serve.serving import browser, is_running, page, serving, train, trained, until

MAX_MEMORY = 200 * 2**20
"""The most bytes for each visitor, and for the server."""
ASKED = 6
"""How many of the visitors press a key while all train, one after the other."""


def memory(pid: int) -> int:
    """The memory of a process in bytes, with a share of its shared pages."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


@dataclass(frozen=True)
class Measured:
    first: Sequence[float]
    answers: Sequence[float]
    left: float
    used: int
    apps: int
    saved: Sequence[bool]
    errors: str

    def require(self, visitors: int) -> None:
        assert self.apps == visitors
        assert self.used < MAX_MEMORY * (visitors + 1), "too much memory"
        assert list(self.saved) == [True] * visitors, "a training is not saved"
        assert not self.errors


async def measure(tmp_path: Path, visitors: int, fault: Callable[[int], object] | None = None) -> Measured:
    """Let visitors train at once, and leave at once; before that, a `fault` may do something to each app."""
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
        for app in apps if fault else ():
            fault(app)
        left = monotonic()
        await asyncio.gather(*(each.__aexit__(None, None, None) for each, _, _ in opened))
        await until(lambda: not any(map(is_running, apps)))
        left = monotonic() - left
    return Measured(
        first, answers, left, used, len(apps), list(map(bool, trained(tmp_path))), server.errors.read_text()
    )


@pytest.mark.parametrize(
    "visitors",
    [
        pytest.param(2, marks=pytest.mark.long),
        *(pytest.param(each, marks=pytest.mark.campaign) for each in (1, 10, 30)),
    ],
)
async def test_visitors_who_train(tmp_path, report_line, visitors):
    found = await measure(tmp_path, visitors)
    report_line(
        f"{visitors} at once: first screen after {found.first[0]:.1f} to {found.first[-1]:.1f} s, an answer while all "
        f"train after {max(found.answers):.2f} s at most, {found.used / 2**20:,.0f} MiB, all saved and ended after "
        f"{found.left:.1f} s"
    )
    found.require(visitors)


@pytest.mark.long
async def test_a_training_that_is_not_saved_is_detected(tmp_path):
    found = await measure(tmp_path, 1, lambda app: os.kill(app, signal.SIGKILL))
    with pytest.raises(AssertionError, match="a training is not saved"):
        found.require(1)
