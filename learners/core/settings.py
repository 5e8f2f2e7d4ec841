"""The settings of a learner: what each decides, and which texts mean which values of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import nan
from typing import Protocol

from engine.game import BadText, quoted

Setting = str | int | bool


class SettingKind(Protocol):
    """A setting: what it decides, and its values as they are written."""

    @property
    def summary(self) -> str: ...

    @property
    def written(self) -> str:
        """The values that a person may write, such as `uniform|rounded` or `0…1000`."""

    @property
    def samples(self) -> tuple[Setting, ...]:
        """Some values, the least and the largest among them."""

    def parse(self, text: str) -> Setting:
        """The value that `text` means. Raises `BadText` that tells what it should be."""


@dataclass(frozen=True)
class OneOf:
    """One of a few words."""

    samples: tuple[Setting, ...]
    summary: str
    aliases: Mapping[str, Setting] = field(default_factory=dict)
    """Other ways to write some of them."""

    @property
    def written(self) -> str:
        return "|".join(str(value).lower() for value in self.samples)

    def parse(self, text: str) -> Setting:
        values = {str(value).lower(): value for value in self.samples}
        if text.lower() not in {**values, **self.aliases}:
            raise BadText(f"cannot be {quoted(text)}; it is one of {', '.join(values)}")
        return {**values, **self.aliases}[text.lower()]


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds."""

    least: int
    most: int
    summary: str

    @property
    def written(self) -> str:
        return f"{self.least}…{self.most}"

    @property
    def samples(self) -> tuple[Setting, ...]:
        return self.least, self.most

    def parse(self, text: str) -> Setting:
        number = _whole(text)
        if number is None or not self.least <= number <= self.most:
            raise BadText(f"cannot be {quoted(text)}; it is a whole number from {self.least} to {self.most}")
        return number


@dataclass(frozen=True)
class Rate:
    """A chance, from 0 to 1; its value is that number as Python writes it, and so a text."""

    summary: str

    @property
    def written(self) -> str:
        return "0…1"

    @property
    def samples(self) -> tuple[Setting, ...]:
        return "0.0", "1.0"

    def parse(self, text: str) -> Setting:
        try:
            rate = float(text)
        except ValueError:
            rate = nan
        if not 0 <= rate <= 1:
            raise BadText(f"cannot be {quoted(text)}; it is a chance from 0 to 1, such as .15")
        return str(abs(rate))


@dataclass(frozen=True)
class Wholes:
    """Whole numbers within bounds, one or more, with commas between; its value is that text."""

    least: int
    most: int
    count: int
    """How many at most."""
    summary: str

    @property
    def written(self) -> str:
        return "N,N,…"

    @property
    def samples(self) -> tuple[Setting, ...]:
        return str(self.least), ",".join([str(self.most)] * self.count)

    def parse(self, text: str) -> Setting:
        numbers = [_whole(part) for part in text.split(",", self.count)]
        wanted = [number for number in numbers if number is not None and self.least <= number <= self.most]
        if len(wanted) < len(numbers) or len(numbers) > self.count:
            raise BadText(
                f"cannot be {quoted(text)}; it is up to {self.count} whole numbers from {self.least} to {self.most}, "
                "with commas between"
            )
        return ",".join(map(str, wanted))


def key_and_value(text: str) -> tuple[str, str]:
    """The two parts of a setting. Raises `BadText`."""
    key, equals, value = text.partition("=")
    if not equals:
        raise BadText(f"{quoted(text)} has no '=': write KEY=VALUE")
    return key.strip(), value.strip()


def _whole(text: str) -> int | None:
    digits = text.strip()
    sign = -1 if digits[:1] in ("-", "−") else 1
    digits = digits[1:] if digits[:1] in ("-", "−", "+") else digits
    return sign * int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 12 else None
