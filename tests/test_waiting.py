"""The helper with which other tests wait."""

import pytest

from tests import waiting
from tests.waiting import wait_until, wait_until_async


async def test_waiting_ends_as_soon_as_the_condition_holds():
    for limit in (3, 0):
        looks = iter(range(10))
        wait_until(lambda looks=looks, limit=limit: next(looks) >= limit)
        assert next(looks) == limit + 1
        looks = iter(range(10))
        await wait_until_async(lambda looks=looks, limit=limit: next(looks) >= limit)
        assert next(looks) == limit + 1


async def test_a_wait_that_fails_reports_what_it_waited_for_and_the_last_state(monkeypatch):
    monkeypatch.setattr(waiting, "LIMIT", 0.0)
    with pytest.raises(AssertionError, match="a full moon\nlast state: half moon"):
        wait_until(lambda: False, "a full moon", lambda: "half moon")
    sky: list[str] = []
    with pytest.raises(AssertionError, match=r"(?s)lambda: sky and 1.*last state: \[\]"):
        await wait_until_async(lambda: sky and 1)
