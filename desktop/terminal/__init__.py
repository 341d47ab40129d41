"""`chat` on the terminal: questions, answers and how they are shown. No widgets."""
