"""What phones are handed out."""
