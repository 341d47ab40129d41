"""What is installed on this machine: found, checked, used, imported, deleted, moved.

Standard library and msgspec only, so that the window may import it; nothing here asks the network.
A scan belongs on a thread; what takes long is a process of its own (`__main__`), or is called by
the terminal in its own.
"""
