"""How a web process runs: `gunicorn -c deploy/gunicorn.conf.py --bind 127.0.0.1:8001 config.wsgi`.

One worker with a few threads is one process of pages and API. More processes are more of these, each at an address of
its own: then each can be watched, restarted and upgraded while the others answer, and tells its own figures.
Headers about the caller (`X-Forwarded-Proto`) are believed from 127.0.0.1, and from FORWARDED_ALLOW_IPS.
"""

worker_class = "gthread"
workers = 1
# Threads wait for the database while another one computes. Each has a connection of its own.
threads = 8
# A thread that is silent for longer is given up. No statement takes longer than 20 seconds (config/database.py).
timeout = 30
# After SIGTERM what was begun is finished, and the proxy has gone elsewhere meanwhile.
graceful_timeout = 25
# Longer than the proxy keeps an unused connection, or it would now and then use one that is being closed.
keepalive = 75
# Callers wait here for a moment rather than being refused, as while the process is started again.
backlog = 512
# The program writes its own line for every request, without the path, which may hold a secret.
accesslog = None
# Its way in for gunicornc lies in the home folder, where two processes of one user would share it.
control_socket_disable = True


def post_worker_init(worker):  # type: ignore[no-untyped-def]
    """Say when pages are answered: gunicorn itself tells only that it listens."""
    worker.log.info("Ready to answer")
