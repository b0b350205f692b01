"""The reads of the app: from the log, and from the standings computed from it."""
