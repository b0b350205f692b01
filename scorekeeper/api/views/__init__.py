"""Views of the API, by topic."""
