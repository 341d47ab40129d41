"""What the sidebar and the palette list."""
