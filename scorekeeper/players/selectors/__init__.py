"""Reads of the room: the roster, names as the public may see them, and what an import would do."""
