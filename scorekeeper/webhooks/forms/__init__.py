"""Forms of the app."""
