"""The forms of those pages."""
