"""The version of Inglenook, in one place for the window, the terminal and the package."""

from typing import Final

VERSION: Final = "0.1.0"
