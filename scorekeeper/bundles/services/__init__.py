"""Importing bundles."""
