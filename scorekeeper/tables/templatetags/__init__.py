"""What templates ask of the room."""
