"""Read queries of the app."""
