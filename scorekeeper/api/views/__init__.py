"""The addresses' answers."""
