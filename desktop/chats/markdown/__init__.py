"""From a text that streams in to what a page shows of it."""
