"""Writes of the room: bikes with the people on them, people without a bike, and whole rosters."""
