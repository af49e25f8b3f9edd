"""Which addresses may be fetched: those that anybody on the internet reaches, and nothing behind our own walls.

A name is looked up here, each of its addresses checked, and the very address that was checked is connected to, so
that a name cannot answer the check with one address and the connection with another.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from core.domain.errors import PaperRejected

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver, ResolveResult

Lookup: TypeAlias = Callable[[str], Awaitable[Sequence[str]]]
"""The addresses of a host name."""
Allowed: TypeAlias = Callable[[str], bool]
"""Whether an IP address may be connected to."""
_TRANSLATED = tuple(ipaddress.ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))
"""IPv6 ranges that carry an IPv4 address inside; nobody serves papers there."""


def is_public(address: str) -> bool:
    """Whether an IP address is of the open internet."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if any(found in net for net in _TRANSLATED):
            return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


async def look_up(host: str) -> Sequence[str]:
    """The addresses that the system's resolver gives."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return ()
    return list(dict.fromkeys(str(one[4][0]) for one in found))


class NotPublic(PaperRejected):
    """The address leads to a place that is not on the open internet."""


def check_literal(host: str, allowed: Allowed) -> None:
    """Refuse a host that is an IP address and not allowed; names are checked when they are looked up."""
    try:
        ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return
    if not allowed(host.strip("[]")):
        raise NotPublic("That address is not on the open internet; nothing was fetched.")


def resolver(lookup: Lookup, allowed: Allowed) -> "AbstractResolver":
    """A resolver for aiohttp that gives allowed addresses only."""
    from aiohttp.abc import AbstractResolver

    class Checked(AbstractResolver):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> "list[ResolveResult]":
            addresses = await lookup(host)
            if not addresses:
                raise OSError(f"{host} is not known")
            # One address behind our walls is reason enough: a name that has both is up to no good.
            if not all(allowed(one) for one in addresses):
                raise NotPublic("That address is not on the open internet; nothing was fetched.")
            return [_result(host, one, port) for one in addresses]

        async def close(self) -> None:
            """Nothing is kept."""

    return Checked()


def _result(host: str, address: str, port: int) -> "ResolveResult":
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return {
        "hostname": host,
        "host": address,
        "port": port,
        "family": family,
        "proto": 0,
        "flags": socket.AI_NUMERICHOST,
    }
