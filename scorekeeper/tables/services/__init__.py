"""Services of the app: creating tables, recording actions, and correcting them."""
