"""Instead of Django's accounts: who runs the event, by name."""
