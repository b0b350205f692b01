"""The product's settings, with a temporary data folder that is deleted after the tests.

The database is an SQLite file, so that threads meet the same locks as in production. TEST_DATABASE=postgres selects
the server that `tests.services` finds.
"""

from __future__ import annotations

import atexit
import os
import tempfile

from tests.services import find_postgres

TEMPORARY_FOLDER = tempfile.TemporaryDirectory(prefix="tailgunner-tests-", ignore_cleanup_errors=True)
# A worker of a parallel run ends without pytest's cleanup.
atexit.register(TEMPORARY_FOLDER.cleanup)
_on_postgres = os.environ.get("TEST_DATABASE") == "postgres"
_server = find_postgres() if _on_postgres else None
if _on_postgres and _server is None:
    raise RuntimeError("TEST_DATABASE asks for PostgreSQL, and no server lets us make databases")
for _name in (
    "ALLOWED_HOSTS",
    "BASE_URL",
    "DEBUG",
    "EXTRA_GAMES",
    "LOCAL_TLS",
    "METRICS_TOKEN",
    "REDIS_URL",
    "SECRET_KEY",
    "TAILGUNNER_MODE",
):
    os.environ.pop(_name, None)
os.environ |= {"DATA_DIR": TEMPORARY_FOLDER.name, "DATABASE_URL": _server or "", "LOG_LEVEL": "INFO"}
# All requests of a run come from one address. Tests of the limits set their own.
os.environ |= dict.fromkeys(("API_READS_PER_ADDRESS", "API_READS_PER_TOKEN", "PRINTS_PER_ADDRESS"), "0")

from config.settings import *  # noqa: E402
from config.settings import DATA_DIR, DATABASES  # noqa: E402

# Concurrent runs use different databases.
_test_name = f"tailgunner_tests_{os.getpid()}" if _server else DATA_DIR / "tests.sqlite3"
DATABASES["default"]["TEST"] = {"NAME": _test_name}
# Argon2 is slow by design, and no test depends on it.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Each test client starts the middleware anew; with this it looks for a file when asked, instead of listing all of them.
WHITENOISE_AUTOREFRESH = True
