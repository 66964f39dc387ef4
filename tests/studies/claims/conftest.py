"""Studies of claims write pages, and hardly a test here looks at a figure."""
