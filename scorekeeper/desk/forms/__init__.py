"""What the organiser decides, as forms."""
