"""Whether one factor, such as the start or the pinning, changes what is measured."""
