"""What the program must never show: on its screens, in its output, or in its terminal."""

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
SCROLLING: Final = ("grab", "release", "scroll_up", "scroll_down")
"""The mouse actions of scroll bars, the only actions that are drawn."""
MODES: Final = "1000|1003|1004|1006|1015|1016|1049|2004|2026|2048|25|7"
OWN: Final = re.compile(
    rf"\x1b\[(?:(?:\d+;\d+)?H|[0-9;]*m|\?(?:{MODES})[hl]|\?(?:2026|2048)\$p|[<>]\d*u)|\x1b\]22;[a-z-]+\x07"
)
"""The control sequences that the app needs: cursor moves, colours, modes, two queries, mouse shapes."""


def controlling(text: str, allowed: str = "") -> list[str]:
    """The control characters of a text."""
    if text.isprintable():
        return []
    return [
        f"U+{ord(letter):04X}" for letter in text if letter not in allowed and unicodedata.category(letter) in FORBIDDEN
    ]


def seen_on(strips: Iterable[Strip]) -> Iterator[str]:
    """What no screen may contain: control characters, control segments, links and actions."""
    for row, strip in enumerate(strips):
        for text, style, control in strip:
            if control:
                yield f"row {row}: the segment {text!r} controls"
            if found := controlling(text):
                yield f"row {row}: {found[:3]} in {text!r}"
            actions = [] if style is None else [does for key, does in style.meta.items() if key.startswith("@")]
            if style is not None and (style.link or any(does not in SCROLLING for does in actions)):
                yield f"row {row}: {text!r} is a link to {style.link or actions}"


def on_screen(pilot: Pilot[None]) -> list[str]:
    """What the app shows and must not show, on all screens of the stack."""
    return list(seen_on(pilot.app.screen._compositor.render_strips()))


def in_output(out: str, err: str, *, as_json: bool) -> list[str]:
    """What a command has printed and must not print."""
    found = [f"{letters[:3]} in {text!r:.300}" for text in (out, err) if (letters := controlling(text, "\n"))]
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


def in_stream(written: str) -> list[str]:
    """Control sequences in the output to a terminal that the app does not need."""
    found = [repr(sequence) for sequence in SEQUENCE.findall(written) if not OWN.fullmatch(sequence)]
    return sorted(set(found + controlling(SEQUENCE.sub("", written), "\r\n")))
