"""The page around an exported chat: its style, for screens light and dark and for paper."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Final

_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
_NAME: Final = re.compile(r"[a-z_]+")


@dataclass(frozen=True, slots=True)
class Colours:
    """Tokens of the theme by name, as "#rrggbb": page, text, muted, line, raised, sunken, accent.

    Without them a page has the reader's own colours.
    """

    light: Mapping[str, str] = field(default_factory=dict)
    dark: Mapping[str, str] = field(default_factory=dict)


_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
_STYLE: Final = """
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 46rem;
  font: 1rem/1.6 Inter, "Noto Sans", system-ui, sans-serif;
  background: var(--page, Canvas); color: var(--text, CanvasText); overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; }
.facts, small, figcaption, .note, summary { color: var(--muted, GrayText); font-size: .875rem; }
.facts span { margin-inline-end: 1.5rem; }
section { margin-top: 1.75rem; }
section.user { background: var(--sunken, transparent); border-radius: 8px; padding: .75rem 1rem; }
h2 { display: flex; justify-content: space-between; gap: 1rem; font-size: .95rem;
  margin: 0 0 .5rem; }
h2 small { font-weight: normal; white-space: nowrap; }
h3, h4, h5, h6 { margin: 1.25rem 0 .5rem; line-height: 1.3; }
p { margin: 0 0 .75rem; } section > :last-child { margin-bottom: 0; }
p.item, .item { display: flex; gap: .6rem; margin-bottom: .35rem; }
.marker { min-width: 1.1rem; text-align: end; color: var(--muted, GrayText); }
.list { margin-inline-start: .75rem; } .list .list { margin-inline-start: 1.5rem; }
blockquote { margin: 0 0 .75rem; padding-inline-start: 1rem;
  border-inline-start: 3px solid var(--line, GrayText); }
pre, code { font-family: "JetBrains Mono", "Noto Sans Mono", monospace; font-size: .9em; }
pre { background: var(--raised, transparent); border: 1px solid var(--line, GrayText);
  border-radius: 6px; padding: .75rem 1rem; overflow-x: auto; margin: 0; }
.maths { font-family: "JetBrains Mono", "Noto Sans Mono", monospace; font-size: .9em; }
pre.text { white-space: pre-wrap; font-family: inherit; }
figure { margin: 0 0 .75rem; } details { margin: 0 0 .75rem; }
details > :not(summary) { margin-top: .5rem; }
summary { cursor: pointer; }
.wide { overflow-x: auto; margin-bottom: .75rem; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line, GrayText); padding: .3rem .6rem; text-align: start; }
.center { text-align: center; } .right { text-align: right; }
a { color: var(--accent, LinkText); } hr { border: 0; border-top: 1px solid var(--line, GrayText); }
ul.index { padding-inline-start: 1.2rem; } .index li { margin-bottom: .4rem; }
@media print { body { max-width: none; padding: 0; font-size: 11pt; }
  pre { white-space: pre-wrap; } section, figure, tr { break-inside: auto; }
  h2, h3 { break-after: avoid; } a::after { content: " (" attr(href) ")"; font-size: .8em; } }
"""


def page(title: str, body: str, colours: Colours, language: str) -> str:
    """A whole document around `body`, which is HTML already; `title` is text."""
    light, dark = _tokens(colours.light), _tokens(colours.dark)
    # Paper is white, whatever the screen is.
    style = (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}{_STYLE}"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(language, quote=True)}"><head>'
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escape(title)}</title><style>\n{style}</style></head>\n"
        f"<body>{body}</body></html>\n"
    )


def _tokens(colours: Mapping[str, str]) -> str:
    return " ".join(
        f"--{name}: {value};"
        for name, value in colours.items()
        if _NAME.fullmatch(name) and _COLOUR.fullmatch(value)
    )
