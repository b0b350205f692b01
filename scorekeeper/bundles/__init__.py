"""Bundles: an event in one file, to keep, to check anywhere, and to import into another installation."""
