"""Loading a model, as the window shows it: the plan, the choices, what came of them."""
