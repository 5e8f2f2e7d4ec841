"""A signal ends a block, whatever the code in it makes of the exception."""

import signal

import pytest

from cli.shared.signals import interrupting_signals


def raise_instead_of_the_interrupt() -> None:
    try:
        signal.raise_signal(signal.SIGTERM)
    except KeyboardInterrupt:
        raise ImportError("numba._devicearray failed to import") from None


def test_an_error_in_the_place_of_the_interrupt_is_taken_for_the_signal():
    with pytest.raises(KeyboardInterrupt), interrupting_signals():
        raise_instead_of_the_interrupt()


def test_an_error_without_a_signal_stays_one():
    with pytest.raises(ImportError, match="no module"), interrupting_signals():
        raise ImportError("no module")
