"""A short version of what takes long for `make test`, and the whole of it for `make long`."""

import pytest


def short_and_long(name: str, short: object, long: object) -> pytest.MarkDecorator:
    """Run a test with one value of a parameter, and in `make long` with another as well."""
    return pytest.mark.parametrize(name, [short, pytest.param(long, marks=pytest.mark.campaign)])
