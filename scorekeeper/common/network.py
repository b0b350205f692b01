"""Where this machine can be reached from the local network."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress


def is_local_only(host: str) -> bool:
    """Return whether a server bound to the host is out of reach for other machines."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def get_public_host(host: str) -> str:
    """Return what others type to reach a server bound to the host: for "every address", the one on the network."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - compared with, not bound to
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only says which of its addresses it would send from.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def list_host_names(host: str) -> list[str]:
    """Return by what a server bound to the host may be called from here and from the local network."""
    name = socket.gethostname()
    names = ["localhost", "127.0.0.1", "::1", get_public_host(host), name, f"{name.partition('.')[0]}.local"]
    if not is_local_only(host):
        with suppress(OSError):  # of a machine that does not know itself by name
            found = [str(one[4][0]) for one in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)]
            # An address on the internet comes from the provider and may be another one tomorrow.
            names += [address for address in found if ipaddress.ip_address(address.partition("%")[0]).is_private]
    return list(dict.fromkeys(names))


def open_listening_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any free one.

    Whoever holds it keeps the address while the server behind it is started again: callers wait instead of failing.

    Raises:
        OSError: the address is taken, or not one of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=256)
    # Inherited by every connection: small answers leave at once.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
