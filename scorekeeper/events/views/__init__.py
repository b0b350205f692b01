"""Pages of the room."""
