"""Read pickled tables without running anything: dicts, lists, tuples, numbers, texts, and arrays of numbers.

A pickle is a program that names functions to call. Here each allowed name stands for a constructor of plain data in
this module, and any other name is refused. Even arrays are rebuilt from their bytes, since numpy's `__setstate__`
trusts them.
"""

import io
import pickle
import pickletools
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from engine.game import BadText, quoted

MAX_INSTRUCTIONS: Final = 5_000_000
MAX_DIGITS: Final = 400
MAX_DEPTH: Final = 8
MAX_VALUES: Final = 5_000_000
NOT_NUMPY: Final = "it has an array that is not written as numpy writes it"
REFUSED_INSTRUCTIONS: Final = frozenset({"PERSID", "BINPERSID", "EXT1", "EXT2", "EXT4", "INST", "OBJ", "NEXT_BUFFER"})
"""The instructions of pickles that plain tables do not need."""


class _NumberType:
    """Replaces `numpy.dtype` in a pickle: a type of numbers."""

    def __init__(self, name: object, *_: object) -> None:
        self.name = str(name)
        if self.name.lstrip("<>|=")[:1] not in "biufO" or len(self.name) > len("<f16"):
            raise BadText(f"it has an array of {quoted(self.name)}: only numbers can be read")

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        order = str(state[1]) if isinstance(state, tuple) and len(state) > 1 else "|"
        self.name = ("" if order in ("|", "=") else order) + self.name.lstrip("<>|=")

    def build(self, data: object, shape: object, *, columns_first: bool) -> Any:  # noqa: ANN401  an array
        """Return an array made of bytes; for a type that is Python objects, the list of them, or the only one."""
        if self.name.lstrip("<>|=").startswith("O"):
            return data[0] if shape == () and isinstance(data, list) and len(data) == 1 else data
        if not isinstance(data, (bytes, bytearray)) or not isinstance(shape, tuple):
            raise BadText(NOT_NUMPY)
        return np.frombuffer(bytes(data), np.dtype(self.name)).reshape(shape, order="F" if columns_first else "C")


class _Array:
    """Replaces `numpy.ndarray` in a pickle."""

    def __init__(self, *_: object) -> None:
        self.array: Any = np.zeros(0)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, shape, number_type, columns_first, data = state
        self.array = _check_type(number_type).build(data, shape, columns_first=bool(columns_first))


def _check_type(number_type: object) -> _NumberType:
    if not isinstance(number_type, _NumberType):
        raise BadText(NOT_NUMPY)
    return number_type


def _from_buffer(data: object, number_type: object, shape: object, order: object) -> _Array:
    replacement = _Array()
    replacement.array = _check_type(number_type).build(data, shape, columns_first=order == "F")
    return replacement


def _scalar(number_type: object, data: object) -> object:
    return _check_type(number_type).build(data, (1,), columns_first=False)[0].item()


def _plain_dict(*arguments: object) -> dict[Any, Any]:
    """Return a plain dict in place of a defaultdict, an OrderedDict or a Counter."""
    return dict(*[argument for argument in arguments if isinstance(argument, (dict, list, tuple))])


REPLACEMENTS: Final[Mapping[tuple[str, str], Any]] = {
    ("numpy", "ndarray"): _Array,
    ("numpy", "dtype"): _NumberType,
    **{
        (f"{core}.{module}", name): replacement
        for core in ("numpy.core", "numpy._core")
        for module, name, replacement in (
            ("multiarray", "_reconstruct", _Array),
            ("multiarray", "scalar", _scalar),
            ("numeric", "_frombuffer", _from_buffer),
        )
    },
    **{("collections", name): _plain_dict for name in ("defaultdict", "OrderedDict", "Counter")},
    **{("builtins", builtin.__name__): builtin for builtin in (int, float, list, dict)},
}
"""The names that a pickle may contain, and their replacements."""


class _DataOnly(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401  see `pickle.Unpickler`
        """Return the replacement for a name in a pickle. Raises `BadText` if the name is not allowed."""
        replacement = REPLACEMENTS.get((module, name))
        if replacement is None:
            advice = (
                "Only dicts, lists, tuples, numbers, texts and arrays are read; or give the object itself: file.py:name"
            )
            if module.startswith("pandas."):
                advice = "Save it by its to_csv, and judge that file"
            raise BadText(f"it wants {quoted(f'{module}.{name}')}, which may run code\n{advice}")
        return replacement


def read_pickle(data: bytes) -> Any:  # noqa: ANN401  dicts, lists, …
    """Return the content of a pickle of plain data. Raises `BadText`."""
    try:
        _check_instructions(data)
        return _PlainCopier().copy(_DataOnly(io.BytesIO(data)).load(), 0)
    except BadText:
        raise
    except Exception as error:  # a damaged pickle raises errors of any type
        raise BadText(f"it is no pickle that can be read: {type(error).__name__}") from error


def _check_instructions(data: bytes) -> None:
    """Raise `BadText` if a pickle has an instruction that plain tables do not need, a huge number, or too many."""
    for count, (operation, argument, _) in enumerate(pickletools.genops(data)):
        is_huge = isinstance(argument, int) and argument.bit_length() > MAX_DIGITS * 4
        if count > MAX_INSTRUCTIONS or is_huge or operation.name in REFUSED_INSTRUCTIONS:
            raise BadText(f"its instruction {operation.name} is none of a plain table that can be read")


class _PlainCopier:
    """Replaces our arrays by those of numpy, and refuses data that are too deep or too large."""

    def __init__(self) -> None:
        self.values = 0
        """The number of values copied so far."""

    def copy(self, value: object, depth: int) -> object:
        self.values += 1
        if depth > MAX_DEPTH or self.values > MAX_VALUES:
            raise BadText("it is nested too deeply, or too large")
        if isinstance(value, _Array):
            return value.array if hasattr(value.array, "dtype") else self.copy(value.array, depth + 1)
        if isinstance(value, dict):
            return {self.copy(key, depth + 1): self.copy(content, depth + 1) for key, content in value.items()}
        if isinstance(value, list):
            return [self.copy(each, depth + 1) for each in value]
        if isinstance(value, tuple):
            return tuple([self.copy(each, depth + 1) for each in value])
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, bytes):  # a text, or the bytes of an array
            text = value.decode("latin-1")
            return text if text.isprintable() else value
        raise BadText(f"it has {quoted(type(value).__name__)}: only dicts, lists, tuples, numbers and texts are read")
