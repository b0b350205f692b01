#!/usr/bin/env python
"""Django's command line for Tailgunner."""

import os
import sqlite3
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run a command. A damaged file of the data folder is named in a sentence instead of a traceback."""
    from django.conf import settings
    from django.db import DatabaseError

    from scorekeeper.common.damaged_files import explain_error

    try:
        execute_from_command_line(sys.argv)
    except (OSError, DatabaseError, sqlite3.Error) as error:
        database = settings.DATABASES["default"]
        path = str(database["NAME"]) if "sqlite" in database["ENGINE"] else ""
        text = explain_error(error, settings.DATA_DIR, path)
        if text is None:
            raise
        sys.exit(text)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main()
