"""Instead of `sqlparse`: no page takes SQL apart."""
