"""Database writes for groups, crew members, invitations and devices."""
