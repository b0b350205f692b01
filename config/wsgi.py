"""The way in for a WSGI server."""

import os

from django.core.wsgi import get_wsgi_application

from config import database

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
database.keep_connections()
database.listen_for_hangups()
database.limit_statements()
