"""Arrays are packed into few bytes, and unpacked without a difference."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from learners.core.packed import pack

NUMBERS = st.one_of(st.just(0), st.integers(-100, 100), st.integers(-(2**63), 2**63 - 1))
ARRAYS = arrays(np.int64, st.integers(0, 60), elements=NUMBERS)


@given(array=ARRAYS)
def test_an_array_is_unpacked_unchanged(array):
    packed = pack(array)
    assert packed.array().dtype == np.int64
    assert np.array_equal(packed.array(), array)
    assert packed.nbytes <= array.nbytes


@given(array=ARRAYS, data=st.data())
def test_single_numbers_are_those_of_the_array(array, data):
    size = len(array)
    at = np.array(data.draw(st.lists(st.integers(0, size - 1), max_size=9) if size else st.just([])), np.int32)
    assert np.array_equal(pack(array).numbers(at), array[at])


@given(one=ARRAYS, other=ARRAYS)
def test_packed_arrays_are_equal_if_their_numbers_are(one, other):
    assert pack(one) == pack(one.copy())
    assert (pack(one) == pack(other)) == np.array_equal(one, other)
    if len(one) == len(other):
        assert pack(other, pack(one)) == pack(other)
    assert pack(one) != one.tolist()


@given(first=ARRAYS, data=st.data())
def test_a_chain_of_differences_is_unpacked(first, data):
    """A chain of arrays, each with few changes or many."""
    array, chain = first.copy(), [pack(first)]
    wanted = [first]
    for _ in range(3):
        array = array.copy()
        if len(array):
            at = data.draw(st.lists(st.integers(0, len(array) - 1), max_size=4))
            array[at] = data.draw(st.lists(NUMBERS, min_size=len(at), max_size=len(at)))
        chain.append(pack(array, chain[-1]))
        wanted.append(array)
    for packed, was in zip(chain, wanted, strict=True):
        assert np.array_equal(packed.array(), was)
        assert np.array_equal(packed.numbers(np.arange(len(was))), was)
