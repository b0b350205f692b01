"""Forms for events, organisers, contests and signing in."""
