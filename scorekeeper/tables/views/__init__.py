"""The pages on which tables are created, and their actions recorded and corrected."""
