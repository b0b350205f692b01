"""Reads of the app: the prizes of an event, and the awards worked out from the log."""
