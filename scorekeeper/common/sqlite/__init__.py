"""Django's SQLite backend with a queue for writers: first come, first served."""
