"""People, riding on a bike or not."""
