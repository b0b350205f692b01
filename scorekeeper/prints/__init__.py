"""Prints: documents of an event as PDF, from one set of templates."""
