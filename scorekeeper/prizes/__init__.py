"""Prizes of an event, and the awards: who wins them, according to the log."""
