"""Forms of the app, and the operations that phones may send."""
