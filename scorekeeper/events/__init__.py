"""Events (one ride day) and their contests; who organises them."""
