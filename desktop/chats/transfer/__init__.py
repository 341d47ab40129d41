"""Chats out of Inglenook and into it: Markdown, HTML and JSON files; pure Python, no Qt."""
