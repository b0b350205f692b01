"""Public result pages and exports."""
