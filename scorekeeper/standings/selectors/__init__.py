"""Reads of the room: from the log, and from the standings that follow it."""
