"""The computed rankings, their ties and their official revisions."""
