"""Host names and addresses at which the local network can reach this machine."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress


def is_local_only(host: str) -> bool:
    """Return whether other machines cannot reach a server that is bound to the host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def get_public_host(host: str) -> str:
    """Return the host that people type to reach a server bound to it: for "every address", the local network's."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - compared with, not bound to
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: this only finds out which of its addresses the system would send from.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def list_host_names(host: str) -> list[str]:
    """Return the names and addresses of a server bound to the host, from this machine and the local network."""
    name = socket.gethostname()
    names = ["localhost", "127.0.0.1", "::1", get_public_host(host), name, f"{name.partition('.')[0]}.local"]
    if not is_local_only(host):
        with suppress(OSError):  # the machine cannot resolve its own name
            found = [str(info[4][0]) for info in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)]
            # A public address comes from the internet provider and may change any day.
            names += [address for address in found if ipaddress.ip_address(address.partition("%")[0]).is_private]
    return list(dict.fromkeys(names))


def open_listening_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any free port.

    The process that holds the socket keeps the address while the server behind it restarts: clients wait and do not
    fail.

    Raises:
        OSError: the address is in use, or does not belong to this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=256)
    # Inherited by every connection: small responses are sent at once.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
