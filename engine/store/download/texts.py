"""What a download tells people, where telling it needs the network's libraries.

The window reads these for translation, and must not load those.
"""

from __future__ import annotations

from engine.failure_words import words

OTHER = words("Another process is fetching {repo}; waiting for it.")
NOTHING = words("{repo} holds nothing that can be fetched here: no safetensors and no GGUF files.")
KEEPS_CHANGING = words(
    "{repo} keeps changing on the hub while it is fetched. What was fetched is kept; try again "
    "later."
)
CHANGED = words(
    "{name} has changed on the hub while it was fetched. The hub is asked again what there is."
)
HOSTILE = words(
    "The hub answers for {name} with a checksum or commit that is none (“{text}”). It is not taken."
)
PACKED = words("The hub packs {name} in a way that was not asked for ({text}).")
WRONG_RANGE = words("The hub sends other bytes of {name} than were asked for.")
WRONG_LENGTH = words(
    "What comes for {name} is something else. A network that wants you to sign in first, as in "
    "hotels, answers like this."
)
PLACE = words("The place where {name} lies ({host}) answers with an error ({status}).")
STALLED = words("{name} comes too slowly to count; the connection is made anew.")
CUT = words("The connection ended before all of {name} was there.")
BROKEN = words("The download has failed by a fault of this program ({reason}).")
UNREACHABLE = words("{host} cannot be reached: {reason}. Check the network.")
SILENT = words("{host} has not answered for {seconds} seconds.")
WEB_CUT = words("{host} ended the connection.")
NONSENSE = words(
    "What {host} answers is no answer of a hub. A network that wants you to sign in first may do "
    "so; else try again later."
)
NO_CONNECTION = words("no connection")
CERTIFICATE = words(
    "{host} shows a certificate that is not trusted ({reason}). In a company’s network its file of "
    "certificates has to be set; elsewhere somebody may be listening."
)
PROXY = words("The proxy {host} does not let the request pass ({reason}).")
NO_PROXY = words("The proxy {host}:{port} cannot be reached. Check it in the settings.")
CIRCLE = words("{host} sends the download from one place to the next without end.")
DOWNGRADE = words("{host} wants the file to be fetched without encryption. That is refused.")
NO_HTTP_PROXY = words(
    "The proxy “{text}” cannot be used: only proxies whose address begins with http:// can."
)
NO_ADDRESS = words("The hub names “{text}” as the place of a file, which is no web address.")
NO_JOB = words("The download does not understand what it is to fetch.")
