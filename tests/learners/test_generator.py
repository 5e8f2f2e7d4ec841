"""The kernels' generator against its reference output and against a naive one, so that a seed keeps its meaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.core.generator import LARGEST_SEED, WORD, seed_words
from learners.core.kernel_games import step
from tests.oracles.generator import Generator, splitmix64

REFERENCE = [3802928447, 813792938, 1618621494, 2955957307, 3252880261]
"""The first draws of the authors' own program from the state (1, 2)."""

words = st.integers(0, WORD)


def draws(low: int, high: int, count: int) -> list[int]:
    drawn = []
    for _ in range(count):
        draw, low, high = step(low, high)
        drawn.append(draw)
    return drawn


def test_reference_output():
    assert draws(1, 2, len(REFERENCE)) == REFERENCE
    naive = Generator(1, 2)
    assert [naive.draw() for _ in REFERENCE] == REFERENCE


def test_reference_output_of_the_seeding():
    assert splitmix64(0) == 0xE220A8397B1DCDAF
    assert splitmix64(1234567) == 6457827717110365317
    assert seed_words(0) == (0x7B1DCDAF, 0xE220A839)


@given(st.integers(0, LARGEST_SEED) | st.sampled_from([0, 1, LARGEST_SEED]))
def test_seeds(seed: int):
    naive = Generator.seeded(seed)
    assert seed_words(seed) == (naive.first, naive.second)
    assert any(seed_words(seed))


def test_the_seed_with_a_state_of_zero_gets_another_state():
    seed = 7046029254386353131
    assert splitmix64(seed) == 0
    assert seed_words(seed) == (1, 0)


@given(words, words)
def test_a_step_is_that_of_the_naive_generator(low: int, high: int):
    naive = Generator(low, high)
    drawn = naive.draw(), naive.first, naive.second
    assert step(low, high) == drawn
    assert getattr(step, "py_func", step)(low, high) == drawn, "as it is uncompiled"


@pytest.mark.parametrize("state", [(WORD, WORD), (0, 1), (1, 0), (WORD, 0), (0x8000_0000, 0x8000_0000)])
def test_a_long_run_is_that_of_the_naive_generator(state: tuple[int, int]):
    naive = Generator(*state)
    assert draws(*state, 5000) == [naive.draw() for _ in range(5000)]
