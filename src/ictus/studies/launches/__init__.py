"""What one launch says of the next one."""
