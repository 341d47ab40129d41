"""Chats and how they are kept: pure Python, no Qt."""
