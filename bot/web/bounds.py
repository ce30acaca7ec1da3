"""Bounds for those who ask: how often, and how many follow games at the same time, by address and in all."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from cachetools import LRUCache

BURST, PER_SECOND = 60.0, 4.0
"""How many requests an address can make at once, and how many a second on end: many people can share an address."""
ASKING = 8.0
"""As how many more requests one counts for which Discord must be asked, and one for which a page must be made: one
worker makes all, a long one in half a second."""
ADDRESSES = 10_000
"""How many addresses are remembered."""
MOST_STREAMS, MOST_BY_ADDRESS = 500, 30
"""How many can follow games at the same time."""
IPV6_BITS = 64
"""How much of an IPv6 address stands for its owner."""


def address_of(peer: str | None, forwarded: Sequence[str]) -> str:
    """Whom a request counts for. Behind a reverse proxy, which is on a private address, that is the last address in
    `forwarded` (all lines of X-Forwarded-For): the one that the proxy itself has seen."""
    found = _ip(peer or "")
    if found is not None and (found.is_loopback or found.is_private):
        found = _ip(",".join(forwarded).rpartition(",")[2].strip()) or found
    if isinstance(found, IPv6Address):
        return str(ip_network((found, IPV6_BITS), strict=False))
    return str(found)


def _ip(text: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found  # as a socket for both kinds names those of IPv4


class Bounds:
    """What each address has used."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: LRUCache[str, tuple[float, float]] = LRUCache(ADDRESSES)
        """By address, how many requests were left, and when."""
        self._streams: Counter[str] = Counter()

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Count a request, or as many as it costs; whether it isn't one too many."""
        now = self._clock()
        left, at = self._left.get(address, (BURST, now))
        left = min(left + (now - at) * PER_SECOND, BURST)
        allowed = left >= cost
        self._left[address] = left - allowed * cost, now
        return allowed

    @contextmanager
    def stream(self, address: str) -> Iterator[bool]:
        """Count someone who follows a game, for as long as they do; gives whether it isn't one too many."""
        allowed = self._streams[address] < MOST_BY_ADDRESS and self._streams.total() < MOST_STREAMS
        self._streams[address] += allowed
        try:
            yield allowed
        finally:
            self._streams[address] -= allowed
            if not self._streams[address]:
                del self._streams[address]
