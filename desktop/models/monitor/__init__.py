"""What the monitor shows, apart from how: readings, histories, books of the KV pool."""
