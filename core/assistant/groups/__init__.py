"""What is posted to a channel on a schedule: digests, journal clubs, and when they are due."""
