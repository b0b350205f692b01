"""Parsing of request bodies."""
