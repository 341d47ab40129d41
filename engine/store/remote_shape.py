"""The shape of a model on a hub; it has moved to `engine.store.hub.shapes`, these names stay."""

from engine.store.hub.asking import is_model_id
from engine.store.hub.errors import HubError
from engine.store.hub.shapes import fetch_gguf_shape, fetch_shape

RemoteError = HubError

__all__ = ["RemoteError", "fetch_gguf_shape", "fetch_shape", "is_model_id"]
