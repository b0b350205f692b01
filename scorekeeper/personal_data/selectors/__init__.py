"""Database reads of the app."""
