"""The big screen, its steering, and what stands at the addresses of streams."""
