"""Forms for the organiser's decisions."""
