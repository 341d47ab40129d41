"""What a model's memory is kept under: the library knows each model by the same key."""

from __future__ import annotations

from engine.store.library.identity import KEY_LENGTH as KEY_LENGTH
from engine.store.library.identity import model_key as model_key
