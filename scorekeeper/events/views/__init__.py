"""Views of the organiser pages for events and contests, and of signing in."""
