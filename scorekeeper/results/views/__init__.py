"""Views of the public pages and of the exports."""
