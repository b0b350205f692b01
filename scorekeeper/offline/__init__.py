"""Working without signal: the phone's engine, which serves the crew's pages on the phone, and how it is built."""
