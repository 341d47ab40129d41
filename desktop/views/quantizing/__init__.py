"""Quantising a model, as the window shows it: what is asked, the progress, the verdict."""
