"""The ASGI application."""

import os
import warnings

from django.core.asgi import get_asgi_application

from config import database

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Static files that Django serves are small and read in one go. Its warning about synchronous iterators is about long
# streams.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

_django = get_asgi_application()
database.limit_statements()

from scorekeeper.common.body_limit import BodyLimitMiddleware  # noqa: E402 - Django has to be set up first
from scorekeeper.common.security_headers import SecurityHeadersMiddleware  # noqa: E402
from scorekeeper.common.static_middleware import StaticFilesMiddleware  # noqa: E402
from scorekeeper.live.stream_middleware import StreamMiddleware  # noqa: E402

application = SecurityHeadersMiddleware(BodyLimitMiddleware(StaticFilesMiddleware(StreamMiddleware(_django))))
