"""The window's end of the engine: process, socket, typed signals. QtCore and QtNetwork only."""
