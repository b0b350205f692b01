"""Build steps: programs that make something for the server to serve. The server imports nothing from here."""
