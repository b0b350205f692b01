"""Forms of the app, and the kinds of operation that a phone may send."""
