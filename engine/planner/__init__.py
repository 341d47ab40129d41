"""Will it fit: weights, KV cache, overhead, context and chats, before anything is loaded.

Pure arithmetic over a model's config.json and safetensors headers (`shape`), the hardware
(`machine`), what the user wants (`plan.Wish`) and what past loads measured (`learned`). Needs
the standard library and msgspec, so that the window, the terminal and the engine agree.
"""
