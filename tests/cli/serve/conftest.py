import pytest

from tests.cli.serve.serving import serving


@pytest.fixture
async def server(tmp_path):
    async with serving(tmp_path) as server:
        yield server
