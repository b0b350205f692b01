"""The phone without signal: what it can answer by itself, and how the engine for that is built."""
