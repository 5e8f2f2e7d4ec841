"""Hostile names: samples of each kind of attack, and mixtures of them."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

SAMPLES: Final[Mapping[str, Sequence[str]]] = {
    "markup": ("[red]x", "[/]", "[X]", "[b]a[/b]", r"\[X]", "[[", "]", "[not closed", "[$primary]x", "[/bold red]"),
    "links": (
        "[@click=app.bell]x",
        "[@click=app.quit]x[/]",
        "[@click=screen.dismiss]x",
        "[@click=app.bell('[b]')]x[/]",
        "[link=file:///etc/passwd]x[/link]",
        '[link="javascript:x"]y',
    ),
    "markdown": ("**x**", "[x](http://x.y)", "# x", "`x`", "|a|b|", "![](x)", "- [ ] x", "<b>x</b>"),
    "escapes": (
        "\x1b[31mred\x1b[0m",
        "\x1b[2J\x1b[H",
        "\x1b[?1049l",
        "\x1b]0;title\x07",
        "\x1b]8;;http://x.y\x1b\\x\x1b]8;;\x1b\\",
        "\x1b]52;c;eA==\x07",
        "\x1bPq#0\x1b\\",
        "\x1b_x\x1b\\",
        "\x1b^x\x1b\\",
        "\x1bc",
        "\x1b[6n",
        "\x1b[201~\x1b[200~",
        "\x1b[>1u",
        "\x1b",
    ),
    "C1": ("\x9b31mx", "\x9d0;x\x9c", "\x90q\x9c", "\x85x", "\x8d", "\x9fx\x9c"),
    "controls": ("\x07", "\x08\x08x", "a\rb", "a\x0bb", "a\x0cb", "\x0e", "\x7f", "\x1c", "\x1a", "\x04", "\x03"),
    "lines": ("a\nb", "\n", "a\r\nb", "a\tb", "a\u2028b", "a\u2029b", "\na", "a\n"),
    "NUL": ("\0", "a\0b", "a\0"),
    "bidi": ("\u202eabc", "\u2066x\u2069", "\u200fx", "a\u202cb", "\u2067\u2067\u2067x", "\u061cx"),
    "right to left": ("שלום", "مرحبا", "a שלום b"),
    "combining": ("e\u0301", "Z" + "\u0351\u0352\u0307\u0489" * 20, "\u0301", "x\u20dd", "\u034f", "ก็็็็็็็็"),
    "zero width": ("a\u200bb", "\ufeff", "\u2060x", "\u200d", "\u00ad", "\u180e", "\U000e0041\U000e0042", "\u115f"),
    "wide": ("日本語", "한국어", "👩\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "ｗｉｄｅ", "日" * 60, "a\ufe0f", "😀"),
    "not yet": ("\u0378", "\ue000", "\U000f0000", "\ufffe", "\uffff", "\U0010ffff"),
    "half": ("\udc80", "a\udcff", "\udc9b31m", "\udced\udca0\udc80"),
    "long": ("x" * 61, "x" * 10_000, "日" * 10_000, "\x1b" * 10_000, "\u0301" * 10_000, "[b]" * 3_333, "a " * 5_000),
    "paths": (
        "../../x",
        "..",
        ".",
        "/etc/passwd",
        "/",
        "//x/y",
        "~",
        "~/x",
        "~nobody-here/x",
        "C:\\x",
        "..\\..\\x",
        "a/b",
        "./x",
        "x/../../../y",
        "/dev/null",
        "/proc/self/mem",
        "file:///x",
        "a.json",
        ".json",
        "x.json/",
    ),
    "devices": ("CON", "NUL", "aux", "COM1", "x.", "x ", " x", "desktop.ini"),
    "options": ("--replace", "-", "--", "-h", "--help", "--json", "-rf", "--library=x", "-x", "--as", "@x", "+x"),
    "formats": ("%s", "%n%n", "%(x)s", "%", "{}", "{0}", "{0.__class__}", "{x!r:>{y}}", "{", "}", "$HOME", "${x}"),
    "SQL": ("'; DROP TABLE save; --", "' OR 1=1", '"', "''", "x';", "Robert')", "%' --", "\\'", "NULL", "save"),
    "JSON": ('"', '\\"', '{"a": 1}', "null", "NaN", "1e999", "\\u0000", "[" * 100, '"}', "\\", "true"),
    "shell": ("$(touch x)", "`touch x`", "; touch x", "| x", "&& x", "> x", "*", "?", "!x", "#x", "a b", "'x'"),
    "words": ("human", "self", "random", "save:", "save:x", "save:save:x", "x@50", "@50", "x@", "minimax:3", "new"),
    "numbers": ("0", "-1", "1e9", "9" * 400, "0x10", "١٢٣", "²", "1_000", "NaN", "inf", "½", "2147483648"),
    "allowed": (
        "x" * 60,
        "日" * 60,
        "e" + "\u0301\u0316" * 29,
        "ש" * 60,
        "CON",
        "x; rm -rf x",
        "x' OR 1=1",
        "a..",
        "x..json",
        "(x);",
        "हिन्दी",
        "7" * 60,
        "x --replace",
    ),
    "empty": ("", " ", "\u00a0", "\u3000", "\u3164", "\u2800"),
}
"""The samples of each kind of attack."""
ALL_SAMPLES: Final = tuple(name for names in SAMPLES.values() for name in names)
HARMLESS: Final = ("a", "my first", "Größe", "7", "evening's game")
"""Harmless text to mix in."""


def hostile_names(count: int, seed: int) -> list[str]:
    """Return different names: one sample of each kind, then other samples, then mixtures."""
    random = Random(seed)
    first = [random.choice(names) for names in SAMPLES.values()]
    found = dict.fromkeys(first)
    found |= dict.fromkeys(random.sample(ALL_SAMPLES, len(ALL_SAMPLES)))
    while len(found) < count:
        found[mixture(random)] = None
    return list(found)[:count]


def mixture(random: Random) -> str:
    """A few samples, concatenated or nested, sometimes with harmless text."""
    parts = [random.choice(random.choice(list(SAMPLES.values())))[:200] for _ in range(random.randint(2, 4))]
    if random.random() < 0.5:
        parts.insert(random.randrange(len(parts) + 1), random.choice(HARMLESS))
    if random.random() < 0.3:
        outer = parts.pop()
        at = random.randint(0, len(outer))
        return outer[:at] + "".join(parts) + outer[at:]
    return random.choice(("", "", " ", "/", ":", "\n", "=")).join(parts)


def in_library(names: Sequence[str]) -> list[str]:
    """The names that a library can store: without lone surrogates."""
    return [name for name in names if not any("\ud800" <= letter <= "\udfff" for letter in name)]


def as_argument(name: str) -> str:
    """The name as an argument or file name: without NUL."""
    return name.replace("\0", "")
