"""The HTTP API for phones: they send their recorded operations and register their keys."""
