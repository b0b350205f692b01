"""Instead of `django.utils.log`, which can send mails: only server errors are logged, to the browser's console."""

from __future__ import annotations

import logging
from typing import Any

request_logger = logging.getLogger("django.request")


def log_response(
    message: str, *args: Any, response: Any = None, exception: BaseException | None = None, **more: Any
) -> None:
    """Log a server error; a missing page is not an error."""
    if response.status_code == 500:
        request_logger.error(message, *args, exc_info=exception)


def configure_logging(*args: Any) -> None:
    """Leave logging as it is."""
