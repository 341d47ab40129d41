"""Downloads of models, each in a process of its own (`python -m engine.store.download`).

`messages` is what the process is told and tells, `work.run` the same within this process,
`partials` what is left unfinished. Importing the package loads no network library.
"""
