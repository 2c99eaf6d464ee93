"""What `check_game` verifies, by subject: one small function a check, listed in a table at the end of each file.

A check gets a `Visit` (one position on the way of a random game) and returns what is wrong, or None.
"""
