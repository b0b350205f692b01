"""The pages and files that leave the house."""
