"""Find what the program must never write: on its screens, in its output, and to its terminal."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

from textual.pilot import Pilot
from textual.strip import Strip

FORBIDDEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
SEQUENCE: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-Z\\`-~]|\x1b|\x9b"
)
"""Any control sequence, or the beginning of one that is cut off."""
SCROLL_ACTIONS: Final = ("grab", "release", "scroll_up", "scroll_down")
"""The mouse actions of scroll bars, the only actions that a screen may contain."""
MODES: Final = "1000|1003|1004|1006|1015|1016|1049|2004|2026|2048|25|7"
ALLOWED: Final = re.compile(
    rf"\x1b\[(?:(?:\d+;\d+)?H|[0-9;]*m|\?(?:{MODES})[hl]|\?(?:2026|2048)\$p|[<>]\d*u)|\x1b\]22;[a-z-]+\x07"
)
"""The control sequences that the app needs: cursor moves, colours, modes, two queries, mouse shapes."""


def control_characters(text: str, allowed: str = "") -> list[str]:
    """The control characters in a text, as `U+001B`, except those that are allowed."""
    if text.isprintable():
        return []
    return [
        f"U+{ord(letter):04X}" for letter in text if letter not in allowed and unicodedata.category(letter) in FORBIDDEN
    ]


def strip_faults(strips: Iterable[Strip]) -> Iterator[str]:
    """Find control characters, control segments, links and actions in the lines of a screen."""
    for row, strip in enumerate(strips):
        for text, style, control in strip:
            if control:
                yield f"row {row}: the segment {text!r} controls"
            if found := control_characters(text):
                yield f"row {row}: {found[:3]} in {text!r}"
            actions = [] if style is None else [does for key, does in style.meta.items() if key.startswith("@")]
            if style is not None and (style.link or any(does not in SCROLL_ACTIONS for does in actions)):
                yield f"row {row}: {text!r} is a link to {style.link or actions}"


def screen_faults(pilot: Pilot[None]) -> list[str]:
    """The faults in the lines that the app shows."""
    return list(strip_faults(pilot.app.screen._compositor.render_strips()))


def output_faults(out: str, err: str, *, as_json: bool) -> list[str]:
    """The faults of what a command has printed."""
    found = [f"{letters[:3]} in {text!r:.300}" for text in (out, err) if (letters := control_characters(text, "\n"))]
    if "Traceback" in err:
        found.append(f"a traceback: {err!r:.300}")
    if as_json and out:
        if not out.isascii() or out.count("\n") != 1:
            found.append(f"not one line of ASCII: {out!r:.300}")
        try:
            json.loads(out)
        except ValueError as error:
            found.append(f"{error}: {out!r:.300}")
    return found


def stream_faults(written: str) -> list[str]:
    """The control sequences and characters in the output to a terminal that the app does not need."""
    found = [repr(sequence) for sequence in SEQUENCE.findall(written) if not ALLOWED.fullmatch(sequence)]
    return sorted(set(found + control_characters(SEQUENCE.sub("", written), "\r\n")))
