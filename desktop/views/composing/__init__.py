"""Where one writes: the field, its attachments, its meter."""
