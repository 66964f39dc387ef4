"""What is shown: rows for scripts, tables for the terminal, one page for the browser. Values in, text out."""
