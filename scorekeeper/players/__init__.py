"""Players: the people of an event, with or without a bike."""
