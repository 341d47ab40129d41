"""Quantising a model, as the window knows it: what it takes, how far it is, what came of it."""
