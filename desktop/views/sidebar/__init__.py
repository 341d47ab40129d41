"""The list of chats, the search, the bin, export and import."""
