"""Studies of findings write pages, and hardly a test here looks at a figure."""
