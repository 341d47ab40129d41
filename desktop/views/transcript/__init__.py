"""The transcript's parts; `desktop.views.transcript.transcript_view` is what others use."""
