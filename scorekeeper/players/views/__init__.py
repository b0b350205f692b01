"""Views of the organiser pages for the roster."""
