"""Every column of every table that scripts read, with its meaning and unit."""
