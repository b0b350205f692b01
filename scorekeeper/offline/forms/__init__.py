"""Parsing of what phones send."""
