"""What the readings say in words, in the user's language.

The English texts stand where they arise: in the enumerations of `readings` and the tables of
`nvml_errors`.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.hardware.nvml_errors import fill, template
from desktop.hardware.readings import DriverState, Missing, PeerAccess, Throttle, Topology

_CONTEXT = "Hardware"


def spoken(word: Missing | Throttle | Topology | PeerAccess) -> str:
    """A reason, a throttle, a level or an access in the user's language."""
    return QCoreApplication.translate(_CONTEXT, word.value)


def driver_text(driver: DriverState) -> str:
    """What ails the driver and what to do; "" when nothing does."""
    text = template(driver)
    return fill(QCoreApplication.translate(_CONTEXT, text), driver) if text else ""
