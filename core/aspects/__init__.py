"""Finds in a paper the sentences that tell what a reader looks for: its statements, and the signs of each aspect."""
