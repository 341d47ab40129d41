"""The program's settings, and a chat's."""
