"""How a web process runs: `gunicorn -c deploy/gunicorn.conf.py --bind 127.0.0.1:8001 config.wsgi`.

One worker with a few threads is one process of pages and API. More processes are more of these, each at an address of
its own: then each can be watched, restarted and upgraded while the others answer, and tells its own figures.
Headers about the caller (`X-Forwarded-Proto`) are believed from 127.0.0.1, and from FORWARDED_ALLOW_IPS.
"""

import ctypes
import struct
from select import POLLIN, poll
from socket import SOL_SOCKET, socket

from gunicorn.workers.gthread import ThreadWorker

SO_ATTACH_FILTER = 26  # of Linux
DROP_ALL_FILTER = struct.pack("HBBI", 0x06, 0, 0, 0)  # a packet filter of one instruction: return 0 bytes


class DrainingWorker(ThreadWorker):
    """Asked to end, it answers everybody who has reached it and refuses everybody else.

    gunicorn's own looks away from its listening socket and closes it after the last answer: whoever connects meanwhile
    seems to have reached somebody, and is cut off. A refused request the proxy takes to the next process, whatever it
    carries.
    """

    def set_accept_enabled(self, enabled):  # type: ignore[no-untyped-def]
        """Begin or cease to let callers in; for good once this worker is asked to end."""
        super().set_accept_enabled(enabled and self.alive)
        if self.alive:
            return
        for listener in self.sockets:
            drop_new_connections(listener)
            waiting = poll()
            waiting.register(listener, POLLIN)
            while waiting.poll(0):
                self.accept(listener)
            listener.close()
        self.sockets = []


def drop_new_connections(listener: socket) -> None:
    """Leave those who are waiting at a socket to be accepted, and drop whatever else arrives there.

    Closing it would cut off whoever has come since the last one was accepted. Dropped, they knock again after a second,
    and are refused by then.
    """
    program = ctypes.create_string_buffer(DROP_ALL_FILTER)
    listener.setsockopt(SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HP", 1, ctypes.addressof(program)))


worker_class = DrainingWorker
workers = 1
# Threads wait for the database while another one computes. Each has a connection of its own.
threads = 8
# A thread that is silent for longer is given up. No statement takes longer than 20 seconds (config/database.py).
timeout = 30
# After SIGTERM what was begun is finished, and the proxy has gone elsewhere meanwhile.
graceful_timeout = 25
# A connection carries one request. On one that is kept the proxy might send just while it is closed, and could not know
# whether that was read; a new one to the same machine costs next to nothing.
keepalive = 0
# Callers wait here for a moment rather than being refused, as while the process is started again.
backlog = 512
# The program writes its own line for every request, without the path, which may hold a secret.
accesslog = None
# Its way in for gunicornc lies in the home folder, where two processes of one user would share it.
control_socket_disable = True


def post_worker_init(worker):  # type: ignore[no-untyped-def]
    """Say when pages are answered: gunicorn itself tells only that it listens."""
    worker.log.info("Ready to answer")
