"""The model library's window: discover, installed, downloads."""
