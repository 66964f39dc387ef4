"""From a program to a faster one: profile, check, tune, and proof in the program itself."""
