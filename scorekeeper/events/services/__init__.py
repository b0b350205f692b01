"""Database writes for events, their organisers, their contests and the organisers' accounts."""
