"""A signal ends a block, whatever the code in the block does with the exception."""

import signal

import pytest

from cli.shared.signals import interrupting_signals


def raise_instead_of_the_interrupt() -> None:
    try:
        signal.raise_signal(signal.SIGTERM)
    except KeyboardInterrupt:
        raise ImportError("numba._devicearray failed to import") from None


def test_an_error_that_replaces_the_interrupt_counts_as_the_signal():
    with pytest.raises(KeyboardInterrupt), interrupting_signals():
        raise_instead_of_the_interrupt()


def test_an_error_without_a_signal_is_raised():
    with pytest.raises(ImportError, match="no module"), interrupting_signals():
        raise ImportError("no module")
