"""Pages of the app."""
