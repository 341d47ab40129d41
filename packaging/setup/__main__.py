"""`python packaging/setup run|test [arguments]`: what ./packaging/run and ./packaging/test call."""

import sys
from pathlib import Path


def _start() -> int:
    # Run as a folder, so the path holds packaging/setup itself; the package is named from above.
    # The root is there for engine.store, which says where the starter model lies.
    here = Path(__file__).resolve().parent
    sys.path[0:1] = [str(here.parent), str(here.parent.parent)]
    from setup.cli import main

    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(_start())
