"""Database reads of the app: what each document shows, as plain data."""
