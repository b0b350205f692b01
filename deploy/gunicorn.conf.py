"""Configuration of a web process: `gunicorn -c deploy/gunicorn.conf.py --bind 127.0.0.1:8001 config.wsgi`.

A web process serves pages and the API, with one worker and a few threads. To scale, run more such processes, each at an
address of its own. Then each can be monitored, restarted and upgraded while the others serve, and has its own metrics.

Headers about the client are trusted from this machine, or else from FORWARDED_ALLOW_IPS: X-Forwarded-Proto by gunicorn,
and X-Forwarded-For by the program itself.
"""

import ctypes
import struct
from select import POLLIN, poll
from socket import SOL_SOCKET, socket

from gunicorn.workers.gthread import ThreadWorker

SO_ATTACH_FILTER = 26  # Linux only
DROP_ALL_FILTER = struct.pack("HBBI", 0x06, 0, 0, 0)  # a packet filter of one instruction: return 0 bytes


class DrainingWorker(ThreadWorker):
    """When asked to stop, this worker answers all clients that are already connected and refuses all others.

    gunicorn's own worker stops accepting, and closes its listening socket after the last response. Clients that connect
    in between seem to be connected, and are then cut off. The proxy sends a refused request to the next process, of
    whatever kind it is.
    """

    def set_accept_enabled(self, enabled):  # type: ignore[no-untyped-def]
        """Start or stop accepting connections; once this worker is asked to stop, it never accepts again."""
        super().set_accept_enabled(enabled and self.alive)
        if self.alive:
            return
        for listener in self.sockets:
            drop_new_connections(listener)
            poller = poll()
            poller.register(listener, POLLIN)
            while poller.poll(0):
                self.accept(listener)
            listener.close()
        self.sockets = []


def drop_new_connections(listener: socket) -> None:
    """Drop everything new that arrives at a socket; connections that wait there can still be accepted.

    Closing the socket would cut off clients that have connected since the last accept. A client that is dropped tries
    again after a second, and is refused by then.
    """
    program = ctypes.create_string_buffer(DROP_ALL_FILTER)
    listener.setsockopt(SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", 1, ctypes.addressof(program)))


worker_class = DrainingWorker
workers = 1
# Threads wait for the database while another one computes. Each has a connection of its own.
threads = 8
# A worker that hangs for longer is killed. No statement takes longer than 20 seconds (config/database.py).
timeout = 30
# After SIGTERM, requests in progress are finished, while the proxy uses other processes.
graceful_timeout = 25
# One request per connection. The proxy might send a request on a persistent connection just as it closes, and could not
# know whether the request was read. A new connection on the same machine costs almost nothing.
keepalive = 0
# Clients wait here for a moment and are not refused, for example while the process restarts.
backlog = 512
# The program logs every request itself, without the path, which may contain a secret.
accesslog = None
# The control socket for gunicornc is in the home folder, where two processes of one user would share it.
control_socket_disable = True


def post_worker_init(worker):  # type: ignore[no-untyped-def]
    """Log when the process is ready to serve: gunicorn itself logs only that it listens."""
    worker.log.info("Ready to answer")
