"""What a channel is told by the clock: digests, journal clubs, and when they are due."""
