"""Django's SQLite, whose writers queue: whoever came first writes first."""
