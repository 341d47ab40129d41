"""The transcript's parts; `desktop.views.transcript_view` is what others use."""
