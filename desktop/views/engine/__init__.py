"""The engine as the window shows it."""
