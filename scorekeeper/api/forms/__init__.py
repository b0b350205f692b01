"""What is read of a request."""
