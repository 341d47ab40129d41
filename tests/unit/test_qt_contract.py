"""What this program needs of PySide6 and would otherwise find out by a crash."""

from __future__ import annotations

import subprocess
import sys

PROBE = """
import sys
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

class Source(QObject):
    fired = Signal(object)

app = QCoreApplication([])
source, timer = Source(), QTimer()
before = [sys.getrefcount(value) for value in (None, True, False)]
for _ in range(500):
    timer.setSingleShot(True)
    source.fired.emit(True)
after = [sys.getrefcount(value) for value in (None, True, False)]
lost = max(b - a for a, b in zip(after, before))
sys.exit(0 if lost < 50 else f"lost {lost} references to a singleton")
"""


def test_calls_into_qt_keep_the_references_to_none_and_true() -> None:
    """PySide6 6.12.0 drops one a call on Python 3.11: the process aborts after some thousands."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
