"""The forms of the entry pages."""
