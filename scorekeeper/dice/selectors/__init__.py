"""What the log says about the dice of an event."""
