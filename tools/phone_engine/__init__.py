"""Builds the engine with which a phone answers the crew's pages without signal: `python -m tools.phone_engine`."""
