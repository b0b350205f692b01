"""What the organiser's pages show, gathered from the rooms below."""
