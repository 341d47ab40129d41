"""The popup at a tab's model button: every model on this computer, whether it fits, how it is."""
