"""What the installation holds about one person of an event, for that person."""
