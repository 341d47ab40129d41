"""What the composer and a chat's settings work with."""
