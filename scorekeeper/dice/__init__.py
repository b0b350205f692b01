"""Whether the dice of an event are fair: counted from the log, or tested by throwing them."""
