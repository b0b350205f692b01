"""The games' rule books as pages, and the links that lead to a clause."""
