"""Forms for testing dice."""
