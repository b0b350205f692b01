"""Views of the app."""
