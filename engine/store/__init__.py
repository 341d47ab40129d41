"""The model store: where models lie, and what is done to them. Imports nothing heavy."""
