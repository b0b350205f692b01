"""The organiser’s start pages: an event seen across all rooms."""
