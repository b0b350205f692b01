"""Events (an event is one ride day), their contests and their organisers."""
