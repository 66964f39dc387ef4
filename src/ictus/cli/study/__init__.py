"""What the commands share that study something on ranks of their own: where these run, what is kept."""
