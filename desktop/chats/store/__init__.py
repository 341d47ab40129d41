"""Chats on disk: SQLite, one writer thread, search."""
