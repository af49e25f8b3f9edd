"""Which addresses may be fetched: those that anybody on the internet reaches, and no others.

A host is checked as the HTTP client will read it, after Unicode digits and stops were folded. A name is looked up
here, each of its addresses checked, and the very address that was checked is connected to, so that a name cannot
answer the check with one address and the connection with another. Each address is checked once more when its
socket is opened.
"""

import asyncio
import errno
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from core.domain.errors import PaperRejected

if TYPE_CHECKING:
    from aiohttp import AddrInfoType
    from aiohttp.abc import AbstractResolver, ResolveResult

HostLookup: TypeAlias = Callable[[str], Awaitable[Sequence[str]]]
"""The addresses of a host name."""
AddressPredicate: TypeAlias = Callable[[str], bool]
"""Whether an IP address may be connected to."""
_TRANSLATED = tuple(ipaddress.ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))
"""IPv6 ranges that carry an IPv4 address inside; nobody serves papers there."""
_SPECIAL = tuple(ipaddress.ip_network(net) for net in ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "3fff::/20"))
"""Ranges of special purpose (protocols, relays, sites, documentation) that ``ipaddress`` counts as global."""
_NOT_PUBLIC = "That address is not on the open internet; nothing was fetched."


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
    if any(found in net for net in _SPECIAL):
        return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


async def resolve_host(host: str) -> Sequence[str]:
    """The addresses that the system's resolver gives."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return ()
    return list(dict.fromkeys(str(info[4][0]) for info in found))


class NonPublicAddress(PaperRejected):
    """The address leads to a place that is not on the open internet."""


class RefusedConnection(OSError):
    """A socket was about to be opened to an address that is not allowed."""


def check_ip_literal(host: str, allowed: AddressPredicate) -> None:
    """Refuse a host that is an IP address and not allowed; names are checked when they are looked up.

    ``host`` is as the client reads it, without brackets. An IPv4 address in an old spelling (``2130706433``,
    ``127.1``, ``0177.0.0.1``) is refused whatever it means: systems do not agree on what that is.
    """
    literal = host.partition("%")[0].rstrip(".")
    if _is_address(literal):
        if not allowed(literal):
            raise not_public()
    elif _is_old_spelling(literal):
        raise NonPublicAddress("Only addresses written in the usual way can be fetched; nothing was fetched.")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_old_spelling(host: str) -> bool:
    """Whether a system may read this as an IPv4 address: its last part is a number."""
    last = host.rpartition(".")[2]
    try:
        int(last, 16 if last.lower().startswith("0x") else 10)
    except ValueError:
        return False
    return True


def socket_factory(allowed: AddressPredicate) -> "Callable[[AddrInfoType], socket.socket]":
    """What opens the client's sockets: none to an address that is not allowed. Raises ``RefusedConnection``."""

    def opened(address: "AddrInfoType") -> socket.socket:
        family, kind, protocol, _, peer = address
        if not allowed(str(peer[0])):
            raise RefusedConnection(errno.EACCES, "not a public address")
        return socket.socket(family=family, type=kind, proto=protocol)

    return opened


def not_public() -> NonPublicAddress:
    """The refusal of an address that is not on the open internet."""
    return NonPublicAddress(_NOT_PUBLIC)


def build_resolver(lookup: HostLookup, allowed: AddressPredicate) -> "AbstractResolver":
    """A resolver for aiohttp that gives allowed addresses only."""
    from aiohttp.abc import AbstractResolver

    class Checked(AbstractResolver):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> "list[ResolveResult]":
            addresses = await lookup(host)
            if not addresses:
                raise OSError(f"{host} is not known")
            # One address that is not public is reason enough: an honest name has no such address beside a public one.
            if not all(allowed(address) for address in addresses):
                raise not_public()
            return [_result(host, address, port) for address in addresses]

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
