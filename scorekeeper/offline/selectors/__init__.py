"""Queries of the app."""
