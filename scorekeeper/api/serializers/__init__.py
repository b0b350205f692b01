"""The forms of what the API answers: they serialize rows of the database, and describe plain data."""
