"""The games' rule books as pages, and links to their clauses."""
