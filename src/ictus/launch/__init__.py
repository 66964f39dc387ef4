"""Starting launches: the words a launcher is called with, and a process tree that is always ended."""
