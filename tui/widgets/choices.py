"""Drop-down lists."""

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from rich.console import RenderableType
from textual.binding import Binding, BindingType
from textual.widgets import Select

Value = TypeVar("Value")
Choices = Iterable[tuple[RenderableType, Value]]
"""The text of each choice, and its value."""


class ChoiceList(Select[Value], inherit_bindings=False):
    """Shows the chosen value in one line, and opens a list of all values. One of them is always chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,down,up", "show_overlay", "Open the list", show=False)]

    def __init__(self, choices: Choices[Value], *, value: Value | None = None, id: str | None = None) -> None:  # noqa: A002  Textual's own name for it
        listed = list(choices)
        self.values = [each for _, each in listed]
        first = self.values[0] if value is None else value
        super().__init__(listed, value=first, allow_blank=False, compact=True, id=id)

    def set_options(self, options: Choices[Value]) -> None:
        choices = list(options)
        self.values = [value for _, value in choices]
        super().set_options(choices)

    def choose_next(self) -> None:
        """Choose the next value; after the last, the first one."""
        chosen = next((place for place, value in enumerate(self.values) if value == self.value), -1)
        self.value = self.values[(chosen + 1) % len(self.values)]

    def refill(self, choices: Choices[Value], wanted: Value) -> None:
        """Replace the choices, and choose `wanted`, or the first if it is missing.

        If the values are the same as before, nothing is replaced: an open list stays open, and without `wanted`, the
        chosen value stays.
        """
        listed = list(choices)
        if [value for _, value in listed] != self.values:
            with self.prevent(Select.Changed):
                self.set_options(listed)
        if wanted in self.values:
            self.value = wanted
