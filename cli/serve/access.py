"""Access control: a request must name this server, come from its own pages, and carry the cookie for the token."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from aiohttp import web

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
YEAR: Final = 365 * 24 * 3600
VISITOR_LENGTH: Final = 43
"""The length of the cookie that identifies a visitor: 32 random bytes in base 64."""


def in_brackets(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def address(host: str, port: int) -> str:
    return f"http://{in_brackets(host)}:{port}"


@dataclass(frozen=True)
class Access:
    """The secrets of a server, and the host names that requests may address."""

    port: int
    hosts: frozenset[str]
    """Allowed values of the header `Host`, in lower case."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    """A secret in the printed address, which a browser sends once."""
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    """A secret in the cookie that a browser gets for the token, and sends with all later requests."""

    @property
    def key_cookie(self) -> str:
        """The name of the cookie with the key. It contains the port, since all ports of a host share their cookies."""
        return f"noughts_key_{self.port}"

    @property
    def visitor_cookie(self) -> str:
        return f"noughts_visitor_{self.port}"

    def is_addressed(self, request: web.Request) -> bool:
        """Return whether a request names this server as its host. Prevents DNS rebinding."""
        hosts = request.headers.getall("Host", [])
        return len(hosts) == 1 and hosts[0].lower() in self.hosts

    def is_own_page(self, request: web.Request) -> bool:
        return request.headers.getall("Origin", []) == [f"http://{request.headers['Host'].lower()}"]

    def shows_token(self, request: web.Request) -> bool:
        return _is_secret(request.query.get("token", ""), self.token)

    def has_key(self, request: web.Request) -> bool:
        return _is_secret(request.cookies.get(self.key_cookie, ""), self.key)

    def visitor(self, request: web.Request) -> str | None:
        """Return the folder name of a visitor: a digest of the cookie, so that no cookie can name another path.

        None if the request has no valid cookie.
        """
        cookie = request.cookies.get(self.visitor_cookie, "")
        if len(cookie) != VISITOR_LENGTH or not cookie.isascii():
            return None
        return sha256(cookie.encode()).hexdigest()[:32]

    def set_key(self, response: web.StreamResponse) -> None:
        response.set_cookie(self.key_cookie, self.key, httponly=True, samesite="Strict")

    def set_visitor(self, response: web.StreamResponse) -> None:
        cookie = secrets.token_urlsafe(32)
        response.set_cookie(self.visitor_cookie, cookie, max_age=YEAR, httponly=True, samesite="Strict")


def known_hosts(names: Iterable[str], port: int) -> frozenset[str]:
    """Return the allowed values of the header `Host`; browsers leave out port 80."""
    hosts = {in_brackets(name.lower()) for name in (*names, *LOOPBACK)}
    values = {f"{host}:{port}" for host in hosts}
    return frozenset(values | hosts if port == 80 else values)


def _is_secret(text: str, secret: str) -> bool:
    return secrets.compare_digest(text.encode("utf-8", "replace"), secret.encode())
