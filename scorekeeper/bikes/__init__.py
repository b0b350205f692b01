"""Machines with a number."""
