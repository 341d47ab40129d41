"""What `doctor` looks at, a module for each kind; it must work where much else does not.

It speaks English. The window translates what is found: so each name, text and advice is made
from one that went through `engine.failure_words.words`, but for commands and foreign words.
"""

from typing import Final

# Modules with texts that a finding may be made from; a test finds those that are missing here.
TEXT_MODULES: Final = (
    "desktop.terminal.doctor",
    "desktop.terminal.doctoring.files",
    "desktop.terminal.doctoring.findings",
    "desktop.terminal.doctoring.library",
    "desktop.terminal.doctoring.machine",
    "desktop.terminal.doctoring.programs",
)
