"""The hub: searched, judged and read, in a process of its own (`python -m engine.store.hub`).

Only the user's own asking leads here. `messages` is what the process is told and tells,
`network` which hub it asks and by which way. Importing the package loads no network library.
"""
