"""The organiser’s pages: an event across all apps."""
