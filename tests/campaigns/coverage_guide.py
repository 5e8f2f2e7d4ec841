"""Coverage of pairs of consecutive lines: an input that reaches a new pair is kept."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

Step = tuple[CodeType, int, int]
"""A line of a function, and the line that ran before it."""


class Guide:
    """Traces the functions of some modules."""

    def __init__(self, modules: tuple[ModuleType, ...]) -> None:
        self._files = {module.__file__ for module in modules}
        self.steps: set[Step] = set()

    @contextmanager
    def watching(self) -> Iterator[None]:
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)

    @property
    def lines(self) -> set[tuple[str, int]]:
        """The lines reached, with their files."""
        return {(code.co_filename, line) for code, _, line in self.steps}

    def _enter(self, frame: FrameType, event: str, arg: object) -> Any:  # noqa: ANN401  as `settrace` wants it
        code, steps = frame.f_code, self.steps
        if code.co_filename not in self._files:
            return None
        last = 0

        def step(frame: FrameType, event: str, _: object) -> Any:  # noqa: ANN401
            nonlocal last
            if event == "line":
                line = frame.f_lineno
                steps.add((code, last, line))
                last = line
            return step

        return step


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
