"""Every colour, size, spacing and font of the window, in one place.

`apply` is called once by the composition root and again when the user changes the
theme or the text size; views ask `current()` while painting and listen to
`notifier().changed` to rebuild what they cached. No view names a colour.

Ordinary widgets take their look from the style sheet. Two dynamic properties steer
it, set with `setProperty` before the widget is shown:

* ``role`` on labels and frames: "title", "small", "muted", "danger", "warning", "page",
  "raised", "sidebar", "field" (what is written or chosen in)
* ``kind`` on buttons: "primary" (one per surface), "quiet" (no ground until hovered),
  "danger", "chip", "round"
"""

from desktop.theme.apply import Notifier, apply, current, notifier
from desktop.theme.fonts import load as load_fonts
from desktop.theme.restyle import add_page
from desktop.theme.tokens import CONTRAST, DARK, LIGHT, Spacing, Syntax, Theme, pixel

__all__ = [
    "CONTRAST",
    "DARK",
    "LIGHT",
    "Notifier",
    "Spacing",
    "Syntax",
    "Theme",
    "add_page",
    "apply",
    "current",
    "load_fonts",
    "notifier",
    "pixel",
]
