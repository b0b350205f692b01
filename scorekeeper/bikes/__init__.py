"""The bikes of an event, their numbers and their printed codes."""
