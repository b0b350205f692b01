"""Views of the API."""
