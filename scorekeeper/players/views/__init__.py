"""Pages of the room, for organisers."""
