"""The model library as the window knows it: the hub's answers, downloads, what is installed."""
