"""The pages and files that the server sends, all held in memory, and the headers of every response."""

import gzip
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Final

from aiohttp import web
from multidict import CIMultiDict

TYPES: Final = {"html": "text/html", "css": "text/css", "js": "text/javascript", "mjs": "text/javascript"}
HEADERS: Final = {
    "Server": "Noughts",
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "style-src 'self' 'unsafe-inline'; "  # the terminal writes its colours into a style element
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
NO_KEY: Final = "Open the whole address that noughts --serve has printed, with its token."
WRONG_ADDRESS: Final = "This server has another address. Open the one that noughts --serve has printed."
FOREIGN_PAGE: Final = "Pages of other sites may not use this server."
FULL: Final = "Every place is taken: reload this page later."
NOT_FOUND: Final = "There is nothing here."


@dataclass(frozen=True)
class File:
    content_type: str
    packed: bytes
    """The content, compressed with gzip."""


def load_files() -> dict[str, File]:
    loaded = {}
    for file in files(__package__).joinpath("static").iterdir():
        suffix = file.name.rpartition(".")[2]
        if suffix in TYPES:
            loaded[file.name] = File(TYPES[suffix], gzip.compress(file.read_bytes(), mtime=0))
    return loaded


def send(file: File) -> web.Response:
    headers = CIMultiDict({"Content-Encoding": "gzip"})
    return web.Response(body=file.packed, content_type=file.content_type, charset="utf-8", headers=headers)


def line_page(status: int, line: str, *, move_to: str = "") -> web.Response:
    """Return a page with one line. The browser is redirected to the path `move_to`, if given."""
    move = f'<meta http-equiv="refresh" content="0;url={escape(move_to)}">' if move_to else ""
    head = f'<!doctype html><html lang="en"><meta charset="utf-8">{move}<title>Noughts</title>'
    text = f"{head}<p>{escape(line)}</p></html>\n"
    return web.Response(status=status, text=text, content_type="text/html")
