"""The one way to run anything: schedule first, then launch by launch, so that it can be interrupted anywhere."""
