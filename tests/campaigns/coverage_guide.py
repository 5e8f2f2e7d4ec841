"""Measure coverage for fuzzing in pairs of consecutive lines; inputs that reach new pairs are mutated further."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

LinePair = tuple[CodeType, int, int]
"""A function and two lines of it that ran one after the other; 0 stands before the first line."""


class LineTracer:
    """Records the line pairs that run in the functions of some modules."""

    def __init__(self, modules: tuple[ModuleType, ...]) -> None:
        self._files = {module.__file__ for module in modules}
        self.line_pairs: set[LinePair] = set()

    @contextmanager
    def tracing(self) -> Iterator[None]:
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)

    @property
    def lines(self) -> set[tuple[str, int]]:
        """The lines reached, with their files."""
        return {(code.co_filename, line) for code, _, line in self.line_pairs}

    def _enter(self, frame: FrameType, event: str, arg: object) -> Any:  # noqa: ANN401  as `settrace` wants it
        code, line_pairs = frame.f_code, self.line_pairs
        if code.co_filename not in self._files:
            return None
        last = 0

        def trace_line(frame: FrameType, event: str, _: object) -> Any:  # noqa: ANN401
            nonlocal last
            if event == "line":
                line = frame.f_lineno
                line_pairs.add((code, last, line))
                last = line
            return trace_line

        return trace_line


def lines_of(modules: tuple[ModuleType, ...]) -> set[tuple[str, int]]:
    """Every line within the functions of those modules, with its file."""
    found: set[tuple[str, int]] = set()
    for module in modules:
        file = str(module.__file__)
        waiting = [compile(Path(file).read_text("utf-8"), file, "exec")]
        for code in waiting:  # grows while it is iterated
            waiting += [const for const in code.co_consts if isinstance(const, CodeType)]
            if code.co_flags & 1:  # lines of functions only: those of modules and classes ran at the import
                begin = code.co_firstlineno
                found |= {(file, line) for _, _, line in code.co_lines() if line and line != begin}
    return found
