"""One chat that is open or being answered, and the hub of all of them."""
