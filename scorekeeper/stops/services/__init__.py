"""Writes of the room: the stops of a ride, and which turns they hold."""
