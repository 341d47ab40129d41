"""What `doctor` looks at, a module for each kind; it must work where much else does not."""
