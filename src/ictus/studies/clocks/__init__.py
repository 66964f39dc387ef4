"""What the studies of clocks share: clocks.json, summaries of errors, names, figures, page."""
