"""The organiser's pages about dice."""
