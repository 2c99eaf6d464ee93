"""What every request has to pass: the right host, the right origin, a body of reasonable size, an access token.

A page of somebody else's can make a browser send requests to a server on this machine. Names that lead to the loopback
address (DNS rebinding) are refused by the Host header, which may be a literal address, other sites and their sockets by
the Origin header. Nothing is decided by cookies, so a browser never adds a permission by itself.
"""

from __future__ import annotations

import hmac
import json
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any

MOST_BODY = 256 * 1024
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_TOO_LARGE = 413, f"the body is too large; expected at most {MOST_BODY} bytes."
_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'none'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Guard:
    """Stands before the application."""

    def __init__(self, app: Any, hosts: Iterable[str], access: str | None) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        status, reason = self._refusal(scope, headers)
        if status:
            await _refuse(scope, receive, send, status, reason)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        if "content-length" not in headers and scope["method"] not in ("GET", "HEAD"):
            messages = await _body(receive)
            if messages is None:
                await _refuse(scope, receive, send, *_TOO_LARGE)
                return
            receive = _again(messages, receive)
        await self._app(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str]:
        host = headers.get("host", "")
        if _name(host) not in self._hosts and not _is_address(_name(host)):
            return 421, "this server does not answer to that host name."
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return 403, "requests from other sites are refused."
        if scope["type"] == "websocket" and origin is None and headers.get("sec-fetch-site", "none") == "cross-site":
            return 403, "requests from other sites are refused."
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BODY:
            return _TOO_LARGE
        if self._access is not None and scope["type"] == "http" and scope["path"].startswith("/api/"):
            given = headers.get("authorization", "").removeprefix("Bearer ")
            if not self.admits(given):
                return 401, "the access token is missing or wrong; open the address that the server printed."
        return 0, ""

    def admits(self, given: str) -> bool:
        """Whether an access token is the server's; every one is where none is needed."""
        return self._access is None or hmac.compare_digest(given.encode(), self._access.encode())


async def _body(receive: Receive) -> list[MutableMapping[str, Any]] | None:
    """The messages of a body whose length was not announced; None if it is too large."""
    messages, size = [], 0
    while True:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if size > MOST_BODY:
            return None
        if message["type"] != "http.request" or not message.get("more_body", False):
            return messages


def _again(messages: list[MutableMapping[str, Any]], receive: Receive) -> Receive:
    """Hand out messages that were read before, then go on receiving."""
    left = deque(messages)

    async def next_message() -> MutableMapping[str, Any]:
        return left.popleft() if left else await receive()

    return next_message


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            present = {key.lower() for key, _ in message["headers"]}
            policy = {} if b"content-security-policy" in present else {"content-security-policy": _POLICY}
            caching = {} if b"cache-control" in present else {"cache-control": "no-store"}
            extra = {**_HEADERS, **policy, **caching}
            message["headers"] = [*message["headers"], *((k.encode(), v.encode()) for k, v in extra.items())]
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4000 + status, "reason": reason})
        return
    body = json.dumps({"error": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _is_address(name: str) -> bool:
    """Whether a host is an IP address: no name leads there, so nobody can have it lead elsewhere."""
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _name(host: str) -> str:
    """A host without its port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].lower()
