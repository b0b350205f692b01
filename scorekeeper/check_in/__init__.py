"""Checking in: what is ticked for each bike before the ride, and which bikes did not start."""
