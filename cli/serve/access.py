"""Who gets in: requests to an address of this server, from its own pages, by browsers that were given the token."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from aiohttp import web

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
YEAR: Final = 365 * 24 * 3600
VISITOR_LENGTH: Final = 43
"""Characters of the cookie that names a visitor: 32 random bytes in base 64."""


def bracketed(host: str) -> str:
    """A host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def address(host: str, port: int) -> str:
    return f"http://{bracketed(host)}:{port}"


@dataclass(frozen=True)
class Access:
    """The secrets of a server, and the addresses that it is known by."""

    port: int
    hosts: frozenset[str]
    """As the header `Host` has them, in small letters."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    """Stands in the address that is printed."""
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    """What a browser that showed the token gets as its cookie."""

    @property
    def key_cookie(self) -> str:
        """The name of the cookie with the key. Cookies are shared by all ports of a host."""
        return f"noughts_key_{self.port}"

    @property
    def visitor_cookie(self) -> str:
        return f"noughts_visitor_{self.port}"

    def is_addressed(self, request: web.Request) -> bool:
        """Whether a request is meant for this server: not so where another name was pointed at its address."""
        hosts = request.headers.getall("Host", [])
        return len(hosts) == 1 and hosts[0].lower() in self.hosts

    def is_own_page(self, request: web.Request) -> bool:
        """Whether a request comes from a page of this server."""
        return request.headers.getall("Origin", []) == [f"http://{request.headers['Host'].lower()}"]

    def shows_token(self, request: web.Request) -> bool:
        return _equal(request.query.get("token", ""), self.token)

    def has_key(self, request: web.Request) -> bool:
        return _equal(request.cookies.get(self.key_cookie, ""), self.key)

    def visitor(self, request: web.Request) -> str | None:
        """The folder name of the visitor whose cookie a request has: a digest, so never anything else."""
        cookie = request.cookies.get(self.visitor_cookie, "")
        if len(cookie) != VISITOR_LENGTH or not cookie.isascii():
            return None
        return sha256(cookie.encode()).hexdigest()[:32]

    def let_in(self, response: web.StreamResponse) -> None:
        """Give a browser the cookie that lets it in."""
        response.set_cookie(self.key_cookie, self.key, httponly=True, samesite="Strict")

    def welcome(self, response: web.StreamResponse) -> None:
        """Give a browser the cookie that names its visitor."""
        cookie = secrets.token_urlsafe(32)
        response.set_cookie(self.visitor_cookie, cookie, max_age=YEAR, httponly=True, samesite="Strict")


def known_hosts(names: Iterable[str], port: int) -> frozenset[str]:
    """What the header `Host` may hold; browsers leave out port 80."""
    hosts = {bracketed(name.lower()) for name in (*names, *LOOPBACK)}
    return frozenset({f"{host}:{port}" for host in hosts} | (hosts if port == 80 else set()))


def _equal(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), secret.encode())
