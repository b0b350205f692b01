"""What is read of what phones send."""
