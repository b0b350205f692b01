"""Writes of the room: following the log, closing, cutting, publishing."""
