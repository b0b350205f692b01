"""Pages of the room: at the desk, and the ones a phone signs in and out with."""
