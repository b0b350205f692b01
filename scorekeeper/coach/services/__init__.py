"""Database writes of the app."""
