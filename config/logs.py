"""Logging: one line per event, always through structlog, also for the standard library's loggers.

Invariant: no token and no PIN reaches a log. Values with a name that suggests a secret are replaced. So is the token in
the path of a one-time link (`SECRET_PATHS`), because the link is itself a secret.
"""

from __future__ import annotations

import logging
import logging.config
import re
from collections.abc import MutableMapping
from typing import Any

import structlog

HIDDEN = "[hidden]"
_SECRET_NAME = re.compile(r"token|pin$|password|passwd|secret|cookie|authorization|csrf", re.IGNORECASE)
# The parts of paths that a token follows: links of the crew and of organisers. A test compares them with the routes.
SECRET_PATHS = ("join", "welcome", "invited", "new-password")
_SECRET_IN_TEXT = re.compile(
    rf"(/(?:{'|'.join(SECRET_PATHS)})/)[^/\s?\"']+|((?:token|pin|password)=)[^&\s\"']+", re.IGNORECASE
)

# Our own middleware logs refused requests, with the route and not the path.
LOGGER_LEVELS = {
    "django": "INFO",
    "django.request": "ERROR",
    "django.security.csrf": "WARNING",
    "django.security.DisallowedHost": "WARNING",
    "fido2": "WARNING",
    "uvicorn": "WARNING",
    "uvicorn.error": "INFO",
    "celery": "WARNING",
    "celery.apps.worker": "INFO",
    "kombu": "WARNING",
}

MAX_HOST = 100  # characters of a wrong Host header that are logged

LogEvent = MutableMapping[str, Any]


def hide_secrets(_logger: object, _method: str, event: LogEvent) -> LogEvent:
    """Replace secrets; a structlog processor that runs before anything is written."""
    for name, value in event.items():
        if _SECRET_NAME.search(name):
            event[name] = HIDDEN
        elif isinstance(value, str):
            event[name] = _hide_in_text(value)
    return event


def _hide_in_text(text: str) -> str:
    return _SECRET_IN_TEXT.sub(lambda match: (match[1] or match[2]) + HIDDEN, text)


def replace_path_with_route(record: logging.LogRecord) -> bool:
    """Replace the path, a record's last argument, by the route; a logging filter that passes every record."""
    request = getattr(record, "request", None)
    if request is not None and isinstance(record.args, tuple) and record.args:
        record.args = (*record.args[:-1], request.resolver_match.route if request.resolver_match else "(none)")
    return True


def shorten_unknown_host(record: logging.LogRecord) -> bool:
    """Make one line of a request for a host that is not ours; a logging filter that passes every record.

    Scanners send them all day. Django would log each as an error, with a traceback and whatever they sent.
    """
    request = getattr(record, "request", None)
    host = request.META.get("HTTP_HOST", "") if request is not None else ""
    record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    record.msg = "unknown_host %r: if people open this address, add it to ALLOWED_HOSTS"
    record.args = (host[:MAX_HOST],)
    record.exc_info = record.exc_text = None
    return True


FILTERS = {
    "django.request": [replace_path_with_route],
    "django.security.csrf": [replace_path_with_route],
    "django.security.DisallowedHost": [shorten_unknown_host],
}


def configure(options: dict[str, Any]) -> None:
    """Set up logging; Django calls it with the setting LOGGING.

    Args:
        options: `level`, a name such as INFO, and `as_json`: whether to write JSON lines for machines.
    """
    before: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: Any = structlog.processors.JSONRenderer()
    if not options["as_json"]:
        renderer = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    after = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.format_exc_info,
        hide_secrets,
        renderer,
    ]
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "line": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": before,
                    "processors": after,
                }
            },
            # The handler has the level too, because some loggers below have a lower level of their own.
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "level": options["level"]}},
            "root": {"handlers": ["stderr"], "level": options["level"]},
            # Without handlers of their own, which would write every line twice and bypass our formatter.
            "loggers": {
                name: {
                    "handlers": [],
                    "level": level,
                    "propagate": True,
                    "filters": FILTERS.get(name, []),
                }
                for name, level in LOGGER_LEVELS.items()
            },
        }
    )
    structlog.configure(
        processors=[*before, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
