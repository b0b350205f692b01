"""The WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

from config import database
from scorekeeper.common.body_limit import limit_body
from scorekeeper.common.security_headers import add_security_headers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = add_security_headers(limit_body(get_wsgi_application()))
database.use_persistent_connections()
database.use_socket_health_checks()
database.limit_statements()
