"""Template tags and filters of the app."""
