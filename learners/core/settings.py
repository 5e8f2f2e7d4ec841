"""The kinds of settings that learners have, and how people write their values.

summary  what a setting decides, in one line without a full stop
title    a few words that name it on a screen, such as `beads for a win`; if empty, its key names it
syntax   the values that a person can write: `uniform|rounded`, `0…1000`
samples  some possible values, including the smallest and the largest
parse    returns the value that a text means; raises `BadText`, which says what is possible
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import nan

from engine.game import BadText, quoted

Setting = str | int | bool


@dataclass(frozen=True)
class OneOf:
    samples: tuple[Setting, ...]
    summary: str
    title: str = ""
    aliases: Mapping[str, Setting] = field(default_factory=dict)
    """Other ways to write some of the values."""

    @property
    def syntax(self) -> str:
        return "|".join(str(value).lower() for value in self.samples)

    def parse(self, text: str) -> Setting:
        values = {str(value).lower(): value for value in self.samples}
        by_text = {**values, **self.aliases}
        if text.lower() not in by_text:
            raise BadText(f"cannot be {quoted(text)}; it is one of {', '.join(values)}")
        return by_text[text.lower()]


@dataclass(frozen=True)
class Whole:
    """A setting whose value is a whole number from `least` to `most`."""

    least: int
    most: int
    summary: str
    title: str = ""

    @property
    def syntax(self) -> str:
        return f"{self.least}…{self.most}"

    @property
    def samples(self) -> tuple[Setting, ...]:
        return self.least, self.most

    def parse(self, text: str) -> Setting:
        number = _parse_whole(text)
        if number is None or not self.least <= number <= self.most:
            raise BadText(f"cannot be {quoted(text)}; it is a whole number from {self.least} to {self.most}")
        return number


@dataclass(frozen=True)
class Rate:
    """A setting whose value is a probability. It is stored as text, written as Python writes the number."""

    summary: str
    title: str = ""

    @property
    def syntax(self) -> str:
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
            raise BadText(f"cannot be {quoted(text)}; it is a chance from 0 to 1, such as 0.15")
        return str(abs(rate))


@dataclass(frozen=True)
class Wholes:
    """A setting whose value is 1 to `count` whole numbers from `least` to `most`, stored as text with commas."""

    least: int
    most: int
    count: int
    summary: str
    title: str = ""

    @property
    def syntax(self) -> str:
        return "N,N,…"

    @property
    def samples(self) -> tuple[Setting, ...]:
        return str(self.least), ",".join([str(self.most)] * self.count)

    def parse(self, text: str) -> Setting:
        numbers = [_parse_whole(part) for part in text.split(",", self.count)]
        valid = [number for number in numbers if number is not None and self.least <= number <= self.most]
        if len(valid) < len(numbers) or len(numbers) > self.count:
            raise BadText(
                f"cannot be {quoted(text)}; it is up to {self.count} whole numbers from {self.least} to {self.most}, "
                "with commas between"
            )
        return ",".join(map(str, valid))


SettingKind = OneOf | Whole | Rate | Wholes


def key_and_value(text: str) -> tuple[str, str]:
    """Split `KEY=VALUE` into its two parts. Raises `BadText` without an equals sign."""
    key, equals, value = text.partition("=")
    if not equals:
        raise BadText(f"{quoted(text)} has no '=': write a setting as KEY=VALUE")
    return key.strip(), value.strip()


def _parse_whole(text: str) -> int | None:
    """Return the whole number that `text` means, of at most 12 digits; `None` if it means none."""
    digits = text.strip()
    is_negative = digits.startswith(("-", "−"))
    if is_negative or digits.startswith("+"):
        digits = digits[1:]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 12):
        return None
    return -int(digits) if is_negative else int(digits)
