"""The monitor: instruments that show what the GPUs, the engine and its KV cache do."""
