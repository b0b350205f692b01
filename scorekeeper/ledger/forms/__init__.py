"""Forms of the entry pages, and of the operations that phones send."""
