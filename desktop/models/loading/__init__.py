"""How a model is loaded: planned before, compared after, remembered for the next time."""
